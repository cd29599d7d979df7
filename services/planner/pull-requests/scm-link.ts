import { GitUnavailable, type RolloutsRepository } from "#libs/git";
import { type Scm, ScmUnavailable } from "#libs/scm";

import type { PullRequestJudge } from "./judging/port.ts";

/** How the planner reaches pull requests. */
export interface ScmLink {
  readonly scm: Scm;
  /** A clone of their own: a fetch of a stranger's branch that hangs must not keep the planner from the ledger. */
  readonly repository: RolloutsRepository;
  /** And one for what strangers push: what they fill or break in it concerns no branch of ours. */
  readonly strangers: RolloutsRepository;
  /** Parses and judges what strangers wrote. */
  readonly judge: PullRequestJudge;
  /** The protected branch. */
  readonly base: string;
  /** Pull requests are looked at least so often, real ms. */
  readonly pollMs: number;
}

/** True for what ends the whole round; anything else concerns one pull request, one stage or one rollback. */
export function isDown(error: unknown): boolean {
  return error instanceof ScmUnavailable || error instanceof GitUnavailable;
}
