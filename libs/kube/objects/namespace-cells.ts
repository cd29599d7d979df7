import type { Namespace, NamespaceInventory, TemplateFacts, Workload, WorkloadRef, WriteRefusal } from "#libs/fleet";

import type { ApiMap } from "../api-types.ts";
import {
  type Budget,
  buildWorkload,
  createWorkloadCell,
  describeTemplate,
  type UsualImageOf,
  type WorkloadCell,
} from "./workload-cell.ts";
import type { FindAdmitted } from "../port.ts";
import { countOther, describeOthers, type OtherCell } from "./pods/other-pods.ts";
import type { ProxyPod } from "./project-pod.ts";

/** What is known of one namespace. Its workloads may be seen before the namespace object. */
interface NamespaceCell {
  facts: Namespace | undefined;
  /** Of the namespace object itself. */
  refused: WriteRefusal | undefined;
  /** As in `Neighbours`. */
  findAdmitted: FindAdmitted | undefined;
  readonly workloads: Map<string, WorkloadCell>;
  readonly budgets: Map<string, Budget>;
  /** Pods that belong to none of the workloads. */
  readonly others: Map<string, OtherCell>;
  /** Labels of live pods of Argo Rollouts, and how many have them: one object for each ReplicaSet. */
  readonly rollouts: Map<ApiMap, number>;
  /** Cells in order; cleared when one is added or removed. */
  order: readonly WorkloadCell[] | undefined;
  built: NamespaceInventory | undefined;
}

/** The cluster's namespaces, rebuilt only where something changed and only when it is read. */
export interface NamespaceCells {
  readonly namespaces: ReadonlyMap<string, NamespaceInventory>;
  /** Of a workload that is there; `key` is its kind and name. */
  templateOf(namespace: string, key: string): TemplateFacts;
  putNamespace(name: string, facts: Namespace | undefined): void;
  putBudget(budget: Budget, stands: boolean): void;
  /** Adds (+1) or takes away (-1) a pod that counts for no workload. */
  putOther(pod: ProxyPod, by: 1 | -1): void;
  /** One pod of an Argo Rollout more (+1) or less (-1). */
  countRollout(namespace: string, labels: ApiMap, by: 1 | -1): void;
  /** The cell of a workload, made when it is new. */
  reach(namespace: string, key: string): WorkloadCell;
  /** The workload changed: its namespace will be rebuilt. An empty cell is dropped. */
  touch(cell: WorkloadCell): void;
  /** Records the API server's refusal of our last write to a workload or to the namespace; undefined = the write succeeded. */
  noteRefusal(object: WorkloadRef | string, refusal: WriteRefusal | undefined): void;
  /** What the admission policies give new pods of the namespace; undefined = nothing, or it is not known. */
  noteAdmission(namespace: string, findAdmitted: FindAdmitted | undefined): void;
  /** The usual image of a revision changed: rebuilds namespaces with pods of that revision. */
  rebuildPodsOf(revision: string): void;
}

