import { GitUnavailable, type RolloutsRepository } from "#libs/git";
import { type Scm, ScmUnavailable } from "#libs/scm";

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

/** True for an outage, which ends the round; any other error concerns one pull request, stage or rollback. */
export function isDown(error: unknown): boolean {
  return error instanceof ScmUnavailable || error instanceof GitUnavailable;
}
