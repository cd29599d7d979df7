import { isManagedNamespace } from "#libs/campaign";
import { isRollingByUs, type Namespace, type NamespaceInventory, type Workload } from "#libs/fleet";
import { findOwnWrite, findSite, isRelabelledFor, listTouched, type Touched } from "#libs/injection";

import { nameWorkload, parseTime } from "../records/index.ts";
import { isUnavailable } from "./availability.ts";
import { findNaming } from "./converging.ts";
import { isLeftBehind } from "./judge-campaign.ts";
import { type Case, chooseState, type JudgeContext, type NamespaceCase, readOrNone } from "./judge-workload.ts";
import type { Ownership } from "./ownership.ts";
import { chooseTurn } from "./turn.ts";
import { findReadinessTimeout } from "./sail-annotations.ts";
import type { WorkloadState, JudgedWorkload } from "./workload-state.ts";

/** A write of ours is still going through: a move that a run wants, or an undo, which gets no longer than a move. */
function isRollingNow(each: Case, state: WorkloadState): boolean {
  if (state.kind === "unmanaged") return false;
  if (state.kind === "migrating") return true;
  if (!isRollingByUs(each.workload)) return false;
  const { failed, previous, run } = readOrNone(each.workload.annotations);
  // Where another manager changed what we wrote, it is their rollout: it may never end, and must not take our places.
  if (previous !== undefined) return failed === undefined && findOwnWrite(each.workload) !== undefined;
  // A workload that was unhealthy before its try may never settle after it, either: it is not waited for.
  if (failed === undefined) return run?.unhealthyBefore !== true;
  return each.now - parseTime(failed.at) < findReadinessTimeout(each, each.head, each.owned.run);
}

/** Who of a namespace its label touches and no run moves, towards what main wants of it. */
export function findTouched(
  { cluster, head, ownerOf }: Pick<JudgeContext, "cluster" | "head" | "ownerOf">,
  inventory: NamespaceInventory,
): readonly Touched[] {
  const target = ownerOf(inventory.namespace.name).desired;
  return listTouched({ inventory, cluster: cluster.facts, target, gateways: head.settings.gateways });
}

/** What is judged once for all workloads of a namespace. */
export function shareCase(context: JudgeContext, namespace: Namespace, touched: readonly Touched[]): NamespaceCase {
  const { cluster, head, now, waitingSince, ownerOf } = context;
  const { name, labels, annotations } = namespace;
  const owned = ownerOf(name);
  return {
    cluster,
    head,
    now,
    waitingSince,
    // Not the workloads next to it: a judgement must not rest on them, nor keep them when they are others.
    inventory: { namespace },
    owned,
    isManaged: isManagedNamespace(head.settings, name, labels),
    marked: { marks: readOrNone(annotations), name: `${name}/*`, isNamespace: true },
    bucket: head.resolver.resolve(name).bucket.pattern,
    namespaceBegun: isRelabelledFor(namespace, owned.desired),
    touched,
  };
}

/** Whose this one workload is, where converging runs have some of its namespace. */
function chooseOwned(owned: Ownership, cluster: string, key: string): Ownership {
  const run = owned.converging === undefined ? undefined : findNaming(owned.converging, cluster, key);
  return run === undefined ? owned : { desired: owned.desired, run };
}

/** Where one workload of it stands, by the objects, the merged files and the runs that are open. */
export function judgeOne(
  shared: NamespaceCase,
  workload: Workload,
  key: string = nameWorkload(workload),
  place: number = 0,
): JudgedWorkload {
  const { cluster, inventory, bucket, namespaceBegun } = shared;
  const owned = chooseOwned(shared.owned, cluster.name, key);
  const site = findSite(inventory.namespace, workload, cluster.facts, owned.desired);
  const each: Case = { ...shared, owned, workload, site, key };
  const state = chooseState(each);
  const judged: { -readonly [K in keyof JudgedWorkload]: JudgedWorkload[K] } = {
    cluster: cluster.name,
    inventory,
    workload,
    key,
    desired: owned.desired,
    turn: chooseTurn(place),
    bucket,
    site,
    namespaceBegun,
    state,
    rolling: isRollingNow(each, state),
    unavailable: isUnavailable(workload),
  };
  if (site.kind === "namespace" && shared.touched.length > 0) judged.touched = shared.touched;
  if (owned.run === undefined || isLeftBehind(owned, state, judged)) return judged;
  judged.run = owned.run;
  if (owned.rollbackSince !== undefined) judged.rollbackSince = owned.rollbackSince;
  else if (owned.isLeftover !== undefined) judged.isLeftover = owned.isLeftover;
  return judged;
}
