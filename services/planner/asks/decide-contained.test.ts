import type { Ask } from "#libs/plan";
import { describe, expect, test } from "vitest";

import { makeLedger, makeWorld, sha } from "#test/world/build";

import { decideContained } from "./decide-contained.ts";

const ask: Ask = {
  id: "v1",
  verb: "stop",
  scope: "all",
  strength: "move",
  who: "ana",
  why: "5xx",
  at: "2026-11-19T12:00:00Z",
};
/** As no reader lets it through: whatever gets through one day must not keep the others from being decided on. */
const poison = (id: string): Ask => ({
  ...ask,
  id,
  verb: "rollback",
  scope: undefined as unknown as "all",
  at: "2026-11-19T11:00:00Z",
});

const ledger = makeLedger({ main: sha("head"), judged: sha("head") });

describe("7.5 a verb that nothing can be decided with keeps no other from being carried out", () => {
  const cases: readonly { readonly name: string; readonly asks: readonly Ask[]; readonly want: readonly string[] }[] = [
    { name: "none", asks: [ask], want: [] },
    { name: "alone", asks: [poison("p1")], want: ["p1"] },
    { name: "before a good one", asks: [poison("p1"), ask], want: ["p1"] },
    { name: "between two good ones", asks: [ask, poison("p1"), { ...ask, id: "v2" }], want: ["p1"] },
    { name: "two of them", asks: [poison("p1"), ask, poison("p2")], want: ["p1", "p2"] },
  ];
  test.each(cases)("$name", ({ asks, want }) => {
    const { decisions, faulty } = decideContained({ ...makeWorld({ ledger }), asks });
    expect(faulty.map((each) => each.ask.id)).toEqual(want);
    const isPlaced = decisions.some((decision) => decision.kind === "placeStop");
    expect(isPlaced).toBe(asks.some(({ id }) => !id.startsWith("p")));
  });

  test("what fails without any verb is no verb's fault", () => {
    const world = { ...makeWorld({ ledger }), asks: [ask], main: undefined as never };
    expect(() => decideContained(world)).toThrow(TypeError);
  });
});
