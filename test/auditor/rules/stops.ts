import type { AuditedStop, Evidence } from "../evidence/evidence.ts";
import { headsAt } from "../reading/heads.ts";
import { findChange, ledgerOf, listMoves, type Move } from "../reading/moves.ts";
import { listChanges } from "../reading/returns.ts";
import { listSetting, listSuperseded } from "../reading/settings.ts";
import { type Finder, makeRule } from "./rule.ts";

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
  const own = ["all", `cluster/${move.cluster.name}`, `namespace/${move.namespace}`, `bucket/${move.bucket}`];
  return [...own, `run/${move.runId}`, `campaign/${move.run?.campaign ?? ""}`].includes(scope);
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

/** No head that an executor may have had then lets the run's campaign go on: its file cannot be read. */
function judgeCampaign(evidence: Evidence, move: Move, found: Finder): void {
  const { campaign = "" } = move.run ?? {};
  const heads = headsAt(evidence, move.at);
  if (move.way !== "forward" || heads.length === 0 || !heads.every(({ held }) => held?.includes(campaign))) return;
  found.refuse(move.cluster.name, move.path, `moved forward while the file of campaign ${campaign} cannot be read`);
}

/** Buckets of the run's commit in which it moves workloads forward, and that another campaign set in the files of that commit. */
function listShared(evidence: Evidence, { runId, run }: Move): ReadonlySet<string> {
  const change = findChange(listChanges(evidence.main), runId);
  if (change === undefined) return new Set();
  const superseded = new Set(listSuperseded(change.commit));
  const isOthers = (name: string): boolean => name !== run?.campaign && !superseded.has(name);
  return new Set([...change.forward].filter((each) => listSetting(change.commit, new Set([each])).some(isOthers)));
}

/** By no head that an executor may have had then did the run's campaign alone set the buckets that it moves. */
function judgeShared(evidence: Evidence, move: Move, found: Finder): void {
  const shared = move.way === "forward" && move.run !== undefined ? listShared(evidence, move) : new Set<string>();
  const heads = shared.size === 0 ? [] : headsAt(evidence, move.at);
  const others = heads.map((head) => listSetting(head, shared).find((name) => name !== move.run?.campaign));
  if (heads.length === 0 || others.includes(undefined)) return;
  found.refuse(move.cluster.name, move.path, `moved forward by a run that moves a bucket of campaign ${others[0]} too`);
}

/** No forward write of a covered workload between a recorded stop (and what was in the hand then) and its lift. */
export const stoppedStands = makeRule("stoppedStands", (evidence, found) => {
  const { graceMs = 0 } = evidence;
  const stops = ledgerOf(evidence).stops.filter(({ strength }) => strength === "move");
  for (const move of listMoves(evidence)) {
    if (move.way === "undo") continue;
    found.judge();
    judgeKubectl(evidence, move, found);
    judgeCampaign(evidence, move, found);
    judgeShared(evidence, move, found);
    for (const stop of stops) {
      const { id, scope, at, resumedAt = Number.POSITIVE_INFINITY } = stop;
      if (!covers(stop, move) || move.at <= at + graceMs || move.at >= resumedAt) continue;
      found.refuse(move.cluster.name, move.path, `moved forward under the stop ${id} of ${scope}`);
    }
  }
});
