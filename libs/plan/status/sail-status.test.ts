import type { Settings } from "#libs/campaign";
import type { Workload } from "#libs/fleet";
import { type LedgerState, type RunRecord, evaluateFleet } from "#libs/plan";
import { makeMigrated, makeCluster, makeRun, makeStop, makeWorkload, runId, sha } from "#test/world/build";
import { makeCampaign, makeCampaignSnapshot, makeStage } from "#test/world/campaigns/campaign";
import { describe, expect, test } from "vitest";

import { describeSail } from "./sail-status.ts";

const opened = { openedAt: "2026-11-19T09:00:00.000Z", unhealthyBefore: [] };
const over: Partial<RunRecord> = { state: "done", endedAt: "2026-11-19T11:00:00.000Z" };

interface Case {
  readonly name: string;
  readonly workloads?: readonly Workload[];
  readonly run?: Partial<RunRecord>;
  readonly stops?: LedgerState["stops"];
  readonly settings?: Partial<Settings>;
  /** Annotations of all namespaces. */
  readonly marks?: Readonly<Record<string, string>>;
  readonly campaign?: string;
  readonly want: object;
}

function makeSailSnapshot({ workloads = [], run, stops = {}, settings, marks = {} }: Omit<Case, "name" | "want">) {
  const batch = { ...makeStage("x", 1).settings.batch, batchSize: 5 };
  const campaign = makeCampaign({ stages: [makeStage("all", 100, { batch, ...settings })] });
  const cluster = makeCluster("one", workloads);
  const namespaces = [...cluster.namespaces].map(([name, each]) => {
    return [name, { ...each, namespace: { ...each.namespace, annotations: marks } }] as const;
  });
  const record = { clusters: { one: opened }, startedAt: "2026-11-19T08:00:00.000Z", ...run };
  const snapshot = makeCampaignSnapshot({
    campaign,
    run: record,
    clusters: new Map([["one", { ...cluster, namespaces: new Map(namespaces) }]]),
  });
  return { ...snapshot, ...(snapshot.ledger && { ledger: { ...snapshot.ledger, stops } }) };
}

function tell(snapshot: ReturnType<typeof makeSailSnapshot>, campaign?: string) {
  const head = snapshot.specs.get(sha("head"));
  if (head === undefined) throw new Error("main does not parse");
  return describeSail(snapshot, head, evaluateFleet(snapshot, head), campaign);
}

const some = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => makeWorkload(`ns-${from + index}/api`));
const migrated = (count: number) => some(count).map((each) => makeMigrated(each, "new", runId));
const runAnnotation = (run = runId, target = "new") => ({ "meshroll.dev/run": `${run} ${target}` });

/** A workload with a failure annotation, after its undo. */
function fail(name: string, reason: string, at: string, change: Partial<Workload> = {}, marks = {}): Workload {
  const annotations = { ...runAnnotation(), "meshroll.dev/failed": `new ${reason} ${at}`, ...marks };
  return makeWorkload(`${name}/api`, { generation: 3, observedGeneration: 3, annotations, ...change });
}

const at = (minute: number) => `2026-11-19T10:${minute}:00Z`;
const timeout = fail("late", "ReadinessTimeout", at(20));

