import { isManagedNamespace } from "#libs/campaign";
import {
  countSteps,
  isRollingByUs,
  isUnsettledSinceWrite,
  lacksPods,
  type Namespace,
  type NamespaceInventory,
  type ReadAnnotations,
  readMarks,
  type Workload,
} from "#libs/fleet";
import { findSite, isRelabelledFor, listTouched, type Touched } from "#libs/injection";

import { nameWorkload, parseTime } from "../records/index.ts";
import { findNaming } from "./converging.ts";
import { isLeftBehind } from "./judge-campaign.ts";
import { type Case, type JudgeContext, type NamespaceCase, readOrNone } from "./cases/workload-case.ts";
import { chooseState } from "./judge-workload.ts";
import type { Ownership } from "./ownership.ts";
import { chooseTurn } from "./turn.ts";
import { findReadinessTimeout } from "./sail-annotations.ts";
import type { WorkloadState, JudgedWorkload } from "./workload-state.ts";

/** Our annotations, with a refused move added. A rollback's refused write is tried again (rules 2.3). */
function readTold(object: Workload | Namespace, { rollbackSince }: Ownership): ReadAnnotations {
  const marks = rollbackSince === undefined ? readMarks(object) : undefined;
  return marks?.kind === "read" ? marks : readOrNone(object);
}

/** All steps of a move would be over, each at its longest: the workload is no longer waited for. */
function isLongAgo({ workload, cluster, now, ...each }: Case): boolean {
  const limit = (countSteps(workload) + 1) * findReadinessTimeout({ workload, ...each }, each.head, each.owned.run);
  const { written } = workload.times ?? {};
  const { serverAt } = cluster.facts;
  if (written !== undefined && serverAt !== undefined) return serverAt - written >= limit;
  const { failed } = readOrNone(workload);
  return failed !== undefined && now - parseTime(failed.at) >= limit;
}

/** Left as it failed, or unhealthy before its try: it may never settle. */
function maySettleNever({ failed, previous, run }: ReadAnnotations): boolean {
  return previous === undefined ? failed === undefined && run?.unhealthyBefore === true : failed !== undefined;
}

/**
 * A write of ours is still rolling out: a move, an undo, or a move that ended as neither. Present annotations, and whether it
 * is managed, do not matter: it takes its place until its pods have settled.
 */
function isRollingNow(each: Case, state: WorkloadState): boolean {
  if (state.kind === "migrating") return true;
  const marks = readOrNone(each.workload);
  if (maySettleNever(marks)) return false;
  const { failed, run } = marks;
  const isGivenUp = run === undefined || state.kind === "skipped" || state.kind === "unmanaged";
  const isOn = isGivenUp && failed === undefined ? isUnsettledSinceWrite(each.workload) : isRollingByUs(each.workload);
  return isOn && !isLongAgo(each);
}

/** The workloads of a namespace that its label affects and that are not moved. */
export function findTouched(
  { cluster, head, ownerOf }: Pick<JudgeContext, "cluster" | "head" | "ownerOf">,
  inventory: NamespaceInventory,
): readonly Touched[] {
  const target = ownerOf(inventory.namespace.name).desired;
  return listTouched({ inventory, cluster: cluster.facts, target, gateways: head.settings.gateways });
}

/** The facts for judging all workloads of a namespace. */
export function shareCase(context: JudgeContext, namespace: Namespace, touched: readonly Touched[]): NamespaceCase {
  const { cluster, head, now, waitingSince, ownerOf } = context;
  const { name, labels } = namespace;
  const owned = ownerOf(name);
  return {
    cluster,
    head,
    now,
    waitingSince,
    // Without its workloads: a judgement must not depend on them, nor keep them in memory.
    inventory: { namespace },
    owned,
    isManaged: isManagedNamespace(head.settings, name, labels),
    marked: { marks: readTold(namespace, owned), name: `${name}/*`, isNamespace: true },
    bucket: head.resolver.resolve(name).bucket.pattern,
    namespaceBegun: isRelabelledFor(namespace, owned.desired),
    touched,
  };
}

function isNamedByRun({ run }: Ownership, cluster: string, key: string): boolean {
  return run !== undefined && findNaming([run], cluster, key) !== undefined;
}

/** The owning run of this one workload, where converging runs have some of its namespace. */
function chooseOwned(owned: Ownership, cluster: string, key: string): Ownership {
  if (owned.converging === undefined || isNamedByRun(owned, cluster, key)) return owned;
  const run = findNaming(owned.converging, cluster, key);
  return run === undefined ? owned : { desired: owned.desired, run };
}

/** It has neither arrived nor failed: a run that is opened again for others would move it, or name it as skipped once more. */
function isLoose(state: WorkloadState): boolean {
  if (state.kind === "skipped") return state.waited === true || state.reason.code === "Overwritten";
  return state.kind === "pending" || state.kind === "waiting";
}

/** A run that a retry opened again is about what that named, and what is in place. */
function isPassedOver(owned: Ownership, { cluster, key, state }: JudgedWorkload): boolean {
  const { run, rollbackSince } = owned;
  if (run?.reopened !== true || rollbackSince !== undefined) return false;
  return isLoose(state) && !isNamedByRun(owned, cluster, key);
}

/** Judges one workload by the objects, the merged files and the open runs. */
export function judgeOne(
  shared: NamespaceCase,
  workload: Workload,
  key: string = nameWorkload(workload),
  place: number = 0,
): JudgedWorkload {
  const owned = chooseOwned(shared.owned, shared.cluster.name, key);
  const judged = judgeFor(shared, owned, workload, key, place);
  return isPassedOver(owned, judged) ? judgeFor(shared, { desired: owned.desired }, workload, key, place) : judged;
}

function judgeFor(
  shared: NamespaceCase,
  owned: Ownership,
  workload: Workload,
  key: string,
  place: number,
): JudgedWorkload {
  const { cluster, inventory, bucket, namespaceBegun } = shared;
  const site = findSite(inventory.namespace, workload, cluster.facts, owned.desired);
  const each: Case = { ...shared, owned, workload, site, key, own: readTold(workload, owned) };
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
    unavailable: lacksPods(workload),
  };
  if (site.kind === "namespace" && shared.touched.length > 0) judged.touched = shared.touched;
  if (owned.run === undefined || isLeftBehind(owned, state, judged)) return judged;
  judged.run = owned.run;
  if (owned.rollbackSince !== undefined) judged.rollbackSince = owned.rollbackSince;
  else if (owned.isLeftover !== undefined) judged.isLeftover = owned.isLeftover;
  return judged;
}
