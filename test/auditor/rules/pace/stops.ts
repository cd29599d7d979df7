import type { AuditedStop, Evidence } from "../../evidence/evidence.ts";
import { ledgerOf, listMoves, type Move } from "../../reading/writes/moves.ts";
import { type Finder, makeRule } from "../rule.ts";

/** What one cluster's ConfigMap asked for holds in that cluster; a stop of any other cause holds in all, whatever it names. */
function isHeldIn({ foundIn, cause }: AuditedStop, cluster: string): boolean {
  return foundIn === undefined || cause !== "cluster" || foundIn === cluster;
}

/** A rollback is held by its own run's stop only, where that came after it and is no proof or rollback of its way forward. */
function covers(stop: AuditedStop, move: Move): boolean {
  const { scope, cause = "" } = stop;
  if (!isHeldIn(stop, move.cluster.name)) return false;
  if (move.way === "rollback") {
    const isProof = cause === "failures" || cause === "gate" || stop.revertTo !== undefined;
    return scope === `run/${move.runId}` && !isProof && stop.at > (move.run?.startedAt ?? 0);
  }
  return coversForward(scope, move);
}

function coversForward(scope: string, { cluster, namespace, bucket, runId, run }: Move): boolean {
  const own = ["all", `cluster/${cluster.name}`, `namespace/${namespace}`, `bucket/${bucket}`];
  return [...own, `run/${runId}`, `campaign/${run?.campaign ?? ""}`].includes(scope);
}

/** So long may a watch need to tell an executor of a ConfigMap, ms. */
const seenAfterMs = 1000;

function judgeKubectl({ graceMs = 0 }: Evidence, move: Move, found: Finder): void {
  const { cluster, at, path } = move;
  for (const stop of cluster.kubectlStops) {
    const { resumedAt = Number.POSITIVE_INFINITY } = stop;
    if (at <= stop.at + graceMs + seenAfterMs || at >= resumedAt) continue;
    found.refuse(cluster.name, path, `moved ${move.way} under the stop kubectl of cluster/${cluster.name}`);
  }
}

/** No forward write of a covered workload between a recorded stop (and what was in the hand then) and its end. */
export const stoppedStands = makeRule("stoppedStands", (evidence, found) => {
  const { graceMs = 0 } = evidence;
  const stops = ledgerOf(evidence).stops.filter(({ strength }) => strength === "move");
  for (const move of listMoves(evidence)) {
    if (move.way === "undo") continue;
    found.judge();
    judgeKubectl(evidence, move, found);
    for (const stop of stops) {
      const { id, scope, at, resumedAt = Number.POSITIVE_INFINITY } = stop;
      if (!covers(stop, move) || move.at <= at + graceMs || move.at >= resumedAt) continue;
      found.refuse(move.cluster.name, move.path, `moved forward under the stop ${id} of ${scope}`);
    }
  }
});
