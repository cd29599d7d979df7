import type { ApiMap, ApiObject } from "../api-types.ts";
import type { Interner } from "../objects/interner.ts";
import type { NamespaceCells } from "../objects/namespace-cells.ts";
import { type Collection, createCollection } from "./collection.ts";

/** Argo Rollouts sets this label on ReplicaSets and their pods, in place of `pod-template-hash`. */
const hashLabel = "rollouts-pod-template-hash";

/** A live pod of an Argo Rollout. Pods of one ReplicaSet share one object of labels. */
interface RolloutPod {
  readonly namespace: string;
  readonly labels: ApiMap;
}

function projectRolloutPod({ metadata = {}, status = {} }: ApiObject, interner: Interner): RolloutPod | undefined {
  const { namespace, labels = {}, deletionTimestamp } = metadata;
  const isOver = status.phase === "Succeeded" || status.phase === "Failed" || deletionTimestamp !== undefined;
  if (namespace === undefined || isOver || labels[hashLabel] === undefined) return undefined;
  return { namespace, labels: interner.map(labels, () => true) };
}

/**
 * The pods of Argo Rollouts, which show the template of a Deployment that a Rollout refers to; the Deployment itself does not.
 */
export function createRolloutPods(cells: NamespaceCells, interner: Interner): Collection<RolloutPod> {
  return createCollection<RolloutPod>({
    keyOf: ({ metadata }) => metadata?.uid ?? "",
    project: (object) => projectRolloutPod(object, interner),
    changed: (next, before) => {
      if (next?.labels === before?.labels) return;
      if (next !== undefined) cells.countRollout(next.namespace, next.labels, 1);
      if (before !== undefined) cells.countRollout(before.namespace, before.labels, -1);
    },
  });
}
