import type { Settings } from "#libs/campaign";
import { settingsOver } from "#libs/plan";
import { makeMigrated, failed, makeCluster, makeWorkload, moved, noon, runId } from "#test/world/build";
import { makeExecutorView, openRunLedger } from "#test/world/executor";
import { describe, expect, test } from "vitest";

import { listStalled } from "./list-stalled.ts";

type Batch = Partial<Settings["batch"]>;

const onward: Batch = { failurePolicy: "ContinueOnError" };
const rolling = { observedGeneration: 2, updated: 1, available: 1, total: 2 };
/** On its way, and without progress for so long, ms. */
const silent = (name: string, ms: number, change: object = {}) =>
  moved(makeWorkload(`shop/${name}`), "new", runId, { ...rolling, times: { written: noon - ms }, ...change });
const [a, b, c] = [silent("a", 60_000), silent("b", 60_000), silent("c", 60_000)];
/** Arrived by one step of so long. */
const took = (name: string, ms: number) => ({
  ...makeMigrated(makeWorkload(`shop/${name}`), "new", runId),
  replicas: 1,
  total: 1,
  updated: 1,
  available: 1,
  pods: [{ revision: "new", count: 1, ready: 1 }],
  times: { written: noon - 3_600_000, rolledOut: noon - 3_600_000 + ms, status: noon },
});

interface Case {
  readonly name: string;
  readonly workloads: readonly ReturnType<typeof makeWorkload>[];
  readonly batch?: Batch;
  readonly serverNow?: number | undefined;
  readonly want: readonly string[];
}

describe("4.7 who gave its place of the batch up", () => {
  const cases: readonly Case[] = [
    { name: "who makes no progress for a twentieth of its time", workloads: [a, silent("b", 9000)], want: ["a"] },
    { name: "none while a failure ends the run", workloads: [a, b], batch: { failurePolicy: "FailFast" }, want: [] },
    {
      name: "none that rolls towards what main no longer wants",
      workloads: [moved(makeWorkload("shop/a"), "newer", "bbbbbbbbbbbb", { updated: 1, times: a.times ?? {} })],
      want: [],
    },
    { name: "as many as may fail yet", workloads: [a, b, c], batch: { maxFailures: 2 }, want: ["a", "b"] },
    {
      name: "without those that failed already",
      workloads: [a, b, failed(makeWorkload("shop/f"), "new", runId)],
      batch: { maxFailures: 2 },
      want: ["a"],
    },
    { name: "none where no server says what time it is", workloads: [a], serverNow: undefined, want: [] },
    { name: "none by its server's clock of before", workloads: [a], serverNow: noon - 55_000, want: [] },
    { name: "none of which nothing is known", workloads: [silent("a", 0, { times: {} })], want: [] },
    { name: "who is as slow as all others keeps it", workloads: [a, took("t", 40_000)], want: [] },
    { name: "who is slower than all others gives it up", workloads: [a, took("t", 20_000)], want: ["a"] },
    {
      name: "its owner's own time counts",
      workloads: [silent("a", 60_000, { annotations: { ...a.annotations, "meshroll.dev/readiness-timeout": "30m" } })],
      want: [],
    },
    {
      name: "the status changed a moment ago",
      workloads: [silent("a", 60_000, { times: { written: noon - 60_000, status: noon - 2000 } })],
      want: [],
    },
    {
      name: "pods that come and go change the status a moment ago, and all steps had their time",
      workloads: [
        silent("a", 0, { replicas: 1, times: { written: noon - 47_000, status: noon - 2000 } }),
        silent("b", 0, { replicas: 1, times: { written: noon - 45_000, status: noon - 2000 } }),
      ],
      want: ["a"],
    },
  ];
  test.each(cases)("$name", ({ workloads, batch = onward, want, ...clock }) => {
    const serverNow = "serverNow" in clock ? clock.serverNow : noon;
    const { snapshot } = makeExecutorView({ cluster: makeCluster("one", workloads), ledger: openRunLedger() });
    const { settings } = snapshot;
    const settingsFor = (run: Parameters<Parameters<typeof listStalled>[0]["settingsFor"]>[0]) => {
      const found = settingsOver(snapshot.head, run, settings);
      return found === undefined ? undefined : { ...found, batch: { ...found.batch, ...batch } };
    };
    const stalled = listStalled({ judged: snapshot.judged, serverNow, settingsFor });
    expect([...stalled.keys()]).toEqual(want.map((name) => `shop/Deployment/${name}`));
  });
});
