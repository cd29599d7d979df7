import type { AuditedStop, Evidence } from "../evidence/evidence.ts";
import { headsAt } from "../reading/heads.ts";
import { ledgerOf, listMoves, type Move } from "../reading/moves.ts";
import { type Finder, makeRule } from "./rule.ts";

/** Campaigns whose pause holds a run. */
function listCampaigns({ run }: Move): readonly string[] {
  return [...(run?.campaign === undefined ? [] : [run.campaign]), ...(run?.beside ?? []).map((each) => each.campaign)];
}

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
  const campaigns = listCampaigns(move).map((name) => `campaign/${name}`);
  const own = ["all", `cluster/${move.cluster.name}`, `namespace/${move.namespace}`, `bucket/${move.bucket}`];
  return [...own, `run/${move.runId}`, ...campaigns].includes(scope);
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

/** No head that an executor may have had then lets the run's campaigns go on: the file of one cannot be read. */
function judgeCampaigns(evidence: Evidence, move: Move, found: Finder): void {
  const names = listCampaigns(move);
  const heads = headsAt(evidence, move.at);
  const held = heads.map((head) => names.find((name) => head.held?.includes(name)));
  if (move.way !== "forward" || heads.length === 0 || held.some((name) => name === undefined)) return;
  found.refuse(move.cluster.name, move.path, `moved forward while the file of campaign ${held[0]} cannot be read`);
}

/** No forward write of a covered workload between a recorded stop (and what was in the hand then) and its lift. */
export const stoppedStands = makeRule("stoppedStands", (evidence, found) => {
  const { graceMs = 0 } = evidence;
  const stops = ledgerOf(evidence).stops.filter(({ strength }) => strength === "move");
  for (const move of listMoves(evidence)) {
    if (move.way === "undo") continue;
    found.judge();
    judgeKubectl(evidence, move, found);
    judgeCampaigns(evidence, move, found);
    for (const stop of stops) {
      const { id, scope, at, resumedAt = Number.POSITIVE_INFINITY } = stop;
      if (!covers(stop, move) || move.at <= at + graceMs || move.at >= resumedAt) continue;
      found.refuse(move.cluster.name, move.path, `moved forward under the stop ${id} of ${scope}`);
    }
  }
});
