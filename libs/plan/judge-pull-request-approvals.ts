import { builtInSettings } from "#libs/campaign";

import type { FileChange } from "./judge-pull-request-change.ts";
import {
  type CheckVerdict,
  code,
  escapeCell,
  fitTitle,
  type PullRequestQuestion,
  type ReviewFacts,
} from "./judge-pull-request-facts.ts";

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

/** The last word of each person but the author counts; a comment is no word. */
function countVotes({ reviews, pull }: PullRequestQuestion): Votes {
  const latest = new Map<string, ReviewFacts>();
  for (const review of reviews) {
    const login = review.author.toLowerCase();
    if (review.state === "commented" || !isPerson(review) || login === pull.author.toLowerCase()) continue;
    latest.set(login, review);
  }
  const words = [...latest.values()];
  const name = (fits: (review: ReviewFacts) => boolean): readonly string[] =>
    words.filter(fits).map(({ author }) => author);
  return {
    approved: name(({ state, commit }) => state === "approved" && commit === pull.headSha),
    against: name(({ state }) => state === "changesRequested"),
    stale: name(({ state, commit }) => state === "approved" && commit !== pull.headSha),
  };
}

/** Why nobody has to approve it; undefined when people must. */
function findExemption(question: PullRequestQuestion, change: FileChange | undefined): string | undefined {
  if (question.merged.kind === "untouched" || change?.isNothing === true)
    return "none needed: nothing that meshroll carries out changes";
  if (change?.isReturn === true) return "none needed: it goes back to what main had before";
  return undefined;
}

/** By main's own settings: a pull request that asks for fewer approvals needs as many as before. */
function countNeeded(question: PullRequestQuestion, change: FileChange | undefined): number {
  const { specs, main, ledger } = question.world;
  const before = change?.before ?? specs.get(main.head) ?? specs.get(ledger?.judged ?? "");
  return (before?.settings.approvals ?? builtInSettings.approvals).required;
}

function listNames(names: readonly string[]): string {
  return names.map((name) => `**${escapeCell(name)}**`).join(", ");
}

function describeVotes(votes: Votes, needed: number, question: PullRequestQuestion): string {
  const head = question.pull.headSha.slice(0, 12);
  const lines = [
    `Approved at ${code(head)} by ${votes.approved.length === 0 ? "nobody yet" : listNames(votes.approved)}: ` +
      `${votes.approved.length} of ${needed}. The author's own word and machines' do not count.`,
  ];
  if (votes.against.length > 0) lines.push(`Changes were requested by ${listNames(votes.against)}.`);
  if (votes.stale.length > 0) lines.push(`Approved an earlier head, and to look again: ${listNames(votes.stale)}.`);
  return lines.join("\n\n");
}

/** `meshroll/approvals`: people who approved the head as it is, counted by main's own rule; returns need none (rules 2.2, 10.1). */
export function judgeApprovals(question: PullRequestQuestion, change: FileChange | undefined): CheckVerdict {
  const exemption = findExemption(question, change);
  if (exemption !== undefined) return { state: "success", title: exemption, summary: exemption };
  const [votes, needed] = [countVotes(question), countNeeded(question, change)];
  const summary = describeVotes(votes, needed, question);
  if (votes.against.length > 0) {
    const title = fitTitle(`changes requested by ${votes.against.join(", ")}`);
    return { state: "failure", title, summary };
  }
  const title = `${votes.approved.length} of ${needed} approvals`;
  return { state: votes.approved.length >= needed ? "success" : "pending", title, summary };
}
