import { findAge } from "#libs/fleet";
import type { Reason } from "#libs/wording";

import { type ClusterSnapshot, printTime, type RunRecord } from "../../records/index.ts";
import { listForwardBuckets, settingsOf } from "../../main/index.ts";
import { findLastWriteAge } from "./last-writes.ts";
import { type Basis, findReached, type Reached } from "./unmoved.ts";

/**
 * So many of a hundred that a run wanted may be elsewhere once it is over: created late, joined to the mesh, free again. The next
 * run takes them (rules 1.3). More than that no run leaves behind.
 */
const lateShare = 0.1;

/** Clocks of the servers behind one API differ by less, ms. */
const skewMs = 60_000;

function listLeft({ inPlace, unmoved }: Reached): readonly string[] {
  return unmoved.length > lateShare * (inPlace + unmoved.length) ? unmoved : [];
}

/** Workloads that a run left behind, when they are more than come late; those of clusters that joined after it included. */
export function listUnproven(basis: Basis, run: RunRecord): readonly string[] {
  return listLeft(findReached(basis, run, () => false));
}

/**
 * The same without clusters that meshroll has only served since the run wrote for the last time, by the clocks of their API servers:
 * the next run takes what is in them. The ledger's word for when the run was over is not asked.
 */
function listMissed(basis: Basis, run: RunRecord): readonly string[] {
  const left = listUnproven(basis, run);
  const { snapshot, evaluation } = basis;
  const wroteAgo = left.length === 0 ? undefined : findLastWriteAge(evaluation, snapshot.clusters, run.id);
  if (wroteAgo === undefined) return left;
  const isLate = ({ facts: { claimedAt }, serverNow }: ClusterSnapshot): boolean =>
    claimedAt !== undefined && serverNow !== undefined && findAge(claimedAt, serverNow) + skewMs < wroteAgo;
  return listLeft(findReached(basis, run, isLate));
}

/** Healthy time that cannot have been, for the run wrote later; ms until it can. */
function findMissing({ snapshot, evaluation }: Basis, run: RunRecord, healthyMs: number): number {
  const age = healthyMs === 0 ? undefined : findLastWriteAge(evaluation, snapshot.clusters, run.id);
  const missing = age === undefined ? 0 : healthyMs - age;
  return missing > skewMs ? missing : 0;
}

/** What a run that is over needed at the least, by main's word: as it was merged, or as it is now. */
function findNeeded({ snapshot, head }: Basis, run: RunRecord): number {
  const then = snapshot.specs.get(run.commit);
  const needed = settingsOf(head, run).bake;
  return then === undefined ? needed : Math.min(needed, settingsOf(then, run).bake);
}

/**
 * Why a run that the ledger calls over proves nothing: the objects of the fleet say that it is not. Who may push to the ledger's
 * branch could else make the next stage merge itself.
 */
export function findUnprovenEnd(question: Basis, run: RunRecord): Reason | undefined {
  if (run.state === "open" || run.state === "gone" || listForwardBuckets(run).length === 0) return undefined;
  const { id, state } = run;
  const left = listMissed(question, run);
  if (left.length > 0) return { code: "StageUnproven", run: id, state, left };
  const missing = state === "done" ? findMissing(question, run, findNeeded(question, run)) : 0;
  if (missing === 0) return undefined;
  return { code: "StageUnproven", run: id, state, until: printTime(question.snapshot.now + missing) };
}

/** Why the bake of an open run proves nothing yet: the ledger counts more healthy time than went by since its last write. */
export function findUnprovenBake(question: Basis, run: RunRecord): Reason | undefined {
  const missing = findMissing(question, run, run.bake?.healthyMs ?? 0);
  if (missing === 0) return undefined;
  return { code: "BakeUnproven", run: run.id, until: printTime(question.snapshot.now + missing) };
}
