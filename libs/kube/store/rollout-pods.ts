import type { ApiMap, ApiObject } from "../api-types.ts";
import type { Interner } from "../objects/interner.ts";
import type { NamespaceCells } from "../objects/namespace-cells.ts";
import { type Collection, createCollection } from "./collection.ts";

/** Argo Rollouts labels its ReplicaSets and their pods with it, in place of a Deployment's `pod-template-hash`. */
const hashLabel = "rollouts-pod-template-hash";

/** A live pod of an Argo Rollout: its labels, one object for all of one ReplicaSet. */
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

/** The pods by which a Deployment is known whose template a Rollout runs: nothing is written on the Deployment itself. */
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
