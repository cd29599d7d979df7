import type { AuditedCluster, Evidence } from "../../evidence/evidence.ts";
import { mostAllowed, settingsAt } from "../../reading/main/heads.ts";
import { whyUnmanaged } from "../../reading/writes/managed.ts";
import { followMotion, type Motion } from "../../reading/writes/moments.ts";
import { makeRule } from "../rule.ts";

/** Workloads in the mesh, deleted ones included: the upper limit of what a percentage is taken of. */
function countManaged({ before, created }: AuditedCluster): number {
  const workloads = [...before, ...created].filter(({ template }) => template !== undefined);
  return new Set(workloads.filter((each) => whyUnmanaged(each.path, each) === undefined).map(({ path }) => path)).size;
}

function readLimit(value: unknown, managed: number): number {
  if (typeof value === "number") return Math.max(1, value);
  const percent = /^(\d+)%$/u.exec(String(value))?.[1];
  if (percent === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor((Number(percent) * managed) / 100));
}

/** How long a workload must lack pods before an executor must have seen it, ms. */
const seenAfterMs = 5000;

/** Workloads that have lacked pods since the run began there or roll because of us; this move's own counts once. */
function countMissing(evidence: Evidence, cluster: AuditedCluster, { move, rolling, unavailable }: Motion): number {
  const opened = move.run?.clusters?.[cluster.name] ?? 0;
  const seenBy = move.at - (evidence.graceMs ?? 0) - seenAfterMs;
  const managed = new Map([...cluster.before, ...cluster.created].map((each) => [each.path, each]));
  const others = [...unavailable].filter(([path, since]) => {
    const isManaged = whyUnmanaged(path, managed.get(path)) === undefined;
    return path !== move.path && isManaged && since > opened && since <= seenBy;
  });
  return new Set([...rolling, ...others.map(([path]) => path)]).size + 1;
}

/** At each move forward, no more workloads lack pods than maxUnavailable, this one included. */
export const withinBudget = makeRule("withinBudget", (evidence, found) => {
  for (const cluster of evidence.clusters) {
    const managed = countManaged(cluster);
    for (const motion of followMotion(evidence, cluster)) {
      const { move } = motion;
      if (move.way !== "forward") continue;
      found.judge();
      const settings = settingsAt(evidence, move.at, move.run);
      const limit = mostAllowed(settings, (each) => readLimit(each.maxUnavailable, managed));
      const missing = limit === Number.POSITIVE_INFINITY ? 0 : countMissing(evidence, cluster, motion);
      if (missing <= limit) continue;
      found.refuse(cluster.name, move.path, `${missing} workloads are unavailable at once, maxUnavailable is ${limit}`);
    }
  }
});