describe("a cluster's migration as in Sail's proposal", () => {
  const cases: readonly Case[] = [
    {
      name: "in progress: figures, and the present batch",
      workloads: [...migrated(7), ...some(5, 7)],
      want: {
        state: "InProgress",
        targetRevision: "new",
        totalWorkloads: 12,
        migratedWorkloads: 7,
        failedWorkloads: 0,
        startTime: "2026-11-19T09:00:00Z",
        batched: { currentBatch: 2, totalBatches: 3 },
      },
    },
    {
      name: "completed: all batches, and the time of the run's end",
      workloads: migrated(7),
      run: over,
      want: {
        state: "Completed",
        targetRevision: "new",
        totalWorkloads: 7,
        migratedWorkloads: 7,
        failedWorkloads: 0,
        startTime: "2026-11-19T09:00:00Z",
        completionTime: "2026-11-19T11:00:00Z",
        batched: { currentBatch: 2, totalBatches: 2 },
      },
    },
    {
      name: "completed here while the run continues elsewhere: the time of the wave's end",
      workloads: migrated(5),
      run: { clusters: { one: { ...opened, doneAt: "2026-11-19T09:30:00.000Z" } } },
      want: { state: "Completed", completionTime: "2026-11-19T09:30:00Z" },
    },
    {
      name: "in progress again after a retry: no time of completion",
      workloads: some(1),
      run: { clusters: { one: { ...opened, doneAt: "2026-11-19T09:30:00.000Z" } } },
      want: expect.not.objectContaining({ completionTime: expect.anything() as string }) as object,
    },
    {
      name: "failed: as many batches as completed",
      workloads: [...migrated(7), timeout],
      run: over,
      want: {
        state: "Failed",
        totalWorkloads: 8,
        migratedWorkloads: 7,
        failedWorkloads: 1,
        batched: { currentBatch: 1, totalBatches: 2 },
      },
    },
    {
      name: "a failure while others still move: in progress",
      workloads: [timeout, ...some(1)],
      want: { state: "InProgress", totalWorkloads: 2, migratedWorkloads: 0, failedWorkloads: 1 },
    },
    {
      name: "a run that moved nothing has one batch",
      run: over,
      want: { state: "Completed", totalWorkloads: 0, batched: { currentBatch: 1, totalBatches: 1 } },
    },
    {
      name: "stopped by a gate: failed",
      workloads: some(1),
      stops: { g: makeStop({ id: "g", scope: `run/${runId}`, cause: "gate", gate: "g" }) },
      want: { state: "Failed", failedWorkloads: 0 },
    },
    {
      name: "stopped by failures: failed",
      workloads: some(1),
      stops: { f: makeStop({ id: "f", scope: `run/${runId}`, cause: "failures" }) },
      want: { state: "Failed" },
    },
    {
      name: "paused by a person, or another run stopped: in progress",
      workloads: some(1),
      stops: {
        p: makeStop({ id: "p", scope: `run/${runId}` }),
        o: makeStop({ id: "o", scope: "run/aaaaaaaaaaaa", cause: "failures" }),
      },
      want: { state: "InProgress" },
    },
    {
      name: "a failure of another revision or run does not count",
      workloads: [
        ...migrated(1),
        fail("x", "ReadinessTimeout", at(10), {}, { "meshroll.dev/failed": `old ReadinessTimeout ${at(10)}` }),
        fail("y", "ReadinessTimeout", at(11), {}, runAnnotation("aaaaaaaaaaaa")),
      ],
      run: over,
      want: { state: "Completed", totalWorkloads: 2, failedWorkloads: 0 },
    },
    {
      name: "a namespace's failure annotation counts for its workloads without one",
      workloads: some(2),
      marks: { ...runAnnotation(), "meshroll.dev/failed": `new ReadinessTimeout ${at(10)}` },
      run: over,
      want: { state: "Failed", totalWorkloads: 2, migratedWorkloads: 0, failedWorkloads: 2 },
    },
    {
      name: "the target of a person's run is that of its pending workloads",
      workloads: some(1),
      run: { campaign: "" },
      campaign: "",
      want: { targetRevision: "new" },
    },
    {
      name: "the target of a person's run that is over is that of its annotations",
      workloads: [makeMigrated(makeWorkload("x/api"), "newer", runId)],
      run: { ...over, campaign: "" },
      want: { targetRevision: "newer" },
    },
    {
      name: "batches are shown only with strategy Batched",
      workloads: some(1),
      settings: { strategy: "Window" },
      want: expect.not.objectContaining({ batched: expect.anything() as object }) as object,
    },
    { name: "a cluster without a run is idle", run: { clusters: {} }, want: { state: "Idle" } },
    { name: "a cluster whose run is gone is idle", run: { state: "gone" }, want: { state: "Idle" } },
    {
      name: "a cluster of another campaign's run is idle for this campaign",
      campaign: "other",
      want: { state: "Idle" },
    },
    { name: "a cluster of this campaign's run has the same state", campaign: "up", want: { state: "Completed" } },
  ];
  test.each(cases)("$name", ({ want, campaign, ...parts }) => {
    const [only] = tell(makeSailSnapshot(parts), campaign);
    expect(only?.status.workloadMigration).toMatchObject(want);
  });

  test("during a run it has exactly Sail's fields", () => {
    const [only] = tell(makeSailSnapshot({ workloads: some(1) }));
    expect(Object.keys(only?.status.workloadMigration ?? {})).toEqual([
      "state",
      "targetRevision",
      "totalWorkloads",
      "migratedWorkloads",
      "failedWorkloads",
      "startTime",
      "batched",
    ]);
  });

  test("failures in Sail's sentences, the oldest first, with the time limit of each", () => {
    const hour = { "sailoperator.io/readiness-timeout": "1h" };
    const workloads = [
      fail("third", "ReadinessTimeout", at(30), {}, { "sailoperator.io/readiness-timeout": "90s" }),
      fail("first", "ProgressDeadlineExceeded", at(10), { replicas: 3, available: 2 }),
      fail("fourth", "ReadinessTimeout", at(40), {}, { "sailoperator.io/readiness-timeout": "45s" }),
      fail("second", "Overwritten", at(20)),
      fail("fifth", "ReadinessTimeout", at(50), {}, hour),
      fail("sixth", "ReadinessTimeout", at(55), {}, { "sailoperator.io/readiness-timeout": "60s" }),
    ];
    const [only] = tell(makeSailSnapshot({ workloads, run: over }));
    const failures = only?.status.workloadMigration.failures?.map((each) => `${each.namespace}: ${each.reason}`);
    expect(failures).toEqual([
      "first: Deployment failed to reach ready state: 2/3 replicas ready",
      "second: Overwritten",
      "third: Readiness timeout exceeded after 1m30s",
      "fourth: Readiness timeout exceeded after 45s",
      "fifth: Readiness timeout exceeded after 1h0m0s",
      "sixth: Readiness timeout exceeded after 1m0s",
    ]);
  });

  test("of many failures the ten most recent are listed, and all are counted", () => {
    const many = Array.from({ length: 12 }, (_, index) => fail(`f-${index}`, "ReadinessTimeout", at(10 + index)));
    const [only] = tell(makeSailSnapshot({ workloads: many, run: over }));
    const { failedWorkloads, failures = [] } = only?.status.workloadMigration ?? {};
    expect(failedWorkloads).toBe(12);
    expect(failures.map(({ namespace }) => namespace)).toEqual(many.slice(2).map(({ namespace }) => namespace));
  });

  test("with two runs each cluster has its own", () => {
    const snapshot = makeSailSnapshot({ workloads: [...migrated(3), ...some(2, 3)] });
    const first = makeRun(sha("first"), sha("base"), { order: 0, clusters: {} });
    const ledger = snapshot.ledger && { ...snapshot.ledger, runs: { [first.id]: first, ...snapshot.ledger.runs } };
    const [only] = tell({ ...snapshot, ...(ledger && { ledger }) });
    expect(only?.status.workloadMigration).toMatchObject({
      state: "InProgress",
      totalWorkloads: 5,
      migratedWorkloads: 3,
    });
  });

  test("clusters by name, each with its newest run", () => {
    const snapshot = makeSailSnapshot({ workloads: migrated(1), run: over });
    const two = { ...makeCluster("a-two", some(2)), name: "a-two" };
    const later = makeRun(sha("later"), sha("head"), { order: 7, clusters: { one: opened }, ...over });
    const earlier = makeRun(sha("earlier"), sha("head"), { order: 0, clusters: { one: opened }, ...over });
    const ledger = snapshot.ledger && {
      ...snapshot.ledger,
      runs: { ...snapshot.ledger.runs, [later.id]: later, [earlier.id]: earlier },
    };
    const clusters = new Map([...snapshot.clusters, ["a-two", two]]);
    const told = tell({ ...snapshot, clusters, ...(ledger && { ledger }) });
    // No workload carries an annotation of the later run.
    expect(told).toMatchObject([
      { cluster: "a-two", status: { workloadMigration: { state: "Idle" } } },
      { cluster: "one", status: { workloadMigration: { totalWorkloads: 0 } } },
    ]);
  });
});
