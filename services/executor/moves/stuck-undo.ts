import { isDeployedSince, readAnnotations, type Workload } from "#libs/fleet";
import { type ClusterSnapshot, findRemakeObstacle, type JudgedWorkload } from "#libs/plan";
import { printNotRemade } from "#libs/wording";

/** Whether the undo is still to come, or has been written. */
type Phase = "moved" | "undone";

/**
 * The pod that blocks its StatefulSet. Pods are replaced one after the other from the highest ordinal down, so it is the one
 * with the lowest ordinal of the newer template. Undefined while a pod is missing: the controller creates it again.
 */
function findBlockingPod(workload: Workload, phase: Phase): string | undefined {
  const { orderedFrom, replicas, total, updated, available, generation, observedGeneration, name } = workload;
  const isWaiting = orderedFrom !== undefined && total === replicas && available < replicas;
  if (!isWaiting || observedGeneration < generation) return undefined;
  const ofOldTemplate = phase === "moved" ? replicas - updated : updated;
  return ofOldTemplate < replicas ? `${name}-${orderedFrom + ofOldTemplate}` : undefined;
}

function describe({ namespace }: Workload, pod: string): string {
  return (
    "Kubernetes replaces no pod of an OrderedReady StatefulSet while one is not Ready, also when its template was put " +
    `back: kubectl -n ${namespace} delete pod ${pod}`
  );
}

/**
 * What a person has to do so that an undo takes effect; undefined when nothing. The broken pod of an OrderedReady StatefulSet
 * must be deleted (kubernetes#67250), and meshroll does not ask for that right.
 */
export function describeStuckUndo({ workload }: JudgedWorkload, phase: Phase): string | undefined {
  const pod = findBlockingPod(workload, phase);
  return pod === undefined ? undefined : describe(workload, pod);
}

/**
 * All workloads that failed, were put back and cannot become Ready by themselves: `undo of KEY` and the sentence for people.
 */
export function listStuckUndoes(
  judged: Iterable<JudgedWorkload>,
  cluster: Pick<ClusterSnapshot, "facts">,
): ReadonlyMap<string, string> {
  const stuck = new Map<string, string>();
  for (const each of judged) {
    if (each.workload.orderedFrom === undefined) continue;
    const { failed, previous } = readAnnotations(each.workload) ?? {};
    if (failed === undefined || previous !== undefined) continue;
    // The owner has deployed since, so what is not Ready is their rollout.
    if (isDeployedSince(each.workload)) continue;
    const why = describeStuckUndo(each, "undone");
    if (why === undefined) continue;
    const obstacle = findRemakeObstacle(each, cluster);
    const text =
      obstacle === undefined ? `${each.key} failed and was put back. ${why}` : printNotRemade(obstacle, each.key);
    stuck.set(`undo of ${each.key}`, text);
  }
  return stuck;
}
