import { arrived, makeCluster, makeMigrated, makeRun, noon, runId, sha } from "#test/world/build";
import { a, limit, reconcile, startMemory, stop, stuck, tell } from "#test/world/remediation";
import { type ExecutorViewChange, openRunLedger } from "#test/world/executor";
import { describe, expect, test } from "vitest";

describe("12.1 readinessTimeout continues over a restart, by the API server's clock", () => {
  const startedAt = new Date(noon - 10 * limit).toISOString();
  const ledger = openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { startedAt }) } });
  const hour = 3_600_000;
  const failed = ["fail workload shop/Deployment/a"];
  /** Ms from the write to the API server's present time; `skew`: how far its clock is ahead of ours. */
  const after = (ms: number, skew = 0) => ({ at: noon + skew - ms, serverAt: noon + skew });
  const late = new Date(noon - 1000).toISOString();
  const asked = openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { startedAt: late }) } });
  interface OverRestart extends ExecutorViewChange {
    readonly name: string;
    readonly at: number;
    readonly serverAt: number | undefined;
    /** When the controller changed the status last; absent = before our write. */
    readonly status?: number;
    readonly want: readonly string[];
  }
  const cases: readonly OverRestart[] = [
    { name: "no progress for readinessTimeout", ...after(limit + 2000), want: failed },
    {
      name: "no progress for readinessTimeout, with a server clock an hour ahead",
      ...after(limit + 2000, hour),
      want: failed,
    },
    {
      name: "no progress for readinessTimeout, with a server clock an hour behind",
      ...after(limit + 2000, -hour),
      want: failed,
    },
    { name: "less than readinessTimeout, with a server clock an hour ahead", ...after(limit - 5000, hour), want: [] },
    { name: "less than readinessTimeout, with a server clock an hour behind", ...after(limit - 5000, -hour), want: [] },
    { name: "a write in the server's future counts as just now", ...after(-hour), want: [] },
    {
      name: "the status changes with every pod, and the time of all steps is over",
      ...after(3 * limit + 2000),
      status: noon,
      want: failed,
    },
    {
      name: "the status changes with every pod, and the time of all steps is not over",
      ...after(3 * limit - 2000),
      status: noon,
      want: [],
    },
    {
      name: "the time of all steps is over, but main asks for it only since just now",
      ...after(3 * limit + 2000),
      status: noon,
      ledger: asked,
      want: [],
    },
    { name: "the server's time is unknown", at: noon - hour, serverAt: undefined, want: [] },
    {
      name: "no progress for readinessTimeout, but main asks for it only since just now",
      ...after(limit + 2000),
      ledger: asked,
      want: [],
    },
  ];
  test.each(cases)("$name", ({ at, serverAt, want, status, ...change }: OverRestart) => {
    const times = { written: at, ...(status === undefined ? {} : { status }) };
    const cluster = makeCluster("one", [{ ...stuck, times }], serverAt === undefined ? {} : { serverNow: serverAt });
    expect(reconcile({ ledger, ...change, cluster }, startMemory(), 0).map(tell)).toEqual(want);
  });
});

describe("readinessTimeout of a workload that had no pods when it was written counts from its first pods", () => {
  const startedAt = new Date(noon - 100 * limit).toISOString();
  const ledger = openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { startedAt }) } });
  const starting = {
    ...makeMigrated(a, "new", runId),
    available: 0,
    pods: [{ revision: "new", count: 2, ready: 0 }],
    times: { written: noon - 90 * limit, status: noon },
  };
  const cases = [
    { name: "a Deployment", workload: { ...starting, rolledOut: true as const }, want: [] },
    { name: "a DaemonSet", workload: { ...starting, kind: "DaemonSet" as const }, want: [] },
    {
      name: "a Deployment that never finished a rollout counts from the write",
      workload: starting,
      want: ["fail workload shop/Deployment/a"],
    },
  ];
  test.each(cases)("$name", ({ workload, want }) => {
    const cluster = makeCluster("one", [workload], { serverNow: noon });
    expect(reconcile({ ledger, cluster }, startMemory(), 0).map(tell)).toEqual(want);
  });
});

describe("the record of a migrated workload, on the object", () => {
  const cases: readonly (ExecutorViewChange & {
    readonly name: string;
    readonly later?: number;
    readonly want: readonly string[];
  })[] = [
    {
      name: "4.6 a migrated workload is recorded once",
      workloads: [makeMigrated(a, "new", runId)],
      want: ["recordArrival workload shop/Deployment/a"],
    },
    {
      name: "4.6 a recorded workload is left alone, even without ready pods",
      workloads: [arrived({ ...makeMigrated(a, "new", runId), available: 0, updated: 0, pods: [] })],
      later: limit,
      want: [],
    },
    {
      name: "4.6 a record by another field manager is neither overwritten nor undone",
      workloads: [arrived(makeMigrated(a, "new", runId)), { ...arrived(stuck), name: "b" }].map((each) => ({
        ...each,
        marksBy: { "meshroll.dev/arrived": "helm" },
      })),
      later: 10 * limit,
      want: [],
    },
    {
      name: "4.6 the record of another run's attempt does not count",
      workloads: [{ ...stuck, annotations: { ...stuck.annotations, "meshroll.dev/arrived": "aaaaaaaaaaaa new" } }],
      later: limit,
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "4.6 nothing is recorded under a stop made with kubectl",
      workloads: [makeMigrated(a, "new", runId)],
      stops: [{ ...stop, id: "kubectl" }],
      want: [],
    },
    {
      name: "4.6 nothing fails while the workload's controller has not observed the write",
      workloads: [{ ...stuck, observedGeneration: 1 }],
      later: 10 * limit,
      want: [],
    },
  ];
  test.each(cases)("$name", ({ later = 0, want, ...change }) => {
    const memory = startMemory();
    reconcile(change, memory, 0);
    expect(reconcile(change, memory, later).map(tell)).toEqual(want);
  });
});