/** `readAt` tells the greatest resourceVersion seen; `changed` is called with each namespace that changed. */
export function createNamespaceCells(
  readAt: () => string,
  changed: (namespace: string) => void,
  usualImageOf: UsualImageOf,
): NamespaceCells {
  const cells = new Map<string, NamespaceCell>();
  const known = new Map<string, NamespaceCell>();
  const reachNamespace = (name: string) => {
    const cell = cells.get(name) ?? createCell();
    cells.set(name, cell);
    return cell;
  };
  const mark = (name: string, cell: NamespaceCell) => {
    cell.built = undefined;
    if (cell.facts !== undefined) changed(name);
    else if (isEmpty(cell)) cells.delete(name);
  };
  return {
    namespaces: createLazyMap(known, (cell) => buildInventory(cell, readAt, usualImageOf)),
    templateOf: (namespace, key) => {
      const cell = cells.get(namespace)?.workloads.get(key);
      return cell === undefined ? {} : describeTemplate(cell);
    },
    putNamespace: (name, facts) => {
      const cell = reachNamespace(name);
      const stood = cell.facts !== undefined;
      if (cell.facts?.uid !== facts?.uid) [cell.refused, cell.findAdmitted] = [undefined, undefined];
      // Its labels decide which of its pods the policies change.
      if (cell.findAdmitted !== undefined) for (const workload of cell.workloads.values()) workload.built = undefined;
      cell.facts = facts;
      if (facts === undefined) known.delete(name);
      else known.set(name, cell);
      mark(name, cell);
      if (stood && facts === undefined) changed(name);
    },
    putBudget: (budget, stands) => {
      const cell = reachNamespace(budget.namespace);
      if (stands) cell.budgets.set(budget.name, budget);
      else cell.budgets.delete(budget.name);
      for (const workload of cell.workloads.values()) workload.built = undefined;
      mark(budget.namespace, cell);
    },
    putOther: (pod, by) => {
      const cell = reachNamespace(pod.namespace);
      countOther(cell.others, pod, by);
      mark(pod.namespace, cell);
    },
    countRollout: (namespace, labels, by) => {
      const cell = reachNamespace(namespace);
      const before = cell.rollouts.get(labels) ?? 0;
      if (before + by > 0) cell.rollouts.set(labels, before + by);
      else cell.rollouts.delete(labels);
      if (before > 0 && before + by > 0) return;
      for (const workload of cell.workloads.values()) workload.built = undefined;
      mark(namespace, cell);
    },
    reach: (namespace, key) => {
      const cell = reachNamespace(namespace);
      const workload = cell.workloads.get(key) ?? createWorkloadCell(namespace, key);
      if (!cell.workloads.has(key)) cell.order = undefined;
      cell.workloads.set(key, workload);
      return workload;
    },
    rebuildPodsOf: (revision) => {
      for (const [name, cell] of cells) {
        const affected = [...cell.workloads.values()].filter(({ groups }) =>
          groups.some((group) => group.revision === revision),
        );
        for (const workload of affected) workload.built = undefined;
        if (affected.length > 0) mark(name, cell);
      }
    },
    touch: (workload) => {
      const cell = reachNamespace(workload.namespace);
      workload.built = undefined;
      if (workload.record === undefined && workload.groups.length === 0) {
        cell.workloads.delete(workload.key);
        cell.order = undefined;
      }
      mark(workload.namespace, cell);
    },
    noteAdmission: (name, findAdmitted) => {
      const cell = cells.get(name);
      if (cell === undefined || cell.findAdmitted === findAdmitted) return;
      cell.findAdmitted = findAdmitted;
      for (const workload of cell.workloads.values()) workload.built = undefined;
      mark(name, cell);
    },
    noteRefusal: (object, refusal) => {
      const name = typeof object === "string" ? object : object.namespace;
      const cell = cells.get(name);
      const about = typeof object === "string" ? cell : cell?.workloads.get(`${object.kind}/${object.name}`);
      if (cell === undefined || about === undefined || (about.refused === undefined && refusal === undefined)) return;
      about.refused = refusal;
      if (about !== cell) about.built = undefined;
      mark(name, cell);
    },
  };
}

function createCell(): NamespaceCell {
  const maps = { workloads: new Map(), budgets: new Map(), others: new Map(), rollouts: new Map() };
  return { facts: undefined, refused: undefined, findAdmitted: undefined, ...maps, order: undefined, built: undefined };
}

function isEmpty({ workloads, budgets, others, rollouts }: NamespaceCell): boolean {
  return workloads.size + budgets.size + others.size + rollouts.size === 0;
}

function buildInventory(
  cell: NamespaceCell,
  readAt: () => string,
  usualImageOf: UsualImageOf,
): NamespaceInventory | undefined {
  if (cell.built !== undefined || cell.facts === undefined) return cell.built;
  // The key begins with the kind: by kind, then name.
  cell.order ??= [...cell.workloads.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const workloads = cell.order
    .map((workload) => buildWorkload(workload, cell, usualImageOf))
    .filter((workload): workload is Workload => workload !== undefined);
  const { facts, refused } = cell;
  const namespace = refused === undefined ? facts : { ...facts, refused };
  const others = describeOthers(cell.others.values(), cell.order);
  cell.built = { namespace, workloads, ...(others.length === 0 ? {} : { others }), readAt: readAt() };
  return cell.built;
}

/** A map whose values are made when they are requested. */
function createLazyMap<Cell, Value>(
  cells: ReadonlyMap<string, Cell>,
  build: (cell: Cell) => Value | undefined,
): ReadonlyMap<string, Value> {
  const get = (name: string) => {
    const cell = cells.get(name);
    return cell === undefined ? undefined : build(cell);
  };
  function* entries(): MapIterator<[string, Value]> {
    for (const [name, cell] of cells) {
      const value = build(cell);
      if (value !== undefined) yield [name, value];
    }
  }
  function* values(): MapIterator<Value> {
    for (const [, value] of entries()) yield value;
  }
  const map: ReadonlyMap<string, Value> = {
    get size() {
      return cells.size;
    },
    get,
    has: (name) => cells.has(name),
    keys: () => cells.keys(),
    values,
    entries,
    [Symbol.iterator]: entries,
    forEach: (visit) => {
      for (const [name, value] of entries()) visit(value, name, map);
    },
  };
  return map;
}
