import {
  type ControlPlane,
  type MoveOrder,
  type ObjectChange,
  planMove,
  planNamespaceRelabel,
  planNamespaceRollback,
  type Planned,
  planRollback,
} from "#libs/injection";

import type { JudgedWorkload } from "../workloads/index.ts";

/** The next write for a workload; its namespace's first where the namespace's label decides (rules 5.2). */
export type Write =
  | { readonly kind: "write"; readonly object: "namespace" | "workload"; readonly change: ObjectChange }
  | { readonly kind: "none"; readonly why: string };

/** The purpose of a move. */
export interface MoveFor {
  readonly run: string;
  readonly attempt: number;
  readonly unhealthyBefore: boolean;
}

function toWrite(object: "namespace" | "workload", planned: Planned): Write {
  return planned.kind === "write"
    ? { kind: "write", object, change: planned.change }
    : { kind: "none", why: planned.why };
}

/** The next write of a rollback: exactly the earlier template, where that leads to the target (rules 2.3). */
function planBack(
  { workload, site, inventory, namespaceBegun }: JudgedWorkload,
  order: MoveOrder,
  cluster: ControlPlane,
): Write {
  const { namespace } = inventory;
  if (site.kind === "namespace" && !namespaceBegun) {
    const relabel = planNamespaceRollback(namespace, workload, order, cluster);
    if (relabel.kind !== "nothing") return toWrite("namespace", relabel);
  }
  return toWrite("workload", planRollback(workload, site, order, { namespace, cluster }));
}

/** The next write that moves the workload to its desired revision. Planned again it gives the same template. */
export function planPatch(judged: JudgedWorkload, move: MoveFor, cluster: ControlPlane): Write {
  const { workload, site, desired, inventory, namespaceBegun } = judged;
  const order = { run: move.run, target: desired, attempt: move.attempt };
  if (judged.rollbackSince !== undefined) return planBack(judged, order, cluster);
  if (site.kind === "namespace" && !namespaceBegun) {
    const relabel = planNamespaceRelabel(inventory.namespace, order);
    if (relabel.kind !== "nothing") return toWrite("namespace", relabel);
  }
  const tried = move.unhealthyBefore ? { ...order, unhealthyBefore: true } : order;
  return toWrite("workload", planMove(workload, site, tried));
}
