import { readEvent } from "#libs/events";
import { decide, isLedgerDecision, type LedgerDecision, type World } from "#libs/plan";
import { makeCluster, makeRun, makeStop, makeWorkload, makeWorld, runId, sha } from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { expect, test } from "vitest";

import { describeTransition } from "./describe-transition.ts";

const clusters = new Map([["one", makeCluster("one", [makeWorkload("shop/a", {}, "new")])]]);

/** The events of the first transition that a world asks for, as they are read back from the bus. */
function tell(world: World, decision?: LedgerDecision): readonly string[] {
  const first = decision ?? decide(world)[0];
  if (first === undefined || !isLedgerDecision(first)) throw new Error("no transition");
  const events = describeTransition(world, first);
  for (const event of events) expect(readEvent(JSON.stringify(event))).toEqual(event);
  return events.map(({ type, id }) => `${type} ${id}`);
}

const cases: readonly { readonly name: string; readonly world: World; readonly want: readonly string[] }[] = [
  {
    name: "a run that ends, by the ledger's sequence: after a retry it ends once more",
    world: makeWorld({ clusters, ledger: openRunLedger({ sequence: 7 }) }),
    want: [`run.v1.done run-${runId}-done-8`],
  },
  {
    name: "a wave that opens",
    world: makeWorld({
      clusters,
      ledger: openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { clusters: {} }) } }),
    }),
    want: [`run.v1.waveOpened wave-${runId}-one`],
  },
  {
    name: "a stop",
    world: makeWorld({
      clusters,
      asks: [{ id: "v", verb: "stop", scope: "all", strength: "move", who: "ana", why: "5xx", at: "" }],
    }),
    want: ["stop.v1.placed stop-v"],
  },
  {
    name: "a lift, with every stop that it lifts",
    world: makeWorld({
      clusters,
      ledger: openRunLedger({
        stops: { s: makeStop({ id: "s", scope: "all" }), t: makeStop({ id: "t", scope: "all" }) },
      }),
      asks: [{ id: "v", verb: "lift", scope: "all", strength: "move", who: "ana", why: "", at: "" }],
    }),
    want: ["stop.v1.lifted lift-s-t"],
  },
];

test.each(cases)("people are told of $name", ({ world, want }) => expect(tell(world)).toEqual(want));

test("2.2 people are told of a return's start and of the hold that it leaves", () => {
  const world = makeWorld({ clusters });
  const run = makeRun(sha("back"), sha("head"), { order: 2 });
  const stop = makeStop({ id: `return-${run.id}-1`, scope: "bucket/production", cause: "return", returnOf: run.id });
  const ledger = openRunLedger({ stops: { [stop.id]: stop } });
  const reason = { code: "MainChanged", message: "", owner: "ana" };
  expect(tell(world, { kind: "startRun", run, ledger, reason })).toEqual([
    `run.v1.started run-${run.id}-started`,
    `stop.v1.placed stop-return-${run.id}-1`,
  ]);
});
