import type { ApprovalRule } from "#libs/campaign";

import { describeRule, listRules } from "../judging/judge-rules.ts";
import { type Contributors, findContributors } from "./authorship.ts";
import { countVotes, mayWrite, type Votes } from "./count-votes.ts";
import type { FileChange } from "../judging/judge-change.ts";
import {
  type CheckVerdict,
  code,
  escapeCell,
  fitTitle,
  type PullRequestQuestion,
} from "../judging/pull-request-facts.ts";
import { findOwnStage } from "../judging/judge-stage.ts";

/** Why no approval is needed. */
interface Exemption {
  readonly title: string;
  /** A reviewer who wants changes counts all the same. */
  readonly heedsObjections: boolean;
}

/** Exactly what main's campaign says of a stage that merges itself. */
function exemptStage(question: PullRequestQuestion, change: FileChange): Exemption | undefined {
  const stage = findOwnStage(question, change);
  if (stage?.settings.autoMerge === undefined) return undefined;
  return { title: `none needed: stage ${stage.name} merges itself`, heedsObjections: true };
}

/** Undefined when people must. */
function findExemption(question: PullRequestQuestion, change: FileChange | undefined): Exemption | undefined {
  if (change === undefined) return undefined;
  if (change.isNothing)
    return { title: "none needed: nothing that meshroll carries out changes", heedsObjections: false };
  if (change.isRollback) return { title: "none needed: it restores what main had before", heedsObjections: false };
  return exemptStage(question, change);
}

/** What one rule counts, and the teams of it that are not known. */
interface Count {
  readonly rule: ApprovalRule;
  readonly names: readonly string[];
  /** All who agreed, no matter whom the rule names; `wanted` of them where it is not known who took part. */
  readonly voters: number;
  readonly wanted: number;
  readonly unknown: readonly string[];
  readonly why: string;
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
  /** What is not known of who took part makes each rule ask for one more. */
  readonly asksForMore: boolean;
}

/** Who opens a pull request agrees to it: that counts where the rule says so and names them, and it is all their own work. */
function listVoters({ question, contributors, votes }: Tally, rule: ApprovalRule): readonly string[] {
  const { author } = question.pull;
  const isAllTheirs = contributors.logins.size === 1 && contributors.unknown.length === 0;
  const counts = rule.allowAuthor && rule.from.length > 0 && isAllTheirs && mayWrite(question, author);
  return counts ? [author, ...votes.approved] : votes.approved;
}

function countFor(tally: Tally, rule: ApprovalRule, why: string): Count {
  const { question, asksForMore } = tally;
  const voters = listVoters(tally, rule);
  const isNamed = (login: string): boolean => rule.from.some((from) => belongs(question, login, from));
  const names = rule.from.length === 0 ? voters : voters.filter(isNamed);
  const teams = rule.from.filter((from) => from.startsWith("team:")).map((from) => from.slice("team:".length));
  const unknown = teams.filter((slug) => question.teams?.get(slug) === undefined);
  // One of those who agreed may be who is not known: the one more may be anyone who may write.
  const wanted = asksForMore && rule.required > 0 ? rule.required + 1 : rule.required;
  return { rule, names, voters: voters.length, wanted, unknown, why };
}

function listNames(names: readonly string[]): string {
  return names.map((name) => `**${escapeCell(name)}**`).join(", ");
}

function isMet({ rule, names, voters, wanted }: Count): boolean {
  return names.length >= rule.required && voters >= wanted;
}

/** What is asked beyond the rule, as the end of a title. */
function titleMore({ rule, voters, wanted }: Count): string {
  return wanted === rule.required ? "" : `; ${voters} of ${wanted} in all, for not all who took part are known`;
}

function titleCount(count: Count): string {
  const { rule, names, unknown } = count;
  const whose = rule.from.length === 0 ? "" : ` from ${rule.from.join(" or ")}`;
  const lost =
    unknown.length === 0 || names.length >= rule.required
      ? ""
      : `: ${unknown.map((slug) => `team:${slug}`).join(", ")} is not known`;
  return fitTitle(`${names.length} of ${rule.required} approvals${whose}${lost}${titleMore(count)}`);
}

function describeCount({ rule, names, unknown, why }: Count): readonly string[] {
  const by = names.length === 0 ? "none yet" : listNames(names);
  const line = `${describeRule(rule, why)}: ${names.length} of ${rule.required}, by ${by}.`;
  if (unknown.length === 0) return [line];
  const teams = unknown.map((slug) => code(`team:${slug}`)).join(", ");
  return [
    line,
    `${teams} is not known: there is no such team, or meshroll's token may not read its members (\`read:org\`).`,
  ];
}

function describeUnknown({ contributors, asksForMore }: Tally): readonly string[] {
  if (!asksForMore) return [];
  const what = contributors.unknown.slice(0, 5).join("; ");
  return [`It needs one approval more than each rule says, of anyone who may write, for it is not known: ${what}.`];
}

function describeVotes(tally: Tally, counts: readonly Count[]): string {
  const { votes, question } = tally;
  const say = (text: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${text}: ${listNames(names)}.`];
  return [
    `Approvals of the head ${code(question.pull.headSha.slice(0, 12))}. Machines' do not count.`,
    ...counts.flatMap(describeCount),
    ...describeUnknown(tally),
    ...say("Changes were requested by", votes.against),
    ...say("Approved an earlier head, and to look again", votes.stale),
    ...say("Not counted, for they opened it, or wrote, committed or pushed a part of it", votes.involved),
    ...say("Not counted, for they may not write to the repository now", votes.powerless),
  ].join("\n\n");
}

/** What main's own campaign says word for word has no author but main. */
function tallyVotes(question: PullRequestQuestion, change: FileChange | undefined): Tally {
  const { pull, authorship } = question;
  const contributors = findContributors(pull.author, pull.headSha, authorship);
  const isMains = change !== undefined && findOwnStage(question, change) !== undefined;
  const asksForMore = contributors.unknown.length > 0 && !isMains;
  return { question, contributors, votes: countVotes(question, contributors), asksForMore };
}

function judgeCounts(counts: readonly Count[], summary: string): CheckVerdict {
  const missing = counts.find((count) => !isMet(count));
  const shown = missing ?? counts[0];
  const title = shown === undefined ? "no approval is needed" : titleCount(shown);
  return { state: missing === undefined ? "success" : "pending", title, summary };
}

/**
 * `meshroll/approvals`: people who approved the head as it is, counted by main's own rules, of the stage that the change
 * reaches; returns and recorded heads of stages that merge themselves need none (rules 1.4, 2.2, 10.1).
 */
export function judgeApprovals(question: PullRequestQuestion, change: FileChange | undefined): CheckVerdict {
  const exemption = findExemption(question, change);
  const tally = tallyVotes(question, change);
  const { votes } = tally;
  const counts = listRules(question, change).map(({ rule, why }) => countFor(tally, rule, why));
  const summary = describeVotes(tally, counts);
  if (votes.against.length > 0 && exemption?.heedsObjections !== false) {
    const title = fitTitle(`changes requested by ${votes.against.join(", ")}`);
    return { state: "failure", title, summary };
  }
  if (exemption === undefined) return judgeCounts(counts, summary);
  return { state: "success", title: exemption.title, summary: exemption.title };
}
