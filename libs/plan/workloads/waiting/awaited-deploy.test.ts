import type { RunRecord } from "#libs/plan";
import { renderWorkloadReason } from "#libs/wording";
import { failed, makeCluster, makeMigrated, makeRun, makeWorkload, moved, runId, sha } from "#test/world/build";
import { specsOf } from "#test/world/executor";
import { judgeOne, requireHead, testWorkloadStates } from "#test/world/judge-one";
import { describe, expect, it, test } from "vitest";

import { findDeadline, waitForDeploy } from "./awaited-deploy.ts";

const day = 86_400_000;
const a = makeWorkload("shop/a");
const settings = { strategy: "OnDeploy", deadline: 28 * day } as const;
const onNamespace = { "istio.io/rev": "old" };
const unit = makeWorkload("shop/a", { template: { labels: {}, annotations: {}, hostNetwork: false } });
/** When the wave of `makeRun` was opened in cluster `one`. */
const opened = Date.parse("2026-11-19T12:00:00Z");
const late = opened + 28 * day;

describe("strategy OnDeploy: the state of a workload", () => {
  testWorkloadStates([
    { name: "left to its owner's deploys", workload: a, settings, want: "waiting AwaitsDeploy" },
    { name: "in a batch from the deadline on", workload: a, settings, now: late, want: "pending" },
    {
      name: "moved by its owner's deploy",
      workload: makeWorkload("shop/a", {}, "new"),
      settings,
      want: "migrated",
    },
    {
      name: "a move of ours that was under way goes on",
      workload: moved(a, "new", runId),
      settings,
      want: "migrating NotObserved",
    },
    {
      name: "a failure at the deadline is a failure",
      workload: failed(a, "new", runId),
      settings,
      now: late,
      want: "skipped (shop/Deployment/a): ReadinessTimeout at 2026-11-19T12:00:00Z",
    },
    {
      name: "paused by its owner: that matters from the deadline on",
      workload: { ...a, paused: true },
      settings,
      want: "waiting AwaitsDeploy",
    },
    {
      name: "a pause is no reason to skip it before",
      workload: { ...a, paused: true },
      settings,
      waitedMs: 5 * day,
      want: "waiting AwaitsDeploy",
    },
    {
      name: "a retry moves it at once",
      workload: a,
      settings,
      retried: { "one:shop/Deployment/a": 1 },
      want: "pending #2",
    },
    {
      name: "a rollback waits for no deploy",
      workload: makeMigrated(a, "new", runId),
      settings,
      isRollback: true,
      percentNew: 0,
      want: "pending",
    },
    { name: "drift is left to no deploy", workload: a, settings, isDrift: true, want: "pending" },
    {
      name: "the label of its namespace is changed at once",
      workload: unit,
      namespaceLabels: onNamespace,
      settings,
      want: "pending",
    },
    {
      name: "a label that its owner wrote there is not written again, and nothing is restarted for it",
      workload: unit,
      namespaceLabels: { "istio.io/rev": "new" },
      settings,
      want: "waiting AwaitsDeploy",
    },
    {
      name: "without pods nothing is restarted, so its label is written at once",
      workload: makeWorkload("shop/a", { replicas: 0, pods: [] }),
      settings,
      want: "pending",
    },
    {
      name: "and after that it is left to its owner's deploys",
      workload: unit,
      namespaceLabels: { "istio.io/rev": "new" },
      namespaceAnnotations: {
        "meshroll.dev/run": `${runId} new`,
        "meshroll.dev/previous": JSON.stringify({ labels: onNamespace }),
      },
      settings,
      want: "waiting AwaitsDeploy",
    },
  ]);
});

test("before the wave of its cluster it waits for nothing of its owner's, so that it is not skipped after readinessTimeout", () => {
  const run = makeRun(sha("head"), sha("base"), { clusters: {} });
  const ask = { workload: { ...a, paused: true }, waitedMs: 5 * day, run };
  expect(judgeOne({ ...ask, settings }).state.kind).toBe("pending");
  expect(judgeOne(ask).state.kind).toBe("skipped");
});

describe("findDeadline", () => {
  const run = makeRun(sha("head"), sha("base"));
  const converge = { scope: "all", cause: "verb", why: "put back" } as const;
  const cases: readonly {
    readonly name: string;
    readonly run?: Partial<RunRecord>;
    readonly strategy?: "Batched";
    readonly now?: number;
    readonly want?: number;
  }[] = [
    { name: "counts from the cluster's wave", want: late },
    { name: "has none before the wave of the cluster", run: { clusters: {} } },
    { name: "has none in a converging run, which a person or an owner's deploy asked for", run: { converge } },
    { name: "has none with another strategy", strategy: "Batched" },
    { name: "is over at its time", now: late },
  ];
  it.each(cases)("$name", ({ run: change = {}, strategy = settings.strategy, now = opened, want }) => {
    const head = requireHead(specsOf(100, { ...settings, strategy }));
    const owned = { desired: "new", run: { ...run, ...change } };
    expect(findDeadline({ owned, head, now, cluster: makeCluster("one", [a]) })).toBe(want);
  });
});

it.each([
  { name: "helm", want: "its owner's next deploy (by helm) moves it, or a batch after the deadline" },
  { name: "meshroll", want: "its owner's next deploy moves it, or a batch after the deadline" },
])("a wait for a deploy names who wrote the label last, where that is not meshroll: $name", ({ name, want }) => {
  const state = waitForDeploy({ ...a, revisionManager: { name, operation: "Update" } }, late);
  expect(state.kind === "waiting" && renderWorkloadReason(state.reason)).toEqual({
    code: "AwaitsDeploy",
    message: want,
    until: "2026-12-17T12:00:00.000Z",
  });
});
