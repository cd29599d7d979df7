import type { Settings } from "#libs/campaign";
import { type ActiveStop, planRemediation, type ProgressMemory, type Remediation } from "#libs/plan";

import { makeMigrated, makeCluster, makeRun, makeSpec, makeWorkload, moved, noon, runId, sha } from "./build.ts";
import { makeExecutorView, openRunLedger, type ExecutorViewChange } from "./executor.ts";

/** `a` is at rest on `old`; `stuck` is on its way to `new` by the open run and makes no progress. */
export const a = makeWorkload("shop/a");
export const stuck = moved(a, "new", runId, { observedGeneration: 2, updated: 1, available: 1, total: 2 });
/** The built-in settings of a batch, and the time in which a move may make no progress, ms. */
export const { batch } = makeSpec(sha("x"), 0).settings;
export const limit = batch.readinessTimeout;
/** A stop on all. */
export const stop: ActiveStop = {
  id: "s",
  scope: "all",
  strength: "move",
  who: "ana",
  why: "",
  at: "",
  from: "ledger",
};
/** A ledger in which the run of `runId` is done. */
export const doneLedger = openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { state: "done" }) } });

/** An executor's memory between its reconciles. */
export interface RemediationMemory {
  progress: ProgressMemory;
}

/** The memory of an executor that has just started. */
export function startMemory(): RemediationMemory {
  return { progress: new Map() };
}

/**
 * What an executor writes at a reconcile `after` ms after noon. `remembered`: settings that it remembers while main does not
 * parse.
 */
export function reconcile(
  change: ExecutorViewChange,
  memory: RemediationMemory,
  after: number,
  remembered: Partial<Settings> = {},
) {
  const { snapshot } = makeExecutorView({ ...change, now: noon + after });
  const settings = snapshot.head?.settings ?? { ...makeSpec(sha("x"), 0).settings, ...remembered };
  const planned = planRemediation({ snapshot, settings, now: noon + after, monotonic: after }, memory.progress);
  memory.progress = planned.progress;
  return planned.remediations;
}

/** A remediation as `kind object name`. */
export function tell({ kind, judged, write }: Remediation): string {
  return `${kind} ${write.object} ${write.object === "namespace" ? judged.workload.namespace : judged.key}`;
}

/** A namespace whose own label decides, after our relabel; `mark` adds annotations. */
export function relabelled(mark: Readonly<Record<string, string>>, workloads: readonly (typeof a)[]) {
  const cluster = makeCluster("one", workloads, {}, { "istio.io/rev": "new" });
  const namespaces = new Map(
    [...cluster.namespaces].map(([name, inventory]) => {
      const annotations = {
        "meshroll.dev/run": `${runId} new`,
        "meshroll.dev/previous": JSON.stringify({ labels: { "istio.io/rev": "old" } }),
        ...mark,
      };
      return [name, { ...inventory, namespace: { ...inventory.namespace, annotations } }];
    }),
  );
  return { ...cluster, namespaces };
}

/** A template whose namespace decides. */
export const plain = { labels: {}, annotations: {}, hostNetwork: false };

/** A workload that was restarted because its namespace's label decides. */
export function restarted(name: string, change: Partial<typeof a> = {}) {
  const annotations = {
    "meshroll.dev/run": `${runId} new`,
    "meshroll.dev/previous": JSON.stringify({ template: { annotations: { "meshroll.dev/restarted-for": null } } }),
  };
  const template = { labels: {}, annotations: { "meshroll.dev/restarted-for": "new" }, hostNetwork: false };
  return makeWorkload(name, { template, annotations, generation: 2, observedGeneration: 2, updated: 1, ...change });
}

/** A move by the run of `runId`, which is done; main does not want it any more. */
export const tooLate = makeMigrated(a, "new", runId);
/** Change of an executor's view with this workload. */
export const late = { workloads: [tooLate], percentNew: 0, ledger: doneLedger };

/** The same workload with these previous labels. */
export function withPrevious(labels: Readonly<Record<string, string | null>>, more: { readonly restored?: true } = {}) {
  const previous = JSON.stringify({ template: { labels }, ...more });
  return { ...tooLate, annotations: { ...tooLate.annotations, "meshroll.dev/previous": previous } };
}

/** A late move after its revert, while pods of the late revision still run. */
export const undoing = makeWorkload("shop/u", {
  annotations: { "meshroll.dev/run": `${runId} new` },
  updated: 1,
  pods: [
    { revision: "new", count: 1, ready: 1 },
    { revision: "old", count: 1, ready: 1 },
  ],
});

/** The run of `runId` is a rollback to `new`, with these settings. */
export function rollingBack(change: Partial<typeof batch>) {
  const changes = [{ pattern: "production", from: "a", to: "b", direction: "rollback" as const }];
  const ledger = openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { changes }) } });
  return { ledger, settings: { rollbackBatch: { ...batch, ...change } } };
}
