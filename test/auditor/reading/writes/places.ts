import type { AuditedCluster, Evidence } from "../../evidence/evidence.ts";
import { mostAllowed, settingsAt } from "../main/heads.ts";
import type { Motion } from "./moments.ts";
import type { Move } from "./moves.ts";

/**
 * The least time for which a workload keeps its place of the batch, ms; and the part of `readinessTimeout` that it is
 * otherwise.
 */
const [leastMs, leastPart] = [10_000, 20];
const ownTimeout = /\/readiness-timeout$/u;

/** True where the owner set another timeout on the workload or its namespace. */
function hasOwnTimeout({ before, created }: AuditedCluster, { path }: Move): boolean {
  const ofNamespace = path
    .replace(/^\/apis\/[^/]+\/v1\//u, "/api/v1/")
    .split("/")
    .slice(0, 5)
    .join("/");
  const objects = [...before, ...created].filter((each) => each.path === path || each.path === ofNamespace);
  return objects.some(({ annotations }) => Object.keys(annotations).some((key) => ownTimeout.test(key)));
}

/** The least time for which a workload keeps its place of the batch without progress, ms. */
function findShare(evidence: Evidence, cluster: AuditedCluster, moved: Move, at: number): number {
  if (hasOwnTimeout(cluster, moved)) return leastMs;
  return Math.max(leastMs, findTimeout(evidence, cluster, moved, at) / leastPart);
}

/** The least time after which a workload without progress fails, or is not waited for, ms. */
function findTimeout(evidence: Evidence, cluster: AuditedCluster, moved: Move, at: number): number {
  if (hasOwnTimeout(cluster, moved)) return leastMs;
  return Math.min(...settingsAt(evidence, at, moved.run).map(({ readinessMs }) => readinessMs));
}

/**
 * How many workloads of a run may fail in one cluster while it goes on. A percentage is taken of all workloads, which is the
 * upper limit.
 */
function countTolerated(value: unknown, policy: string, managed: number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/u.exec(String(value))?.[1];
  if (percent !== undefined) return Math.floor((Number(percent) * managed) / 100);
  return policy === "ContinueOnError" ? Number.POSITIVE_INFINITY : 0;
}

/** How many workloads of that move's run may give up their places at once. */
function countPlaces(evidence: Evidence, cluster: AuditedCluster, moved: Move, at: number): number {
  const managed = cluster.before.length + cluster.created.length;
  return mostAllowed(settingsAt(evidence, at, moved.run), (each) =>
    countTolerated(each.maxFailures, each.failurePolicy, managed),
  );
}

/**
 * Since when each settled workload takes no place: when it settled, or earlier, when it had not changed for its share of time.
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
 * Rolling workloads that may have given up their place of the batch, and since when, by path. Their last write must be older
 * than their share of time, and it must be an undo, a rollback, a move of a run that goes on after failures, or one that did
 * not progress for as long as a move may take.
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
 * Undone workloads that need not delay the next batch, and since when, by path: they had their share of time before the undo,
 * and their run goes on after failures.
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
