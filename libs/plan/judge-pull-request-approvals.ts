import type { ApprovalRule } from "#libs/campaign";

import { describeRule, listRules } from "./judge-pull-request-rules.ts";
import type { FileChange } from "./judge-pull-request-change.ts";
import {
  type CheckVerdict,
  code,
  escapeCell,
  fitTitle,
  type PullRequestQuestion,
  type ReviewFacts,
} from "./judge-pull-request-facts.ts";
import { findOwnStage } from "./judge-pull-request-stage.ts";

interface Votes {
  readonly approved: readonly string[];
  readonly against: readonly string[];
  /** Approved an earlier head. */
  readonly stale: readonly string[];
}

/** A machine's word, an outsider's and that of an account that is gone are nobody's; logins differ by case only in writing. */
function isPerson({ author, bot, outsider }: ReviewFacts): boolean {
  return bot !== true && outsider !== true && !author.endsWith("[bot]") && author !== "ghost";
}

function isSame(login: string, other: string): boolean {
  return login.toLowerCase() === other.toLowerCase();
}

/** The last word of each person counts; a comment is no word. */
function countVotes({ reviews, pull }: PullRequestQuestion): Votes {
  const latest = new Map<string, ReviewFacts>();
  for (const review of reviews) {
    if (review.state !== "commented" && isPerson(review)) latest.set(review.author.toLowerCase(), review);
  }
  const words = [...latest.values()];
  const name = (fits: (review: ReviewFacts) => boolean): readonly string[] =>
    words.filter(fits).map(({ author }) => author);
  return {
    approved: name(({ state, commit }) => state === "approved" && commit === pull.headSha),
    against: name(({ state, author }) => state === "changesRequested" && !isSame(author, pull.author)),
    stale: name(({ state, commit }) => state === "approved" && commit !== pull.headSha),
  };
}

/** Why nobody has to approve it. */
interface Exemption {
  readonly title: string;
  /** Somebody who wants changes is heard all the same. */
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
  if (change.isReturn) return { title: "none needed: it goes back to what main had before", heedsObjections: false };
  return exemptStage(question, change);
}

/** What one rule counts, and the teams of it that nobody knows. */
interface Count {
  readonly rule: ApprovalRule;
  readonly names: readonly string[];
  readonly unknown: readonly string[];
  readonly why: string;
}

function belongs(question: PullRequestQuestion, login: string, from: string): boolean {
  const [kind, name = ""] = from.split(/:(.*)/su);
  if (kind === "user") return isSame(name, login);
  return question.teams?.get(name)?.some((member) => isSame(member, login)) === true;
}

/** Whoever opens a pull request agrees to it: that counts where the rule wants authors to, and names this one. */
function listVoters(question: PullRequestQuestion, { approved }: Votes, rule: ApprovalRule): readonly string[] {
  const { author } = question.pull;
  const others = approved.filter((login) => !isSame(login, author));
  return rule.allowAuthor && rule.from.length > 0 ? [author, ...others] : others;
}

function countFor(question: PullRequestQuestion, votes: Votes, rule: ApprovalRule, why: string): Count {
  const voters = listVoters(question, votes, rule);
  const isNamed = (login: string): boolean => rule.from.some((from) => belongs(question, login, from));
  const names = rule.from.length === 0 ? voters : voters.filter(isNamed);
  const teams = rule.from.filter((from) => from.startsWith("team:")).map((from) => from.slice("team:".length));
  const unknown = teams.filter((slug) => question.teams?.get(slug) === undefined);
  return { rule, names, unknown, why };
}

function listNames(names: readonly string[]): string {
  return names.map((name) => `**${escapeCell(name)}**`).join(", ");
}

function isMet({ rule, names }: Count): boolean {
  return names.length >= rule.required;
}

function titleCount({ rule, names, unknown }: Count): string {
  const whose = rule.from.length === 0 ? "" : ` from ${rule.from.join(" or ")}`;
  const lost =
    unknown.length === 0 || names.length >= rule.required
      ? ""
      : `: ${unknown.map((slug) => `team:${slug}`).join(", ")} is not known`;
  return fitTitle(`${names.length} of ${rule.required} approvals${whose}${lost}`);
}

function describeCount({ rule, names, unknown, why }: Count): readonly string[] {
  const by = names.length === 0 ? "nobody yet" : listNames(names);
  const line = `${describeRule(rule, why)}: ${names.length} of ${rule.required}, by ${by}.`;
  if (unknown.length === 0) return [line];
  const teams = unknown.map((slug) => code(`team:${slug}`)).join(", ");
  return [
    line,
    `${teams} is not known: there is no such team, or meshroll's token may not read its members (\`read:org\`).`,
  ];
}

function describeVotes(votes: Votes, counts: readonly Count[], question: PullRequestQuestion): string {
  const lines = [
    `Approvals of the head ${code(question.pull.headSha.slice(0, 12))}. Machines' do not count.`,
    ...counts.flatMap(describeCount),
  ];
  if (votes.against.length > 0) lines.push(`Changes were requested by ${listNames(votes.against)}.`);
  if (votes.stale.length > 0) lines.push(`Approved an earlier head, and to look again: ${listNames(votes.stale)}.`);
  return lines.join("\n\n");
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
  const votes = countVotes(question);
  const counts = listRules(question, change).map(({ rule, why }) => countFor(question, votes, rule, why));
  const summary = describeVotes(votes, counts, question);
  if (votes.against.length > 0 && exemption?.heedsObjections !== false) {
    const title = fitTitle(`changes requested by ${votes.against.join(", ")}`);
    return { state: "failure", title, summary };
  }
  if (exemption === undefined) return judgeCounts(counts, summary);
  return { state: "success", title: exemption.title, summary: exemption.title };
}
