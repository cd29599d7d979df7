import { lookUp } from "#libs/input";

import { listSettingStages } from "../main/index.ts";
import { nameInFleet, type RunRecord, type Spec } from "../records/index.ts";

/** In the order of main; what was asked on top of a change comes after it. */
export function compareRuns(a: RunRecord, b: RunRecord): number {
  if (a.order !== b.order) return a.order - b.order;
  const asked = Number(a.converge !== undefined) - Number(b.converge !== undefined);
  if (asked !== 0) return asked;
  return a.startedAt < b.startedAt ? -1 : 1;
}

/**
 * True while a converging run may move workloads of the bucket: main says what it said when it was asked, and no campaign sets the
 * bucket whose stops, waves and windows the run does not heed. By main's files, whatever the record says.
 */
export function mayConverge(run: RunRecord, head: Spec, pattern: string, isSaidStill: boolean): boolean {
  if (run.state !== "open" || !isSaidStill) return false;
  const setting = listSettingStages(head, [pattern]);
  return setting.length === 0 || (setting.length === 1 && setting[0]?.campaign === run.campaign);
}

/** True for a run that is about this workload, or about its whole namespace. */
function isAbout({ retried }: RunRecord, cluster: string, key: string): boolean {
  const namespace = `${key.slice(0, key.indexOf("/"))}/*`;
  return [key, namespace].some((name) => lookUp(retried, nameInFleet(cluster, name)) !== undefined);
}

/** The first of these converging runs that names the workload: what they do not name in its namespace they leave alone. */
export function findNaming(runs: readonly RunRecord[], cluster: string, key: string): RunRecord | undefined {
  return runs.find((run) => isAbout(run, cluster, key));
}
