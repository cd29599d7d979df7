import type { AuditedCluster, Evidence } from "../../evidence/evidence.ts";
import { answerOf, bucketOf } from "../../reading/files/assignment.ts";
import { isReadable } from "../../reading/files/readable.ts";
import { ledgerOf, listMoves, listMovesIn, type Move } from "../../reading/writes/moves.ts";
import { nameObject } from "../../reading/writes/replay.ts";
import { listChanges } from "../../reading/main/returns.ts";
import { makeRule } from "../rule.ts";

/** A rollback leaves a hold, and nothing moves its buckets forward again before that hold ended. */
export const rollbackHolds = makeRule("rollbackHolds", (evidence, found) => {
  const { graceMs = 0 } = evidence;
  const { stops } = ledgerOf(evidence);
  const forward = listMoves(evidence).filter(({ way }) => way === "forward");
  for (const { commit, back } of listChanges(evidence.main)) {
    const id = commit.sha.slice(0, 12);
    const since = (commit.atLatest ?? commit.at) + graceMs;
    for (const move of forward.filter(({ bucket, at }) => back.has(bucket) && at > since)) {
      found.judge();
      const holds = stops.filter(({ scope, rollbackOf }) => scope === `bucket/${move.bucket}` && rollbackOf === id);
      const isResumed =
        holds.length > 0 && holds.every(({ resumedAt }) => resumedAt !== undefined && resumedAt <= move.at);
      if (isResumed) continue;
      found.refuse(move.cluster.name, move.path, `moved forward after the rollback ${id}, whose hold was not ended`);
    }
  }
});

/** Our last write to each object that still exists; objects created again since are left out. */
function listLast(evidence: Evidence, cluster: AuditedCluster): readonly Move[] {
  const last = new Map(listMovesIn(evidence, cluster).map((move) => [move.path, move]));
  const recreated = new Map(cluster.created.map(({ path, version }) => [path, version]));
  return [...last.values()].filter(({ path, write }) => (recreated.get(path) ?? 0) <= write.version);
}

/** Buckets whose last change was a rollback with a run that is done. */
function listRolledBack(evidence: Evidence): ReadonlySet<string> {
  const done = new Set(
    ledgerOf(evidence)
      .runs.filter(({ state }) => state === "done")
      .map(({ id }) => id),
  );
  const rolledBack = new Set<string>();
  for (const { commit, forward, back } of listChanges(evidence.main)) {
    for (const pattern of forward) rolledBack.delete(pattern);
    for (const pattern of back) if (done.has(commit.sha.slice(0, 12))) rolledBack.add(pattern);
  }
  return rolledBack;
}

/** True when the object asks for what main asks: by our last write, or by its owner's after it. */
function isThere({ after: end }: AuditedCluster, { path, after }: Move, asked: string | undefined): boolean {
  const label = end.find((each) => each.path === path)?.template?.labels["istio.io/rev"];
  return asked !== undefined && (after.label === asked || label === asked);
}

/** When a run that set buckets back is done, all its workloads are where main wants them, or named with a reason. */
export const rolledBackAreBack = makeRule("rolledBackAreBack", (evidence, found) => {
  const head = evidence.main.findLast((commit) => isReadable(commit));
  if (head === undefined) return;
  const named = new Set(ledgerOf(evidence).runs.flatMap(({ skipped }) => skipped));
  const back = listRolledBack(evidence);
  for (const cluster of evidence.clusters) {
    for (const move of listLast(evidence, cluster)) {
      const { path, after, isWorkload, namespace } = move;
      if (!isWorkload || after.label === undefined || !back.has(bucketOf(head.rollouts, namespace))) continue;
      found.judge();
      const asked = answerOf(head.rollouts, head.settings, namespace);
      if (isThere(cluster, move, asked) || named.has(nameObject(cluster.name, path))) continue;
      const what = `left on ${after.label} by a rollback that is done, while main asks for ${asked ?? "nothing"}`;
      found.refuse(cluster.name, path, what);
    }
  }
});
