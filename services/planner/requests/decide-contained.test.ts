import type { VerbRequest } from "#libs/plan";
import { describe, expect, test } from "vitest";

import { makeLedger, makeSnapshot, sha } from "#test/world/build";

import { decideContained } from "./decide-contained.ts";

const request: VerbRequest = {
  id: "v1",
  verb: "stop",
  scope: "all",
  strength: "move",
  who: "ana",
  why: "5xx",
  at: "2026-11-19T12:00:00Z",
};
/** Readers refuse such a request; if one ever gets through, the others must still be decided on. */
const poison = (id: string): VerbRequest => ({
  ...request,
  id,
  verb: "rollback",
  scope: 42 as unknown as "all",
  at: "2026-11-19T11:00:00Z",
});

const ledger = makeLedger({ main: sha("head"), judged: sha("head") });

describe("7.5 a verb at which deciding throws does not keep others from being carried out", () => {
  const cases: readonly {
    readonly name: string;
    readonly requests: readonly VerbRequest[];
    readonly want: readonly string[];
  }[] = [
    { name: "no bad verb", requests: [request], want: [] },
    { name: "a bad verb alone", requests: [poison("p1")], want: ["p1"] },
    { name: "a bad verb before a good one", requests: [poison("p1"), request], want: ["p1"] },
    {
      name: "a bad verb between two good ones",
      requests: [request, poison("p1"), { ...request, id: "v2" }],
      want: ["p1"],
    },
    { name: "two bad verbs", requests: [poison("p1"), request, poison("p2")], want: ["p1", "p2"] },
  ];
  test.each(cases)("$name", ({ requests, want }) => {
    const { decisions, faulty } = decideContained({ ...makeSnapshot({ ledger }), requests });
    expect(faulty.map((each) => each.request.id)).toEqual(want);
    const isPlaced = decisions.some((decision) => decision.kind === "placeStop");
    expect(isPlaced).toBe(requests.some(({ id }) => !id.startsWith("p")));
  });

  test("an error that does not depend on a verb is thrown", () => {
    const snapshot = { ...makeSnapshot({ ledger }), requests: [request], main: undefined as never };
    expect(() => decideContained(snapshot)).toThrow(TypeError);
  });
});
