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
    { name: "no progress for the whole time", ...after(limit + 2000), want: failed },
    { name: "its clock is an hour ahead of ours", ...after(limit + 2000, hour), want: failed },
    { name: "its clock is an hour behind ours", ...after(limit + 2000, -hour), want: failed },
    { name: "not yet, with a clock an hour ahead", ...after(limit - 5000, hour), want: [] },
    { name: "not yet, with a clock an hour behind", ...after(limit - 5000, -hour), want: [] },
    { name: "written in its future: just now", ...after(-hour), want: [] },
    {
      name: "pods that come and go changed the status just now, and all steps had their time",
      ...after(3 * limit + 2000),
      status: noon,
      want: failed,
    },
    { name: "the same before all steps had it", ...after(3 * limit - 2000), status: noon, want: [] },
    {
      name: "the same, asked for only just now",
      ...after(3 * limit + 2000),
      status: noon,
      ledger: asked,
      want: [],
    },
    { name: "it never said what time it is", at: noon - hour, serverAt: undefined, want: [] },
    { name: "asked for only just now, by a run that has just begun", ...after(limit + 2000), ledger: asked, want: [] },
  ];
  test.each(cases)("$name", ({ at, serverAt, want, status, ...change }: OverRestart) => {
    const times = { written: at, ...(status === undefined ? {} : { status }) };
    const cluster = makeCluster("one", [{ ...stuck, times }], serverAt === undefined ? {} : { serverNow: serverAt });
    expect(reconcile({ ledger, ...change, cluster }, startMemory(), 0).map(tell)).toEqual(want);
  });
});

describe("a workload that was idle when it was written has its time from its first pods on, even days later", () => {
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
    { name: "not one that was never through", workload: starting, want: ["fail workload shop/Deployment/a"] },
  ];
  test.each(cases)("$name", ({ workload, want }) => {
    const cluster = makeCluster("one", [workload], { serverNow: noon });
    expect(reconcile({ ledger, cluster }, startMemory(), 0).map(tell)).toEqual(want);
  });
});

describe("a move ends once, and the object records it", () => {
  const cases: readonly (ExecutorViewChange & {
    readonly name: string;
    readonly later?: number;
    readonly want: readonly string[];
  })[] = [
    {
      name: "4.6 of what arrived that is recorded, once",
      workloads: [makeMigrated(a, "new", runId)],
      want: ["recordArrival workload shop/Deployment/a"],
    },
    {
      name: "4.6 and then it is left alone, whatever becomes of its pods",
      workloads: [arrived({ ...makeMigrated(a, "new", runId), available: 0, updated: 0, pods: [] })],
      later: limit,
      want: [],
    },
    {
      name: "4.6 what another hand recorded is not written over, nor put back",
      workloads: [arrived(makeMigrated(a, "new", runId)), { ...arrived(stuck), name: "b" }].map((each) => ({
        ...each,
        marksBy: { "meshroll.dev/arrived": "helm" },
      })),
      later: 10 * limit,
      want: [],
    },
    {
      name: "4.6 the record of another try is none of this one",
      workloads: [{ ...stuck, annotations: { ...stuck.annotations, "meshroll.dev/arrived": "aaaaaaaaaaaa new" } }],
      later: limit,
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "4.6 none is recorded under a stop that kubectl placed",
      workloads: [makeMigrated(a, "new", runId)],
      stops: [{ ...stop, id: "kubectl" }],
      want: [],
    },
    {
      name: "4.6 while its controller is behind nothing is known, so nothing has failed",
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
