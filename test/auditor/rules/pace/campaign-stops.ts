import type { AuditedCommit, Evidence } from "../../evidence/evidence.ts";
import { headsAt } from "../../reading/main/heads.ts";
import { findChange, type Move } from "../../reading/writes/moves.ts";
import { type Change, listChanges } from "../../reading/main/returns.ts";
import { listDistributions } from "../../reading/files/assignment.ts";
import { listSetting } from "../../reading/files/settings.ts";
import type { Finder } from "../rule.ts";

/** No head that an executor may have had then lets the run's campaign go on: its file cannot be read. */
export function judgeCampaign(evidence: Evidence, move: Move, found: Finder): void {
  const { campaign = "" } = move.run ?? {};
  const heads = headsAt(evidence, move.at);
  if (move.way !== "forward" || heads.length === 0 || !heads.every(({ held }) => held?.includes(campaign))) return;
  found.refuse(move.cluster.name, move.path, `moved forward while the file of campaign ${campaign} cannot be read`);
}

/** Buckets of a run's commit in which it moves workloads forward, and that another campaign set in the files of that commit. */
function listShared({ commit, forward }: Change, { run }: Move): readonly string[] {
  const isOthers = (name: string): boolean => name !== run?.campaign;
  return [...forward].filter((each) => listSetting(commit, new Set([each])).some(isOthers));
}

/** Those that a later head says the same of: what main changed since is not the run's any more. */
function keepUnchanged(buckets: readonly string[], then: AuditedCommit, head: AuditedCommit): ReadonlySet<string> {
  const [had, has] = [listDistributions(then.rollouts), listDistributions(head.rollouts)];
  return new Set(buckets.filter((each) => had.get(each) === has.get(each)));
}

/** By no head that an executor may have had then did the run's campaign alone set the buckets that it moves. */
export function judgeShared(evidence: Evidence, move: Move, found: Finder): void {
  const change = findChange(listChanges(evidence.main), move.runId);
  if (change === undefined || move.way !== "forward" || move.run === undefined) return;
  const shared = listShared(change, move);
  const heads = shared.length === 0 ? [] : headsAt(evidence, move.at);
  const others = heads.map((head) => {
    const kept = keepUnchanged(shared, change.commit, head);
    return listSetting(head, kept).find((name) => name !== move.run?.campaign);
  });
  if (heads.length === 0 || others.includes(undefined)) return;
  found.refuse(move.cluster.name, move.path, `moved forward by a run that moves a bucket of campaign ${others[0]} too`);
}
