import type { DeploymentState } from "#libs/scm";

import type { ClusterProgress } from "../facts/run-store.ts";
import type { RunEnd, RunFacts } from "../facts/run-facts.ts";

/** The deployment of a run to one cluster. */
export interface DeploymentPlan {
  readonly cluster: string;
  readonly state: DeploymentState;
  /** At most 140 characters are shown. */
  readonly description: string;
}

function describeFailures(failures: ReadonlyMap<string, number>): string {
  return [...failures].map(([reason, count]) => `${count} × ${reason}`).join(", ");
}

function planOpen(cluster: string, { hasBegun, isFailing, failures }: ClusterProgress): DeploymentPlan {
  if (isFailing) return { cluster, state: "failure", description: `failed: ${describeFailures(failures)}` };
  if (hasBegun) return { cluster, state: "in_progress", description: "workloads are moving, in batches" };
  return { cluster, state: "queued", description: "its wave is open, nothing has moved yet" };
}

function countEnd(end: RunEnd, cluster: string, progress: ClusterProgress | undefined) {
  const told = end.clusters?.find(({ name }) => name === cluster);
  return { failed: told?.failed ?? progress?.failures.size ?? 0, skipped: told?.skipped ?? 0 };
}

function planEnd(end: RunEnd, cluster: string, progress: ClusterProgress | undefined): DeploymentPlan {
  if (end.state === "gone") return { cluster, state: "inactive", description: "its commit is not on main any more" };
  if (end.state === "empty") return { cluster, state: "success", description: "it concerned no workload" };
  const { failed, skipped } = countEnd(end, cluster, progress);
  if (failed > 0) return { cluster, state: "failure", description: `over: ${failed} failed, ${skipped} did not move` };
  return {
    cluster,
    state: "success",
    description: skipped === 0 ? "all migrated" : `migrated; ${skipped} did not move`,
  };
}

/** One deployment for each known cluster of the run, in the order of names. */
export function planDeployments(
  { end }: Pick<RunFacts, "end">,
  progress: ReadonlyMap<string, ClusterProgress>,
): readonly DeploymentPlan[] {
  if (end === undefined) {
    return [...progress].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([cluster, each]) => planOpen(cluster, each));
  }
  const names = new Set([...progress.keys(), ...(end.clusters ?? []).map(({ name }) => name)]);
  return [...names].toSorted().map((cluster) => planEnd(end, cluster, progress.get(cluster)));
}
