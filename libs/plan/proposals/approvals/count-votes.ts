import type { ApprovalVotes } from "#libs/wording";

import type { PullRequestQuestion, ReviewFacts } from "../judging/pull-request-facts.ts";
import type { Contributors } from "./authorship.ts";
import type { Outgrown } from "./find-outgrown.ts";

/** Approvals by bots and by deleted accounts do not count. */
export function isPerson({ author, bot }: ReviewFacts): boolean {
  return bot !== true && !author.endsWith("[bot]") && author !== "ghost";
}

/** The right to write now; an unknown right counts as none. */
export function mayWrite({ permissions }: Pick<PullRequestQuestion, "permissions">, login: string): boolean {
  const permission = permissions?.get(login.toLowerCase());
  return permission === "admin" || permission === "write";
}

/** A request for changes counts unless its author is known to have no right, so that a failing query cannot remove it. */
function mayObject({ permissions }: PullRequestQuestion, login: string): boolean {
  const permission = permissions?.get(login.toLowerCase());
  return permission !== "read" && permission !== "none";
}

/** The last review of each person counts; comments do not. Logins are compared without case. */
export function countVotes(question: PullRequestQuestion, { logins }: Contributors, outgrown: Outgrown): ApprovalVotes {
  const { reviews, pull } = question;
  const latest = new Map<string, ReviewFacts>();
  for (const review of reviews) {
    if (review.state !== "commented" && isPerson(review)) latest.set(review.author.toLowerCase(), review);
  }
  const words = [...latest.values()];
  const list = (fits: (review: ReviewFacts) => boolean): readonly string[] =>
    words.filter(fits).map(({ author }) => author);
  const isInvolved = (login: string): boolean => logins.has(login.toLowerCase());
  const approvesNow = ({ state, commit }: ReviewFacts): boolean => state === "approved" && commit === pull.headSha;
  const isAuthor = (login: string): boolean => login.toLowerCase() === pull.author.toLowerCase();
  const counts = (each: ReviewFacts): boolean => !isInvolved(each.author) && mayWrite(question, each.author);
  const given = words.filter((each) => approvesNow(each) && counts(each));
  return {
    approved: given.filter(({ at }) => !outgrown.has(at)).map(({ author }) => author),
    outgrown: given.flatMap(({ author, at }) => {
      const lists = outgrown.get(at);
      return lists === undefined ? [] : [{ by: author, ...lists }];
    }),
    against: list(
      ({ state, author }) => state === "changesRequested" && !isAuthor(author) && mayObject(question, author),
    ),
    stale: list(({ state, commit }) => state === "approved" && commit !== pull.headSha),
    involved: list((each) => approvesNow(each) && isInvolved(each.author)),
    powerless: list((each) => approvesNow(each) && !isInvolved(each.author) && !mayWrite(question, each.author)),
  };
}
