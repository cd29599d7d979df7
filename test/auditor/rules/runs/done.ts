import type { AuditedCluster, AuditedCommit, AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { answerOf } from "../../reading/files/assignment.ts";
import { isDone, isOurs } from "../../reading/writes/hands.ts";
import { whyUnmanaged } from "../../reading/writes/managed.ts";
import { findChange, ledgerOf, listMoves } from "../../reading/writes/moves.ts";
import { isReadable } from "../../reading/files/readable.ts";
import { followObjects, nameObject, readNamespace } from "../../reading/writes/replay.ts";
import { listChanges } from "../../reading/main/returns.ts";
import { isSkipped } from "../../reading/files/settings.ts";
import { type Finder, makeRule } from "../rule.ts";
import { isNamed } from "../writes/tries.ts";

/** How long before its record a run may have been seen to be over, ms: the reconcile and the push. */
const seenBeforeMs = 10_000;

/** What a run must have done by its end. */
interface Duty {
  readonly run: AuditedRun;
  readonly commit: AuditedCommit;
  readonly before: AuditedCommit;
  readonly from: number;
  readonly until: number;
  /** Workloads that it listed or moved: they are its own, whatever the files say. */
  readonly keys: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
  /** A retry opened it again: it has to move only what retries named. */
  readonly isReopened: boolean;
}

/** The commit to compare with. A converging run changes no answer, so it is compared with itself. */
function findBefore(
  { main }: Evidence,
  commit: AuditedCommit | undefined,
  { convergesTo }: AuditedRun,
): AuditedCommit | undefined {
  if (commit === undefined || convergesTo !== undefined) return commit;
  const readable = main.filter((each) => isReadable(each));
  return readable[readable.findIndex((each) => each.sha === commit.sha) - 1];
}

function findCommit({ main }: Evidence, { id, convergesTo }: AuditedRun): AuditedCommit | undefined {
  if (convergesTo !== undefined) return main.find(({ sha }) => sha === convergesTo);
  return findChange(listChanges(main), id)?.commit;
}

/** By its last end. */
function describeLast(evidence: Evidence, run: AuditedRun): Duty | undefined {
  const commit = findCommit(evidence, run);
  const before = findBefore(evidence, commit, run);
  const { endedAt } = run;
  if (commit === undefined || before === undefined || endedAt === undefined) return undefined;
  const asked = run.convergesTo === undefined ? [] : Object.keys(run.retried);
  const moved = listMoves(evidence).filter(({ runId, isWorkload }) => isWorkload && runId === run.id);
  return {
    run,
    commit,
    before,
    from: findSeenFrom(evidence, endedAt),
    until: run.endedAtLatest ?? endedAt,
    keys: new Set([...(run.list ?? []), ...asked, ...moved.map(({ key }) => key)]),
    named: new Set([...run.skipped, ...(run.differences ?? [])]),
    isReopened: run.earlierEnds !== undefined,
  };
}

function findSeenFrom({ graceMs = 0 }: Evidence, endedAt: number): number {
  return endedAt - seenBeforeMs - graceMs;
}

/** By its last end; and by its first one, where a retry opened it again after that. */
function describeDuties(evidence: Evidence, run: AuditedRun): readonly Duty[] {
  const last = describeLast(evidence, run);
  const [first] = run.earlierEnds ?? [];
  if (last === undefined) return [];
  if (first === undefined) return [last];
  const named = new Set([...last.named, ...(run.everSkipped ?? [])]);
  const from = findSeenFrom(evidence, first.endedAt);
  return [{ ...last, named, from, until: first.endedAt, isReopened: false }, last];
}

function request({ rollouts, settings }: AuditedCommit, namespace: string): string | undefined {
  return answerOf(rollouts, settings, namespace);
}

/** Main wanted another revision for it by then: it belonged to another run or to none. */
function isTakenOver({ main }: Evidence, { commit, until }: Duty, namespace: string): boolean {
  const later = main.slice(main.indexOf(commit) + 1).filter((each) => each.at <= until);
  return later.some(
    (each) => each.isForced === true || (isReadable(each) && request(each, namespace) !== request(commit, namespace)),
  );
}

/** Every set of revisions that its pods ran while the run was seen to end, and the one just before. */
function listSeen({ pods }: AuditedCluster, path: string, { from, until }: Duty): readonly (readonly string[])[] {
  const own = pods.filter((each) => each.path === path && each.at <= until);
  const first = own.findLastIndex(({ at }) => at <= from);
  return own.slice(Math.max(0, first)).map(({ revisions }) => revisions);
}

/** Created or replaced while the run was seen to end, or deleted by then: it is not judged. */
function isUnsettled({ created, deleted }: AuditedCluster, path: string, { from, until }: Duty): boolean {
  const came = created.some((each) => each.path === path && each.at >= from);
  return came || deleted.some((each) => each.path === path && each.at <= until);
}

/**
 * The cluster was never seen: the run's end does not name it, no run until then opened, saw or expected it, and nothing of ours
 * was written there. A run cannot wait for a cluster that was never there.
 */
function isNeverSeen(evidence: Evidence, { name, writes }: AuditedCluster, { run, until }: Duty): boolean {
  if (run.seen === undefined || writes.some((write) => isOurs(write) && isDone(write) && write.at <= until))
    return false;
  const known = ledgerOf(evidence).runs.filter(({ startedAt = 0 }) => startedAt <= until);
  return !known.some(
    ({ clusters = {}, expected = [], seen = [] }) =>
      Object.hasOwn(clusters, name) || expected.includes(name) || seen.includes(name),
  );
}

/** Main excluded the cluster while the run was seen to end: no run waits for what is in it. */
function wasSkipped({ main }: Evidence, { name }: AuditedCluster, { from, until }: Duty): boolean {
  const since = main.findLastIndex(({ at }) => at <= from);
  return main.some((commit, index) => index >= since && commit.at <= until && isSkipped(commit, name));
}

function judgeOne(cluster: AuditedCluster, path: string, duty: Duty, found: Finder): void {
  const asked = request(duty.commit, readNamespace(path));
  const seen = listSeen(cluster, path, duty);
  found.judge();
  if (seen.length === 0) found.cannotJudge("no pod of the workload was ever seen");
  else if (!seen.some((revisions) => revisions.every((revision) => revision === asked))) {
    const runs = seen.at(-1)?.join(" and ") ?? "";
    const what = `run ${duty.run.id} is done and names no reason, while it runs ${runs} and not ${asked ?? "nothing"}`;
    found.refuse(cluster.name, path, what);
  }
}

/** The run's own workloads: those that it listed or moved, and those whose answer its commit changed. */
function listOwn(evidence: Evidence, cluster: AuditedCluster, duty: Duty): readonly string[] {
  const objectAt = followObjects(cluster);
  objectAt("", Number.POSITIVE_INFINITY);
  const paths = new Set([...cluster.before, ...cluster.created].map(({ path }) => path));
  return [...paths].filter((path) => {
    const object = objectAt(path, Number.POSITIVE_INFINITY);
    const namespace = readNamespace(path);
    const key = nameObject(cluster.name, path);
    if (object?.template === undefined || duty.named.has(key) || whyUnmanaged(path, object) !== undefined) return false;
    if (duty.isReopened && !isNamed(duty.run, { key })) return false;
    const isChanged = request(duty.commit, namespace) !== request(duty.before, namespace);
    const isOwn = duty.keys.has(key) || isChanged;
    return isOwn && !isUnsettled(cluster, path, duty) && !isTakenOver(evidence, duty, namespace);
  });
}

function judgeDuty(evidence: Evidence, duty: Duty, found: Finder): void {
  for (const cluster of evidence.clusters) {
    if (wasSkipped(evidence, cluster, duty)) found.cannotJudge("what a cluster runs that main skipped");
    else if (isNeverSeen(evidence, cluster, duty))
      found.cannotJudge("what a cluster runs that was never seen before its run ended");
    else for (const path of listOwn(evidence, cluster, duty)) judgeOne(cluster, path, duty, found);
  }
}

/** Every workload of a run that is done runs what its commit wants, or is named with a reason. */
export const doneMeansMigrated = makeRule("doneMeansMigrated", (evidence, found) => {
  for (const run of ledgerOf(evidence).runs) {
    if (run.state !== "done" || run.takenOverBy !== undefined) continue;
    const duties = describeDuties(evidence, run);
    if (duties.length === 0) found.cannotJudge("a run that is done, and the evidence does not say when");
    for (const duty of duties) judgeDuty(evidence, duty, found);
  }
});
