import { findNamed } from "#libs/input";
import { chooseResumed, type StopScope } from "#libs/plan";
import { kubectlStop, nameResume, nameResumeVerb, quoteForShell } from "#libs/wording";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/** A stop in force, with the fields that a resume needs, from the planner's status or the ledger. */
export interface OpenStop {
  readonly id: string;
  readonly scope: StopScope;
  readonly strength: "propose" | "move";
  readonly cause: string;
  readonly who: string;
  readonly why: string;
  /** Of a rollback's hold. */
  readonly rollbackOf?: string;
  /** The command that ends it, where the status has it. */
  readonly command?: string;
}

export type ResumeVerb = "resume" | "unhold";

/** What is to be ended: the stops on a scope, or one record. */
export type ResumeSubject = { readonly scope: StopScope } | { readonly id: string };

/** The command that ends one stop, for copying; for kubectl's it names the cluster. */
export function nameCommand(stop: Pick<OpenStop, "id" | "scope" | "strength" | "rollbackOf">): string {
  const context = findNamed("cluster", stop.scope);
  return nameResume(stop.id === kubectlStop && context !== undefined ? { ...stop, context } : stop);
}

function nameSubject(subject: ResumeSubject): string {
  return "id" in subject ? subject.id : subject.scope;
}

function isNamed(stop: OpenStop, subject: ResumeSubject): boolean {
  return "id" in subject ? stop.id === subject.id : stop.scope === subject.scope;
}

/** kubectl's own stop, which only kubectl removes (rules 7.3). */
function refuseKubectl(stop: OpenStop): Refusal {
  return new Refusal(exitCodes.refused, `the stop on ${stop.scope} is kubectl's: remove it in the cluster`, [
    { command: nameCommand(stop) },
  ]);
}

/** A campaign whose file on main has errors: a merge ends that, no verb. */
function refuseUnread({ scope, why, command = "meshroll validate" }: OpenStop): Refusal {
  return new Refusal(exitCodes.refused, `${scope} is held by main itself: ${why}`, [
    "merge a file that is right, or move it to campaigns/done/; ",
    { command },
    "  shows what is wrong",
  ]);
}

/** A run that moves buckets of several campaigns ends by a rollback, and by no verb that resumes. */
function refuseShared({ scope, why, command = `meshroll rollback ${scope}` }: OpenStop): Refusal {
  return new Refusal(exitCodes.refused, `${scope} is held by main itself: ${why}`, [{ command }]);
}

function refuseOther(verb: ResumeVerb, named: readonly OpenStop[], subject: ResumeSubject): Refusal {
  const other = verb === "resume" ? "unhold" : "resume";
  const kind = verb === "resume" ? "a hold" : "a pause";
  const ids = named.map(({ id }) => id).join(", ");
  const target = "id" in subject ? `--id ${subject.id}` : quoteForShell(subject.scope);
  return new Refusal(exitCodes.invalid, `the active stop on ${nameSubject(subject)} is ${kind}: ${ids}`, [
    { command: `meshroll ${other} ${target} --reason "…"` },
  ]);
}

/**
 * The records that the verb ends; empty when there are none. Refuses with the command that would work. Of several on a scope,
 * those of `who` go first, and meshroll's newest (`chooseResumed`).
 */
export function findResumed(
  verb: ResumeVerb,
  subject: ResumeSubject,
  stops: readonly OpenStop[],
  who: string,
): readonly OpenStop[] {
  const named = stops.filter((stop) => isNamed(stop, subject));
  const kubectls = named.filter(({ id }) => id === "kubectl");
  const unread = named.find(({ cause }) => cause === "unread");
  const shared = named.find(({ cause }) => cause === "severalCampaigns");
  const recorded = named.filter((stop) => !kubectls.includes(stop) && stop !== unread && stop !== shared);
  const resumed = recorded.filter((stop) => nameResumeVerb(stop) === verb);
  if (resumed.length > 0) return verb === "resume" ? chooseResumed(resumed, who) : resumed;
  const [kubectl] = kubectls;
  if (kubectl !== undefined && verb === "resume") throw refuseKubectl(kubectl);
  if (unread !== undefined && recorded.length === 0) throw refuseUnread(unread);
  if (shared !== undefined && recorded.length === 0) throw refuseShared(shared);
  if (recorded.length > 0) throw refuseOther(verb, recorded, subject);
  return [];
}
