import type { ApprovalGap } from "#libs/wording";

import type { PullRequestQuestion } from "../judging/pull-request-facts.ts";
import { findStageOfBranch } from "../stages/branch.ts";

/** The accounts that took part in a pull request: their approvals of it do not count. */
export interface Contributors {
  /** In lower case. */
  readonly logins: ReadonlySet<string>;
  /** Why each rule needs one approval more; absent = it does not. */
  readonly gap?: ApprovalGap;
}

/** Whether the branch of a stage has a head that meshroll did not make. */
function isStageChanged({ pull, own, snapshot }: PullRequestQuestion): boolean {
  const head = snapshot.specs.get(snapshot.main.head);
  if (own !== undefined || head === undefined || pull.fork === true || pull.branch === undefined) return false;
  return findStageOfBranch(pull.branch, head.campaigns) !== undefined;
}

function findGap(question: PullRequestQuestion): ApprovalGap | undefined {
  const { pull, own, commits = [] } = question;
  // meshroll made the head, which its commit id proves.
  if (own !== undefined) return undefined;
  if (isStageChanged(question)) return { code: "StageChanged" };
  if (!commits.some(({ sha }) => sha === pull.headSha)) return { code: "CommitsUnread" };
  const unknown = commits.find(({ author, committer }) => author === undefined || committer === undefined);
  return unknown === undefined ? undefined : { code: "CommitUnknown", sha: unknown.sha };
}

/**
 * The opener of a pull request, and the authors and committers of its commits (rules 10.1). Names in a commit can be chosen
 * freely, so the SCM's own rule must require that another account than the pusher approves the last push (ADR 66).
 */
export function findContributors(question: PullRequestQuestion): Contributors {
  const { pull, commits = [] } = question;
  const all = [pull.author, ...commits.flatMap(({ author, committer }) => [author, committer])];
  const logins = new Set(all.flatMap((login) => (login === undefined ? [] : [login.toLowerCase()])));
  const gap = findGap(question);
  return { logins, ...(gap === undefined ? {} : { gap }) };
}
