import type { ApprovalGap } from "#libs/wording";

import type { PullRequestQuestion } from "../judging/pull-request-facts.ts";
import { findStageOfBranch } from "../stages/branch.ts";

/** Accounts whose approval of a pull request does not count, since a part of it is theirs. */
export interface Contributors {
  /** In lower case. */
  readonly logins: ReadonlySet<string>;
  /** Why one approval more than each rule says is needed; absent: none is. */
  readonly gap?: ApprovalGap;
}

/** True for a stage's branch whose head is not the commit that meshroll makes there. */
function isStageChanged({ pull, own, snapshot }: PullRequestQuestion): boolean {
  const head = snapshot.specs.get(snapshot.main.head);
  if (own !== undefined || head === undefined || pull.fork === true || pull.branch === undefined) return false;
  return findStageOfBranch(pull.branch, head.campaigns) !== undefined;
}

function findGap(question: PullRequestQuestion): ApprovalGap | undefined {
  const { pull, own, commits = [] } = question;
  // Its id proves that meshroll made all of it.
  if (own !== undefined) return undefined;
  if (isStageChanged(question)) return { code: "StageChanged" };
  if (!commits.some(({ sha }) => sha === pull.headSha)) return { code: "CommitsUnread" };
  const unknown = commits.find(({ author, committer }) => author === undefined || committer === undefined);
  return unknown === undefined ? undefined : { code: "CommitUnknown", sha: unknown.sha };
}

/**
 * Who opened a pull request and who stands as author or committer of a commit in it (rules 10.1). Who writes a commit chooses
 * both freely: that the last push is approved by an account other than its pusher is the SCM's own rule (ADR 66).
 */
export function findContributors(question: PullRequestQuestion): Contributors {
  const { pull, commits = [] } = question;
  const all = [pull.author, ...commits.flatMap(({ author, committer }) => [author, committer])];
  const logins = new Set(all.flatMap((login) => (login === undefined ? [] : [login.toLowerCase()])));
  const gap = findGap(question);
  return { logins, ...(gap === undefined ? {} : { gap }) };
}
