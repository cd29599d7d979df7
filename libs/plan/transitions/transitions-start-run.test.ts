import type { ClusterSnapshot, RunRecord } from "#libs/plan";
import { makeCluster, makeLedger, makeRun, makeSpec, makeWorkload, makeSnapshot, runId, sha } from "#test/world/build";
import { readTransition } from "#test/world/transition";
import { describe, expect, test } from "vitest";

import { startRun } from "./transitions.ts";

const now = "2026-11-19T11:43:00.000Z";
const opened = { openedAt: "2026-11-19T10:00:00.000Z", unhealthyBefore: [] };
const forward = { pattern: "production", from: "a", to: "b", direction: "forward" as const };
const back = { pattern: "production", from: "b", to: "a", direction: "rollback" as const };
const one = makeCluster("one", [makeWorkload("shop/a")]);
const stale = makeCluster("two", [], { fresh: false });
const fleet = (...clusters: readonly ClusterSnapshot[]) => new Map(clusters.map((each) => [each.name, each]));

describe("a run that starts", () => {
  interface Case {
    readonly name: string;
    readonly run?: Partial<RunRecord>;
    readonly before?: readonly RunRecord[];
    readonly skipped?: readonly string[];
    /** Clusters that are open at once, then those that are expected. */
    readonly want: readonly [open: readonly string[], expected: readonly string[] | undefined];
  }
  const earlier = (order: number, state: RunRecord["state"], ...names: readonly string[]) =>
    makeRun(sha(`run ${order}`), sha("base"), {
      id: `r${order}`,
      order,
      state,
      clusters: Object.fromEntries(names.map((name) => [name, opened])),
    });
  const awaiting = { ...earlier(1, "done", "gone-one"), expected: ["unseen"] };
  const cases: readonly Case[] = [
    { name: "6.1 opens in every cluster that is seen, and expects the others", want: [["one"], ["two"]] },
    { name: "6.1 of a campaign opens in no cluster by itself", run: { campaign: "up" }, want: [[], ["one", "two"]] },
    {
      name: "2.3 that is a rollback opens at once, even of a campaign",
      run: { campaign: "up", changes: [back] },
      want: [["one"], ["two"]],
    },
    {
      name: "6.1 that is a rollback in one of two buckets does not open by itself",
      run: { campaign: "up", changes: [back, { ...forward, pattern: "x" }] },
      want: [[], ["one", "two"]],
    },
    {
      name: "3.4 expects clusters that the run before knew, though they were not seen since",
      before: [awaiting],
      want: [["one"], ["gone-one", "two", "unseen"]],
    },
    {
      name: "1.7 does not expect clusters known only from a run that is gone",
      before: [earlier(1, "gone", "gone-one")],
      want: [["one"], ["two"]],
    },
    {
      name: "3.4 expects clusters of runs back to the newest one that is over",
      before: [earlier(1, "done", "older"), earlier(2, "done", "old"), earlier(3, "open", "new")],
      want: [["one"], ["new", "old", "two"]],
    },
  ];
  test.each(cases)("$name", ({ run, before = [], skipped = [], want }) => {
    const head = makeSpec(sha("head"), 100, { excludedClusters: skipped });
    const snapshot = makeSnapshot({ clusters: fleet(stale, one), specs: new Map([[head.commit, head]]) });
    const ledger = makeLedger({ runs: Object.fromEntries(before.map((each) => [each.id, each])) });
    const record = makeRun(sha("head"), sha("base"), { changes: [forward], order: 9, ...run });
    const started = readTransition(ledger, startRun(snapshot, ledger, record, sha("head")));
    expect(started.kind).toBe("startRun");
    expect([Object.keys(started.run.clusters), started.run.expected]).toEqual(want);
    expect(started.ledger.runs[record.id]).toEqual(started.run);
  });

  test("6.1 with all clusters seen none is expected, and unhealthy workloads are recorded with the cluster's UID", () => {
    const sick = makeWorkload("shop/sick", { available: 0 });
    const snapshot = makeSnapshot({ clusters: fleet(makeCluster("one", [makeWorkload("shop/a"), sick])) });
    const run = makeRun(sha("head"), sha("base"));
    const started = readTransition(makeLedger(), startRun(snapshot, makeLedger(), run, sha("head")));
    expect(started.kind).toBe("startRun");
    expect(started.run).not.toHaveProperty("expected");
    expect(started.run).toMatchObject({
      startedAt: now,
      clusters: { one: { openedAt: now, uid: "kube-system-of-one", unhealthyBefore: ["shop/Deployment/sick"] } },
    });
  });

  test("2.2 each bucket that is rolled back gets a hold with the run's id; one that goes forward gets none", () => {
    const changes = [back, { ...forward, pattern: "x" }, { ...back, pattern: "y-.*" }];
    const run = makeRun(sha("head"), sha("base"), { changes, author: "ben", subject: "back again" });
    const snapshot = makeSnapshot({ clusters: fleet(one) });
    const started = readTransition(makeLedger(), startRun(snapshot, makeLedger(), run, sha("head")));
    const hold = { strength: "move", at: now, who: "ben", cause: "rolledBack", rollbackOf: runId };
    expect(Object.values(started.ledger.stops)).toMatchObject([
      { ...hold, id: `rollback-${runId}-1`, scope: "bucket/production" },
      { ...hold, id: `rollback-${runId}-2`, scope: "bucket/y-.*" },
    ]);
    expect(started.reason.message).toBe(
      `run ${runId} started: back again (ben); a rollback, its hold stays on bucket/production, bucket/y-.*`,
    );
  });

  test("2.2 a forward run leaves no hold, and its sentence names none", () => {
    const run = makeRun(sha("head"), sha("base"), { changes: [forward] });
    const snapshot = makeSnapshot({ clusters: fleet(one) });
    const started = readTransition(makeLedger(), startRun(snapshot, makeLedger(), run, sha("head")));
    expect([started.ledger.stops, started.reason.message]).toEqual([{}, `run ${runId} started: raise new (ana)`]);
  });
});
