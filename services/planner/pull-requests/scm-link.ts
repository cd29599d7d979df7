import { GitUnavailable, type RolloutsRepository } from "#libs/git";
import { type Kept, type Scm, ScmUnavailable } from "#libs/scm";

import type { PullRequestJudge } from "./judging/port.ts";

/** How the planner reads and writes pull requests. */
export interface ScmLink {
  readonly scm: Scm;
  /** A clone of its own, so that a fetch that hangs does not delay the planner's reading of main and the ledger. */
  readonly repository: RolloutsRepository;
  /** Another clone, for branches of others: what they fill up or break there does not affect our branches. */
  readonly strangers: RolloutsRepository;
  /** Parses and judges what strangers wrote. */
  readonly judge: PullRequestJudge;
  /** The protected branch. */
  readonly base: string;
  /** Longest time between two rounds, real ms. */
  readonly pollMs: number;
}

/** Why all but rollbacks waits, though the SCM answers; undefined for other errors. */
export function findKept(error: unknown): Kept | undefined {
  return error instanceof ScmUnavailable ? error.kept : undefined;
}

/** Ms that the SCM asked to wait. */
export function readAsked(error: unknown): number | undefined {
  return error instanceof ScmUnavailable ? error.retryAfterMs : undefined;
}

/** True for an outage, which ends the round; any other error concerns one pull request, stage or rollback. */
export function isDown(error: unknown): boolean {
  return error instanceof ScmUnavailable || error instanceof GitUnavailable;
}

/** The field by which reasons name another SCM than GitHub. */
export function nameWhere({ scm }: Pick<ScmLink, "scm">): { readonly scm?: "Gitea" } {
  return scm.name === "Gitea" ? { scm: scm.name } : {};
}
