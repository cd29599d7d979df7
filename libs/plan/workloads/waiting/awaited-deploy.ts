import { settingsOf } from "../../main/index.ts";
import { type OpenedCluster, parseTime, type RunRecord, type Spec } from "../../records/index.ts";
import { lookUp } from "#libs/input";
import type { Case } from "../cases/workload-case.ts";

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

/** The deadline of the last one of the run's open clusters, epoch ms; undefined when deploys are awaited in none. */
export function findLastDeadline(
  files: { readonly head: Spec; readonly now: number },
  run: RunRecord,
): number | undefined {
  const deadlines = listDeadlines(files, run, Object.values(run.clusters));
  return deadlines.length === 0 ? undefined : Math.max(...deadlines);
}
