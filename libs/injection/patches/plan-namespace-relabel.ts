import { istioKeys, type Namespace, type Previous, type PreviousFields, parseAnnotations } from "#libs/fleet";

import { findOwnWrite } from "../writes/find-own-write.ts";
import { explainUnreadable, type MoveOrder, type Planned } from "../writes/object-change.ts";
import { areMarksPresent, planMarks, readFields } from "./plan-move.ts";

/** `istio-injection` is removed, because Istio reads it before `istio.io/rev`. */
function planLabels(namespace: Namespace, target: string): PreviousFields | undefined {
  const { labels } = namespace;
  const changes = {
    ...(labels[istioKeys.injection] === undefined ? {} : { [istioKeys.injection]: null }),
    ...(labels[istioKeys.revision] === target ? {} : { [istioKeys.revision]: target }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** A second write of the same move keeps the `previous` of the first. */
function findPrevious(namespace: Namespace, changes: PreviousFields, target: string): Previous {
  const state = findOwnWrite(namespace);
  const earlier = state?.run.target === target ? state.previous.labels : undefined;
  return { labels: { ...readFields(namespace.labels, changes), ...earlier } };
}

/** The first write for site `namespace` (rules 5.2): from then on the target injects every new pod in it. */
export function planNamespaceRelabel(namespace: Namespace, order: MoveOrder): Planned {
  const marks = parseAnnotations(namespace);
  if (marks.kind === "unreadable") {
    return { kind: "refused", why: explainUnreadable(marks, `namespace ${namespace.name}`) };
  }
  const labels = planLabels(namespace, order.target);
  const previous = labels === undefined ? undefined : findPrevious(namespace, labels, order.target);
  const annotations = planMarks(marks, order, previous);
  if (labels === undefined && areMarksPresent(namespace.annotations, annotations)) {
    return { kind: "nothing", why: `namespace ${namespace.name} was already labelled for ${order.target}` };
  }
  const { resourceVersion } = namespace;
  return { kind: "write", change: { resourceVersion, annotations, ...(labels === undefined ? {} : { labels }) } };
}
