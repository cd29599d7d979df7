import type { ApprovalRule } from "#libs/campaign";
import type {
  ApprovalCount,
  ApprovalExemption,
  ApprovalsCheck,
  ApprovalTally,
  ApprovalVotes as Votes,
} from "#libs/wording";

import { type ApprovalDemand, listRules } from "../judging/judge-rules.ts";
import { type Contributors, findContributors } from "./authorship.ts";
import { countVotes, mayWrite } from "./count-votes.ts";
import type { Outgrown } from "./find-outgrown.ts";
import type { FileChange } from "../judging/judge-change.ts";
import type { PullRequestQuestion } from "../judging/pull-request-facts.ts";
import { findOwnStage } from "../judging/judge-stage.ts";

/** Exactly what main's campaign says of a stage that merges itself. */
function exemptStage(question: PullRequestQuestion, change: FileChange): ApprovalExemption | undefined {
  const stage = findOwnStage(question, change);
  if (stage?.settings.autoMerge === undefined) return undefined;
  return { kind: "ownStage", stage: stage.name };
}

/** By where it comes from, whatever it does: a cluster that is not seen now may be moved by it (ADR 63). */
function findExemption(question: PullRequestQuestion, change: FileChange | undefined): ApprovalExemption | undefined {
  if (change === undefined || question.own === undefined) return undefined;
  if (question.own === "stage") return exemptStage(question, change);
  return change.isRollback ? { kind: "rollback" } : undefined;
}

/** Logins differ by case only in writing. */
function isSame(login: string, other: string): boolean {
  return login.toLowerCase() === other.toLowerCase();
}

function belongs(question: PullRequestQuestion, login: string, from: string): boolean {
  const [kind, name = ""] = from.split(/:(.*)/su);
  if (kind === "user") return isSame(name, login);
  return question.teams?.get(name)?.some((member) => isSame(member, login)) === true;
}

/** Everything about a pull request that does not depend on a rule. */
interface Tally {
  readonly question: PullRequestQuestion;
  readonly contributors: Contributors;
  readonly votes: Votes;
}

/** Who opens a pull request agrees to it: that counts where the rule says so and names them, and it is all their own work. */
function listVoters({ question, contributors, votes }: Tally, rule: ApprovalRule): readonly string[] {
  const { author } = question.pull;
  const isAllTheirs = contributors.logins.size === 1 && contributors.gap === undefined;
  const counts = rule.allowAuthor && rule.from.length > 0 && isAllTheirs && mayWrite(question, author);
  return counts ? [author, ...votes.approved] : votes.approved;
}

function countFor(tally: Tally, { rule, cause }: ApprovalDemand): ApprovalCount {
  const { question, contributors } = tally;
  const voters = listVoters(tally, rule);
  const isNamed = (login: string): boolean => rule.from.some((from) => belongs(question, login, from));
  const names = rule.from.length === 0 ? voters : voters.filter(isNamed);
  const teams = rule.from.filter((from) => from.startsWith("team:")).map((from) => from.slice("team:".length));
  const unknown = teams.filter((slug) => question.teams?.get(slug) === undefined);
  // One of those who agreed may have had a part in it: the one more may be anyone who may write.
  const wanted = contributors.gap !== undefined && rule.required > 0 ? rule.required + 1 : rule.required;
  return { rule, names, voters: voters.length, wanted, unknown, cause };
}

function isMet({ rule, names, voters, wanted }: ApprovalCount): boolean {
  return names.length >= rule.required && voters >= wanted;
}

function judgeCounts(tally: ApprovalTally): ApprovalsCheck {
  const missing = tally.counts.find((count) => !isMet(count));
  const shown = missing ?? tally.counts[0];
  return { state: missing === undefined ? "success" : "pending", finding: { kind: "counted", shown, tally } };
}

/**
 * `meshroll/approvals`: people who approved the head as it is, counted by main's own rules, of the stage that the change
 * reaches; returns and recorded heads of stages that merge themselves need none (rules 1.4, 2.2, 10.1).
 */
export function judgeApprovals(
  question: PullRequestQuestion,
  change: FileChange | undefined,
  outgrown: Outgrown = new Map(),
): ApprovalsCheck {
  const exemption = findExemption(question, change);
  const contributors = findContributors(question);
  const votes = countVotes(question, contributors, outgrown);
  const counts = listRules(question, change).map((demand) => countFor({ question, contributors, votes }, demand));
  const { gap } = contributors;
  const tally = { head: question.pull.headSha, votes, counts, ...(gap === undefined ? {} : { gap }) };
  // A reviewer who wants changes counts though a stage merges itself.
  const heedsObjections = exemption === undefined || exemption.kind === "ownStage";
  if (votes.against.length > 0 && heedsObjections) return { state: "failure", finding: { kind: "objections", tally } };
  if (exemption === undefined) return judgeCounts(tally);
  return { state: "success", finding: { kind: "exempt", exemption } };
}
