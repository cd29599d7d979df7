import type { PullRequest } from "#libs/scm";
import { renderUncounted, renderUnjudged } from "#libs/wording";
import type { Clock } from "#libs/runtime";

import type { CheckPoster } from "./post-checks.ts";
import type { Refusal, RefusedHead, RefusedHeads } from "./refused-heads.ts";
import { makeWait, type Wait } from "../../loop/make-wait.ts";
import type { WriteBudget } from "./write-budget.ts";

/** Nothing can be judged now, whatever is asked. */
export class JudgeUnavailable extends Error {
  override readonly name = "JudgeUnavailable";
}

/** What waits while nothing can be judged: checks stand as they stood. */
export function waitForJudge({ message }: JudgeUnavailable): Wait {
  return makeWait("all", { code: "JudgeUnavailable", why: message });
}

export function waitRefused({ number, author, branch }: PullRequest, refused: RefusedHead, clock: Clock): Wait {
  const seconds = Math.max(0, Math.ceil((refused.until - clock.monotonic()) / 1000));
  const until = new Date(clock.now() + seconds * 1000).toISOString();
  const { code, why } = refused;
  return makeWait(`pull/${number}`, { code, number, author, branch, why, until });
}

/** What a refusal is told by, and remembered in. */
export interface RefusalParts {
  readonly refused: RefusedHeads;
  readonly poster: CheckPoster;
  readonly budget: WriteBudget;
  readonly clock: Clock;
}

/** The verdict on a pull request that asks too much: red, remembered, and named in the status. */
export async function refusePull(judge: RefusalParts, pull: PullRequest, refusal: Refusal): Promise<Wait> {
  const refused = judge.refused.note(pull.headSha, refusal);
  const checks = { "meshroll/plan": renderUnjudged(refusal), "meshroll/approvals": renderUncounted() };
  await judge.poster.post(pull.headSha, checks, judge.budget.leftForChecks(pull.headSha));
  return waitRefused(pull, refused, judge.clock);
}
