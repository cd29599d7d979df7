import type { Settings } from "#libs/campaign";
import { type RunRecord, settingsOver } from "#libs/plan";
import { makeMigrated, failed, makeCluster, makeRun, makeWorkload, moved, noon, runId, sha } from "#test/world/build";
import { makeExecutorView, openRunLedger } from "#test/world/executor";
import { describe, expect, test } from "vitest";

import { listPlaceless, listStalled } from "./list-stalled.ts";

type Batch = Partial<Settings["batch"]>;

const onward: Batch = { failurePolicy: "ContinueOnError" };
const rolling = { observedGeneration: 2, updated: 1, available: 1, total: 2 };
/** Migrating, without progress for this long, ms. */
const silent = (name: string, ms: number, change: object = {}) =>
  moved(makeWorkload(`shop/${name}`), "new", runId, { ...rolling, times: { written: noon - ms }, ...change });
const [a, b, c] = [silent("a", 60_000), silent("b", 60_000), silent("c", 60_000)];
/** Migrated by one step of this length. */
const took = (name: string, ms: number) => ({
  ...makeMigrated(makeWorkload(`shop/${name}`), "new", runId),
  replicas: 1,
  total: 1,
  updated: 1,
  available: 1,
  pods: [{ revision: "new", count: 1, ready: 1 }],
  times: { written: noon - 3_600_000, rolledOut: noon - 3_600_000 + ms, status: noon },
});

interface Around {
  readonly serverNow: number | undefined;
  readonly ledger: ReturnType<typeof openRunLedger>;
}

/** The question about a cluster with these workloads, by these settings. */
function ask(workloads: readonly ReturnType<typeof makeWorkload>[], batch: Batch, { serverNow, ledger }: Around) {
  const { snapshot } = makeExecutorView({ cluster: makeCluster("one", workloads), ledger });
  const { settings, judged, head } = snapshot;
  const settingsFor = (run: RunRecord | undefined) => {
    const found = settingsOver({ head, settings }, run);
    return found === undefined ? undefined : { ...found, batch: { ...found.batch, ...batch } };
  };
  return { judged, serverNow, settingsFor };
}

interface Case {
  readonly name: string;
  readonly workloads: readonly ReturnType<typeof makeWorkload>[];
  readonly batch?: Batch;
  readonly serverNow?: number | undefined;
  readonly want: readonly string[];
}

describe("4.7 workloads that gave up their place in the batch", () => {
  const cases: readonly Case[] = [
    {
      name: "a workload without progress for a twentieth of its time does",
      workloads: [a, silent("b", 9000)],
      want: ["a"],
    },
    {
      name: "no workload does if the first failure ends the run",
      workloads: [a, b],
      batch: { failurePolicy: "FailFast" },
      want: [],
    },
    { name: "as many do as may still fail", workloads: [a, b, c], batch: { maxFailures: 2 }, want: ["a", "b"] },
    {
      name: "failed workloads count against those that may still fail",
      workloads: [a, b, failed(makeWorkload("shop/f"), "new", runId)],
      batch: { maxFailures: 2 },
      want: ["a"],
    },
    { name: "a workload without times does not", workloads: [silent("a", 0, { times: {} })], want: [] },
    { name: "a workload as slow as the others does not", workloads: [a, took("t", 40_000)], want: [] },
    { name: "a workload slower than the others does", workloads: [a, took("t", 20_000)], want: ["a"] },
    {
      name: "a workload whose controller has not observed the write does not",
      workloads: [silent("a", 60_000, { observedGeneration: 1 })],
      want: [],
    },
    {
      name: "a readiness-timeout annotation gives a workload more time",
      workloads: [silent("a", 60_000, { annotations: { ...a.annotations, "meshroll.dev/readiness-timeout": "30m" } })],
      want: [],
    },
    {
      name: "a status that changes with each pod does not give it more than the time of all steps",
      workloads: [
        silent("a", 0, { replicas: 1, times: { written: noon - 32_000, status: noon - 2000 } }),
        silent("b", 0, { replicas: 1, times: { written: noon - 30_000, status: noon - 2000 } }),
      ],
      want: ["a"],
    },
  ];
  test.each(cases)("$name", ({ workloads, batch = onward, want, ...clock }) => {
    const serverNow = "serverNow" in clock ? clock.serverNow : noon;
    const stalled = listStalled(ask(workloads, batch, { serverNow, ledger: openRunLedger() }));
    expect([...stalled.keys()]).toEqual(want.map((name) => `shop/Deployment/${name}`));
  });
});

describe("4.2 which workloads take a place in a rollback's batch", () => {
  const changes = [{ pattern: "production", from: "a", to: "b", direction: "rollback" as const }];
  const rollback = openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { changes }) } });
  /** Written this long ago, ms, by a run that wanted another revision. */
  const elsewhere = (ms: number) =>
    moved(makeWorkload("shop/a"), "newer", "bbbbbbbbbbbb", { ...rolling, times: { written: noon - ms } });
  const cases = [
    { name: "a workload on its way to main's revision that makes progress", workload: silent("a", 2000), takes: true },
    { name: "a workload on its way to another revision that makes progress", workload: elsewhere(2000), takes: true },
    {
      name: "a workload on its way to another revision that makes no progress",
      workload: elsewhere(60_000),
      takes: false,
    },
    {
      name: "a workload on its way to another revision, with an API server without a time",
      workload: elsewhere(2000),
      serverNow: undefined,
      takes: false,
    },
    {
      name: "a workload of the rollback itself that makes progress",
      workload: silent("a", 2000),
      ledger: rollback,
      takes: true,
    },
    { name: "a workload of the move that is rolled back", workload: elsewhere(2000), ledger: rollback, takes: false },
  ];
  test.each(cases)("$name: $takes", ({ workload, takes, ledger = openRunLedger(), ...clock }) => {
    const serverNow = "serverNow" in clock ? clock.serverNow : noon;
    const placeless = listPlaceless(ask([workload], onward, { serverNow, ledger }));
    expect([...placeless]).toEqual(takes ? [] : ["shop/Deployment/a"]);
  });
});
