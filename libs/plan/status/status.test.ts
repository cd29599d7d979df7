import { decide, evaluateFleet, type Snapshot } from "#libs/plan";
import { renderUndo } from "#libs/wording";
import {
  makeMigrated,
  makeCluster,
  makeLedger,
  makeRun,
  makeStop,
  makeWorkload,
  makeSnapshot,
  runId,
  sha,
} from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { makeComing } from "#test/world/words";
import { describe, expect, test } from "vitest";

import { describeFleet, type FleetStatus } from "./status.ts";

const [a, b, c, d] = ["x/a", "y/b", "z/c", "z/d"].map((name) => makeWorkload(name)) as [
  ReturnType<typeof makeWorkload>,
  ReturnType<typeof makeWorkload>,
  ReturnType<typeof makeWorkload>,
  ReturnType<typeof makeWorkload>,
];

function statusOf(snapshot: Snapshot): FleetStatus {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("main does not parse");
  const { judged, views } = evaluateFleet(snapshot, head);
  return describeFleet(snapshot, head, judged, views, decide(snapshot));
}

function snapshotOf(workloads: readonly ReturnType<typeof makeWorkload>[], change: Partial<Snapshot> = {}): Snapshot {
  return makeSnapshot({ clusters: new Map([["one", makeCluster("one", workloads)]]), ...change });
}

describe("the status of one instant", () => {
  test("desired and actual shares are counted by namespace; a namespace with both revisions is mixed", () => {
    const status = statusOf(snapshotOf([makeMigrated(a, "new", runId), b, makeMigrated(c, "new", runId), d]));
    expect(status.where).toMatchObject([
      {
        bucket: "production",
        namespaces: 3,
        mixed: 1,
        shares: [
          { revision: "old", requested: 0, namespaces: 1, actual: 33.3 },
          { revision: "new", requested: 100, namespaces: 1, actual: 33.3 },
        ],
      },
    ]);
  });

  const ledger = openRunLedger({ stops: { f: makeStop({ id: "f", scope: `run/${runId}`, cause: "failures" }) } });
  test("a stop is named with its actor and the command that ends it", () => {
    const status = statusOf(snapshotOf([a], { ledger }));
    expect(status.stops).toMatchObject([{ id: "f", who: "ana" }]);
    expect(status.waiting).toMatchObject([
      { code: "Stopped", owner: "ana", command: `meshroll get failures run/${runId}` },
    ]);
  });

  describe("7.1 every hold and pause in force, with what ends it", () => {
    const until = "2026-11-19T11:00:00.000Z";
    const cases: readonly { readonly name: string; readonly snapshot: Partial<Snapshot>; readonly want: object }[] = [
      {
        name: "a hold",
        snapshot: { ledger: openRunLedger({ stops: { h: makeStop({ id: "h", scope: "all", strength: "propose" }) } }) },
        want: { id: "h", strength: "propose", cause: "verb", overdue: false },
      },
      {
        name: "a pause whose time is over, as overdue",
        snapshot: { ledger: openRunLedger({ stops: { p: makeStop({ id: "p", scope: "all", until }) } }) },
        want: { id: "p", until, overdue: true, command: expect.stringMatching(/^meshroll resume all /) as string },
      },
      {
        name: "2.2 a rollback's hold, with the run that placed it",
        snapshot: {
          ledger: openRunLedger({
            stops: { r: makeStop({ id: "r", scope: "bucket/production", cause: "rolledBack", rollbackOf: "abc" }) },
          }),
        },
        want: {
          id: "r",
          cause: "rolledBack",
          rollbackOf: "abc",
          command: expect.stringContaining("bucket/production") as string,
        },
      },
      {
        name: "7.2 a requested pause that is not recorded yet",
        snapshot: {
          requests: [{ id: "a", verb: "stop", scope: "all", strength: "move", who: "ben", why: "w", at: until }],
        },
        want: { id: "a", from: "control", cause: "verb", who: "ben" },
      },
      {
        name: "7.3 a stop made with kubectl, which ends by kubectl",
        snapshot: {
          clusters: new Map([["one", makeCluster("one", [a], { facts: { stops: { kubectl: true, recorded: {} } } })]]),
        },
        want: {
          id: "kubectl",
          cause: "kubectl",
          command: expect.stringMatching(/^kubectl .* delete configmap/) as string,
        },
      },
    ];
    test.each(cases)("$name", ({ snapshot, want }) =>
      expect(statusOf(snapshotOf([a], snapshot)).stops).toMatchObject([want]),
    );
  });

  test("7.6 with no open run the five answers are the fleet's", () => {
    const head = sha("head");
    const changes = [{ pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" as const }];
    const done = makeRun(head, sha("base"), { state: "done", changes });
    const main = { head, ageMs: 42_000, contained: true, vanished: [], points: [] };
    const ledger = makeLedger({ main: head, judged: head, runs: { [runId]: done } });
    const status = statusOf(snapshotOf([makeMigrated(a, "new", runId), b], { ledger, main }));

    expect(status).toMatchObject({
      state: "Idle",
      main: { ageSeconds: 42 },
      rollouts: [],
      waiting: [],
      next: makeComing({ code: "MergeNeeded" }),
      undo: { command: `meshroll rollback run/${runId} --reason "…"` },
      clusters: [{ ageSeconds: 0 }],
    });
    expect(status.where[0]?.shares).toMatchObject([
      { revision: "old", requested: 0, actual: 50 },
      { revision: "new", requested: 100, actual: 50 },
    ]);
  });

  test("7.6 after a rollback a merge is offered, not another undo", () => {
    const changes = [{ pattern: "production", from: "new: 100", to: "old: 100", direction: "rollback" as const }];
    const runs = { [runId]: makeRun(sha("head"), sha("base"), { state: "done", changes }) };
    const ledger = makeLedger({ main: sha("head"), judged: sha("head"), runs });
    expect(statusOf(snapshotOf([a], { ledger })).undo).toEqual(renderUndo({ code: "IsRollback", run: runId, of: [] }));
  });

  test("1.3 drift counts workloads that differ from main without a run", () => {
    const status = statusOf(snapshotOf([a, b], { ledger: makeLedger({ main: sha("head"), judged: sha("head") }) }));
    expect(status.clusters).toMatchObject([{ name: "one", drift: 2, rolling: 0 }]);
    expect(status.waiting).toEqual([]);
  });

  test("9.1 a cluster that was not seen is named with its age", () => {
    const cluster = makeCluster("one", [a], { fresh: false, ageMs: 90_000 });
    const status = statusOf(snapshotOf([], { clusters: new Map([["one", cluster]]) }));
    expect(status.clusters).toMatchObject([{ fresh: false, ageSeconds: 90 }]);
    expect(status.waiting).toMatchObject([{ code: "ClusterUnreachable" }]);
  });
});
