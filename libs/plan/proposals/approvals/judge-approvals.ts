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

/** No approvals are needed for exactly the changes of a stage with automatic merges. */
function exemptStage(question: PullRequestQuestion, change: FileChange): ApprovalExemption | undefined {
  const stage = findOwnStage(question, change);
  if (stage?.settings.autoMerge === undefined) return undefined;
  return { kind: "ownStage", stage: stage.name };
}

/**
 * Why no approvals are needed; undefined when they are. A rollback by meshroll needs none whatever it moves, because an unseen
 * cluster cannot show what it moves there (ADR 63).
 */
function findExemption(question: PullRequestQuestion, change: FileChange | undefined): ApprovalExemption | undefined {
  if (change === undefined || question.own === undefined) return undefined;
  if (question.own === "stage") return exemptStage(question, change);
  return change.isRollback ? { kind: "rollback" } : undefined;
}

/** Logins are compared without case. */
function isSame(login: string, other: string): boolean {
  return login.toLowerCase() === other.toLowerCase();
}

function belongs(question: PullRequestQuestion, login: string, from: string): boolean {
  const [kind, name = ""] = from.split(/:(.*)/su);
  if (kind === "user") return isSame(name, login);
  return question.teams?.get(name)?.some((member) => isSame(member, login)) === true;
}

/** The facts about a pull request that are the same for all rules. */
interface Tally {
  readonly question: PullRequestQuestion;
  readonly contributors: Contributors;
  readonly votes: Votes;
}

/**
 * The accounts whose approval counts for a rule. Opening a pull request counts as approval where the rule allows authors and
 * names accounts, and the author made all of its commits.
 */
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
  // With an unknown contributor one of the voters may have taken part, so one more is needed; that one may be any account
  // with write access.
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
 * The check `meshroll/approvals`: enough people approved the present head, by the rules of main for the stage that the change
 * reaches. Rollbacks and stages that merge themselves need none where meshroll made the head (rules 2.2, 10.1, ADR 63).
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
  // A request for changes counts even for a stage that is merged automatically.
  const heedsObjections = exemption === undefined || exemption.kind === "ownStage";
  if (votes.against.length > 0 && heedsObjections) return { state: "failure", finding: { kind: "objections", tally } };
  if (exemption === undefined) return judgeCounts(tally);
  return { state: "success", finding: { kind: "exempt", exemption } };
}
