import type { PullRequest } from "#libs/scm";
import { renderUncounted, renderUnjudged } from "#libs/wording";
import type { Clock } from "#libs/runtime";

import type { CheckPoster } from "./post-checks.ts";
import type { Refusal, RefusedHead, RefusedHeads } from "./refused-heads.ts";
import { makeWait, type Wait } from "../../loop/make-wait.ts";
import type { WriteBudget } from "./write-budget.ts";

/** The judge's process cannot work now: no pull request can be judged. */
export class JudgeUnavailable extends Error {
  override readonly name = "JudgeUnavailable";
}

/** The wait for that; checks keep their states meanwhile. */
export function waitForJudge({ message }: JudgeUnavailable): Wait {
  return makeWait("all", { code: "JudgeUnavailable", why: message });
}

export function waitRefused({ number, author, branch }: PullRequest, refused: RefusedHead, clock: Clock): Wait {
  const seconds = Math.max(0, Math.ceil((refused.until - clock.monotonic()) / 1000));
  const until = new Date(clock.now() + seconds * 1000).toISOString();
  const { code, why } = refused;
  return makeWait(`pull/${number}`, { code, number, author, branch, why, until });
}

/** Where a refusal is posted and remembered. */
export interface RefusalParts {
  readonly refused: RefusedHeads;
  readonly poster: CheckPoster;
  readonly budget: WriteBudget;
  readonly clock: Clock;
}

/**
 * Refuses a pull request that exceeds the limits: its checks become red, the refusal is remembered, and the status names it.
 */
export async function refusePull(judge: RefusalParts, pull: PullRequest, refusal: Refusal): Promise<Wait> {
  const refused = judge.refused.note(pull.headSha, refusal);
  const checks = { "meshroll/plan": renderUnjudged(refusal), "meshroll/approvals": renderUncounted() };
  await judge.poster.post(pull.headSha, checks, judge.budget.leftForChecks(pull.headSha));
  return waitRefused(pull, refused, judge.clock);
}
