import type { Namespace, Workload } from "#libs/fleet";
import { type Batch, type BatchItem, planPatch, type Evaluation, type JudgedWorkload } from "#libs/plan";

import { changeNamespace, writeWorkload, type Written } from "../cluster/change-object.ts";
import type { SimulatedCluster } from "../cluster/simulated-cluster.ts";

/** A workload, and its fields after the executor's patch. */
interface PatchedWorkload {
  /** `namespace/Kind/name`. */
  readonly key: string;
  readonly before: Workload;
  readonly written: Written;
  readonly item: BatchItem;
}

/** The workloads of a batch after their patches, and the namespaces whose label was changed. */
export interface Patched {
  readonly workloads: PatchedWorkload[];
  readonly namespaces: Map<string, Namespace>;
}

type Judged = NonNullable<ReturnType<Evaluation["judged"]["get"]>>;

/** Judged workloads and items are both sorted by their keys, so the next one is searched for first. */
function findPlace(states: readonly JudgedWorkload[], { name, kind }: BatchItem, from: number): number {
  const isIt = ({ workload }: JudgedWorkload) => workload.name === name && workload.kind === kind;
  const next = states[from];
  return next !== undefined && isIt(next) ? from : states.findIndex(isIt);
}

/** Writes as the executor does: first the namespace where its label decides, then the workload. */
function patchOne(
  cluster: SimulatedCluster,
  run: string,
  item: BatchItem,
  state: JudgedWorkload,
  patched: Patched,
): void {
  const { namespace: name, attempt, unhealthyBefore } = item;
  const changed = patched.namespaces.get(name);
  const seen = changed === undefined ? state : { ...state, inventory: { namespace: changed }, namespaceBegun: true };
  const write = planPatch(seen, { run, attempt, unhealthyBefore }, cluster.facts);
  if (write.kind === "none") return;
  if (write.object === "workload") {
    const { key, workload: before } = state;
    patched.workloads.push({ key, before, written: writeWorkload(before, write.change, cluster.pool), item });
    return;
  }
  patched.namespaces.set(name, changeNamespace(seen.inventory.namespace, write.change, cluster.pool));
  patchOne(cluster, run, item, state, patched);
}

/** The executor's writes for a batch, from these judged workloads. */
export function patchBatch(cluster: SimulatedCluster, batch: Batch, judged: Judged): Patched {
  const patched: Patched = { workloads: [], namespaces: new Map() };
  let namespace: string | undefined;
  let states: readonly JudgedWorkload[] = [];
  let from = 0;
  for (const item of batch.items) {
    if (item.namespace !== namespace) [namespace, states, from] = [item.namespace, judged.judge(item.namespace), 0];
    const place = findPlace(states, item, from);
    const state = states[place];
    if (state === undefined) continue;
    patchOne(cluster, batch.run, item, state, patched);
    from = place + 1;
  }
  return patched;
}
