import { readEvent } from "#libs/events";
import { decide, isLedgerDecision, type LedgerChange, type Snapshot } from "#libs/plan";
import { makeCluster, makeRun, makeStop, makeWorkload, makeSnapshot, runId, sha } from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { expect, test } from "vitest";

import { describeTransition } from "./describe-transition.ts";

const clusters = new Map([["one", makeCluster("one", [makeWorkload("shop/a", {}, "new")])]]);

/** The events of the first transition that is decided on a snapshot, as read back from the bus. */
function describeEvents(snapshot: Snapshot, decided?: LedgerChange): readonly string[] {
  const change = decided ?? decide(snapshot).find(isLedgerDecision)?.change;
  const { ledger } = snapshot;
  if (change === undefined || ledger === undefined) throw new Error("no transition");
  const events = describeTransition({ ...snapshot, ledger }, change);
  for (const event of events) expect(readEvent(JSON.stringify(event))).toEqual(event);
  return events.map(({ type, id }) => `${type} ${id}`);
}

const cases: readonly { readonly name: string; readonly snapshot: Snapshot; readonly want: readonly string[] }[] = [
  {
    name: "a run that ends, with the ledger's sequence: after a retry it ends once more",
    snapshot: makeSnapshot({ clusters, ledger: openRunLedger({ sequence: 7 }) }),
    want: [`run.v1.done run-${runId}-done-8`],
  },
  {
    name: "a wave that opens",
    snapshot: makeSnapshot({
      clusters,
      ledger: openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { clusters: {} }) } }),
    }),
    want: [`run.v1.waveOpened wave-${runId}-one`],
  },
  {
    name: "a stop",
    snapshot: makeSnapshot({
      clusters,
      requests: [{ id: "v", verb: "stop", scope: "all", strength: "move", who: "ana", why: "5xx", at: "" }],
    }),
    want: ["stop.v1.placed stop-v"],
  },
  {
    name: "a resume, with every stop that it ends",
    snapshot: makeSnapshot({
      clusters,
      ledger: openRunLedger({
        stops: { s: makeStop({ id: "s", scope: "all" }), t: makeStop({ id: "t", scope: "all" }) },
      }),
      requests: [{ id: "v", verb: "resume", scope: "all", strength: "move", who: "ana", why: "", at: "" }],
    }),
    want: ["stop.v1.resumed resume-s-t"],
  },
];

test.each(cases)("people are notified of $name", ({ snapshot, want }) =>
  expect(describeEvents(snapshot)).toEqual(want),
);

test("2.2 people are notified of a rollback's start and of the hold that it leaves", () => {
  const snapshot = makeSnapshot({ clusters });
  const run = makeRun(sha("rollback"), sha("head"), { order: 2 });
  const stop = makeStop({
    id: `rollback-${run.id}-1`,
    scope: "bucket/production",
    cause: "rolledBack",
    rollbackOf: run.id,
  });
  const steps = [{ kind: "started" as const }];
  const change = { sequence: 1, main: sha("head"), runs: [{ run, steps }], stops: [{ stop, step: "placed" as const }] };
  expect(describeEvents(snapshot, change)).toEqual([
    `run.v1.started run-${run.id}-started`,
    `stop.v1.placed stop-rollback-${run.id}-1`,
  ]);
});
