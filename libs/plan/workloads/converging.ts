import { lookUp } from "#libs/input";

import { listStagesOfBuckets } from "../main/index.ts";
import { nameInFleet, type RunRecord, type Spec } from "../records/index.ts";

/** In the order of main; a converging run follows the change that it was requested after. */
export function compareRuns(a: RunRecord, b: RunRecord): number {
  if (a.order !== b.order) return a.order - b.order;
  const asked = Number(a.converge !== undefined) - Number(b.converge !== undefined);
  if (asked !== 0) return asked;
  return a.startedAt < b.startedAt ? -1 : 1;
}

/**
 * Whether a converging run may move workloads of the bucket: main still has the same distribution, and the bucket belongs to no
 * campaign whose stops, waves and windows the run does not obey. By main's files, whatever the record says.
 */
export function mayConverge(run: RunRecord, head: Spec, pattern: string, isSaidStill: boolean): boolean {
  if (run.state !== "open" || !isSaidStill) return false;
  const setting = listStagesOfBuckets(head, [pattern]);
  return setting.length === 0 || (setting.length === 1 && setting[0]?.campaign === run.campaign);
}

/** Whether a run is about this workload, or its whole namespace. */
function isAbout({ retried }: RunRecord, cluster: string, key: string): boolean {
  const namespace = `${key.slice(0, key.indexOf("/"))}/*`;
  return [key, namespace].some((name) => lookUp(retried, nameInFleet(cluster, name)) !== undefined);
}

/** The first of these converging runs that names the workload; the others of its namespace are not theirs. */
export function findNaming(runs: readonly RunRecord[], cluster: string, key: string): RunRecord | undefined {
  return runs.find((run) => isAbout(run, cluster, key));
}
