import { nameForeignManager, type Workload } from "#libs/fleet";
import { labelledRevision, resolveTarget } from "#libs/injection";
import { lookUp } from "#libs/input";

import { settingsOf } from "../../main/index.ts";
import { type OpenedCluster, parseTime, printTime, type RunRecord, type Spec } from "../../records/index.ts";
import type { Case } from "../cases/workload-case.ts";
import type { WorkloadState } from "../workload-state.ts";

/** Until when the clusters' workloads are left to deploys, epoch ms; those of the past are left out. */
function listDeadlines(
  { head, now }: { readonly head: Spec; readonly now: number },
  run: RunRecord,
  opened: readonly (OpenedCluster | undefined)[],
): readonly number[] {
  if (run.converge !== undefined) return [];
  const { strategy, deadline } = settingsOf(head, run);
  if (strategy !== "OnDeploy") return [];
  return opened
    .flatMap((each) => (each === undefined ? [] : [parseTime(each.openedAt) + deadline]))
    .filter((until) => now < until);
}

/**
 * Until when the workload is left to its owner's deploys, epoch ms (strategy `OnDeploy`); undefined when it is not: without
 * an open run, in a rollback, in a converging run, before the wave of its cluster, and from the deadline on.
 */
export function findDeadline({
  owned: { run, rollbackSince },
  cluster,
  ...files
}: Pick<Case, "owned" | "head" | "cluster" | "now">): number | undefined {
  if (run === undefined || rollbackSince !== undefined) return undefined;
  return listDeadlines(files, run, [lookUp(run.clusters, cluster.name)])[0];
}

/**
 * Whether the next write restarts nothing, so that no deploy is waited for: the label of a namespace that says another revision (without it
 * no deploy would move the workload), and a workload without pods.
 */
export function needsNoRestart({ site, workload, inventory, cluster, owned }: Case): boolean {
  if (site.kind === "tag") return false;
  // VMs have no deploys: their turns are spread over a deadline of their own.
  if (workload.replicas === 0 || workload.template.isVms === true) return true;
  const target = resolveTarget(cluster.facts, owned.desired);
  return (
    site.kind === "namespace" && labelledRevision(inventory.namespace, workload, cluster.facts).revision !== target
  );
}

/** Whether the workload is left to deploys later: the wave of its cluster has not begun. */
export function awaitsWave({ owned: { run, rollbackSince }, cluster, head }: Pick<Case, "owned" | "head" | "cluster">) {
  if (run === undefined || rollbackSince !== undefined || run.converge !== undefined) return false;
  return settingsOf(head, run).strategy === "OnDeploy" && lookUp(run.clusters, cluster.name) === undefined;
}

/** The deadline of the last one of the run's open clusters, epoch ms; undefined when deploys are awaited in none. */
export function findLastDeadline(
  files: { readonly head: Spec; readonly now: number },
  run: RunRecord,
): number | undefined {
  const deadlines = listDeadlines(files, run, Object.values(run.clusters));
  return deadlines.length === 0 ? undefined : Math.max(...deadlines);
}

/** The state of a workload that is left to its owner's deploys until then, epoch ms. */
export function waitForDeploy({ revisionManager }: Workload, deadline: number): WorkloadState {
  const by = nameForeignManager(revisionManager);
  const until = printTime(deadline);
  return { kind: "waiting", reason: { code: "AwaitsDeploy", until, ...(by === undefined ? {} : { by }) } };
}
