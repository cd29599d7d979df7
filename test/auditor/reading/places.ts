import type { AuditedCluster, Evidence } from "../evidence/evidence.ts";
import { mostAllowed, settingsAt } from "./heads.ts";
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

/** When a workload that we wrote then, and that has not settled since, may have given its place up at the earliest. */
function findEarliest(evidence: Evidence, cluster: AuditedCluster, moved: Move, at: number): number {
  if (hasOwnTimeout(cluster, moved)) return moved.at + leastMs;
  const settings = settingsAt(evidence, at, moved.run);
  const timeouts = settings.flat().map(({ readinessMs }) => readinessMs);
  return moved.at + Math.max(leastMs, Math.min(...timeouts) / leastPart);
}

/** How many of a run may be given up as failed while it goes on, in one cluster; a percentage is of no more than all of it. */
function countTolerated(value: unknown, policy: string, managed: number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/u.exec(String(value))?.[1];
  if (percent !== undefined) return Math.floor((Number(percent) * managed) / 100);
  return policy === "ContinueOnError" ? Number.POSITIVE_INFINITY : 0;
}

/**
 * What rolls, and since when it may take no place of the batch any more: it was written long enough ago, and is put back, or goes
 * back, or belongs to a run that goes on though it fails. By path.
 */
export function listGivenPlaces(
  evidence: Evidence,
  cluster: AuditedCluster,
  { move, rolling, moved }: Motion,
): ReadonlyMap<string, number> {
  const given = new Map<string, number>();
  const left = new Map<string, number>();
  for (const path of rolling) {
    const last = moved.get(path);
    const since = last === undefined ? Number.POSITIVE_INFINITY : findEarliest(evidence, cluster, last, move.at);
    if (last === undefined || since > move.at) continue;
    if (last.way === "forward") {
      const settings = settingsAt(evidence, move.at, last.run);
      const most = mostAllowed(settings, (each) =>
        countTolerated(each.maxFailures, each.failurePolicy, cluster.before.length + cluster.created.length),
      );
      const places = left.get(last.runId) ?? most;
      left.set(last.runId, places - 1);
      if (places < 1) continue;
    }
    given.set(path, since);
  }
  return given;
}
