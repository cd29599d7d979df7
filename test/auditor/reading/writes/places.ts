import type { AuditedCluster, Evidence } from "../../evidence/evidence.ts";
import { mostAllowed, settingsAt } from "../main/heads.ts";
import type { Motion } from "./moments.ts";
import type { Move } from "./moves.ts";

/** A workload keeps its place of the batch for so long at the least, ms, and for this part of `readinessTimeout`. */
const [leastMs, leastPart] = [10_000, 20];
const ownTimeout = /\/readiness-timeout$/u;

/** Its owner may give it another time than the files do, on itself or on its namespace. */
function hasOwnTimeout({ before, created }: AuditedCluster, { path }: Move): boolean {
  const ofNamespace = path.replace("/apis/apps/v1/", "/api/v1/").split("/").slice(0, 5).join("/");
  const objects = [...before, ...created].filter((each) => each.path === path || each.path === ofNamespace);
  return objects.some(({ annotations }) => Object.keys(annotations).some((key) => ownTimeout.test(key)));
}

/** How long a workload that we wrote so keeps its place without progress at the least, ms. */
function findShare(evidence: Evidence, cluster: AuditedCluster, moved: Move, at: number): number {
  if (hasOwnTimeout(cluster, moved)) return leastMs;
  return Math.max(leastMs, findTimeout(evidence, cluster, moved, at) / leastPart);
}

/** How long a step of a workload's move may take at the least, ms: without progress for so long it fails, or is not waited for. */
function findTimeout(evidence: Evidence, cluster: AuditedCluster, moved: Move, at: number): number {
  if (hasOwnTimeout(cluster, moved)) return leastMs;
  return Math.min(...settingsAt(evidence, at, moved.run).map(({ readinessMs }) => readinessMs));
}

/** How many of a run may be given up as failed while it goes on, in one cluster; a percentage is of no more than all of it. */
function countTolerated(value: unknown, policy: string, managed: number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/u.exec(String(value))?.[1];
  if (percent !== undefined) return Math.floor((Number(percent) * managed) / 100);
  return policy === "ContinueOnError" ? Number.POSITIVE_INFINITY : 0;
}

/** How many workloads of that move's run may give their places up at once. */
function countPlaces(evidence: Evidence, cluster: AuditedCluster, moved: Move, at: number): number {
  const managed = cluster.before.length + cluster.created.length;
  return mostAllowed(settingsAt(evidence, at, moved.run), (each) =>
    countTolerated(each.maxFailures, each.failurePolicy, managed),
  );
}

/**
 * Since when each that rolls no more takes no place: when it came to rest, or before, when it had not changed for its share of
 * time and gave its place up.
 */
export function listRests(
  evidence: Evidence,
  cluster: AuditedCluster,
  { move, restedAt, moved, changedBefore }: Motion,
): ReadonlyMap<string, number> {
  const rests = new Map(restedAt);
  for (const [path, at] of restedAt) {
    const last = moved.get(path);
    const changed = changedBefore.get(path);
    if (last === undefined || changed === undefined) continue;
    if (last.way === "forward" && countPlaces(evidence, cluster, last, move.at) < 1) continue;
    rests.set(path, Math.min(at, changed + findShare(evidence, cluster, last, move.at)));
  }
  return rests;
}

/**
 * What rolls, and since when it may take no place of the batch any more: it was written long enough ago, and is put back, or goes
 * back, or belongs to a run that goes on though it fails, or nothing of it changed for as long as a move may take. By path.
 */
export function listGivenPlaces(
  evidence: Evidence,
  cluster: AuditedCluster,
  { move, rolling, moved, changedAt }: Motion,
): ReadonlyMap<string, number> {
  const given = new Map<string, number>();
  const left = new Map<string, number>();
  for (const path of rolling) {
    const last = moved.get(path);
    if (last === undefined) continue;
    const since = last.at + findShare(evidence, cluster, last, move.at);
    if (since > move.at) continue;
    if (last.way === "forward") {
      const places = left.get(last.runId) ?? countPlaces(evidence, cluster, last, move.at);
      left.set(last.runId, places - 1);
      const unchanged = (changedAt.get(path) ?? last.at) + findTimeout(evidence, cluster, last, move.at);
      if (places < 1) {
        if (unchanged <= move.at) given.set(path, unchanged);
        continue;
      }
    }
    given.set(path, since);
  }
  return given;
}

/**
 * Since when each that was put back may begin no delay, by path: it had had its share of time before it was put back, and its run
 * goes on though it fails.
 */
export function listUndone(
  evidence: Evidence,
  cluster: AuditedCluster,
  { move, moved, undid }: Motion,
): ReadonlyMap<string, number> {
  const undone = new Map<string, number>();
  for (const [path, before] of undid) {
    const since = before.at + findShare(evidence, cluster, before, before.at);
    const mayGive = before.way !== "forward" || countPlaces(evidence, cluster, before, move.at) > 0;
    if (mayGive && since <= (moved.get(path)?.at ?? 0)) undone.set(path, since);
  }
  return undone;
}
