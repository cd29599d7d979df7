import type { AuditedStop, Evidence } from "../../evidence/evidence.ts";
import { ledgerOf, listMoves, type Move } from "../../reading/writes/moves.ts";
import { type Finder, makeRule } from "../rule.ts";

/** A stop by a cluster's ConfigMap applies in that cluster. Any other stop applies in all. */
function isHeldIn({ foundIn, cause }: AuditedStop, cluster: string): boolean {
  return foundIn === undefined || cause !== "cluster" || foundIn === cluster;
}

/**
 * A rollback is stopped only by a later stop of its own run, and not by one for failures, a gate or a rollback, which are about
 * moves forward.
 */
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

/** How long a watch may need to tell an executor of a ConfigMap, ms. */
const seenAfterMs = 1000;

function judgeKubectl({ graceMs = 0 }: Evidence, move: Move, found: Finder): void {
  const { cluster, at, path } = move;
  for (const stop of cluster.kubectlStops) {
    const { resumedAt = Number.POSITIVE_INFINITY } = stop;
    if (at <= stop.at + graceMs + seenAfterMs || at >= resumedAt) continue;
    found.refuse(cluster.name, path, `moved ${move.way} under the stop kubectl of cluster/${cluster.name}`);
  }
}

/** No covered workload moves between a recorded stop (plus the grace period) and its end. */
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
