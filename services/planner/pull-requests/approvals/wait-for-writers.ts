import type { PullRequest } from "#libs/github";
import { judgeCommand } from "#libs/plan";

import { makeWait, type Wait } from "../../waits/waits.ts";

/** One wait for all pull requests from forks that are not judged yet; none where there are none. */
export function waitForWriters(pulls: readonly PullRequest[]): readonly Wait[] {
  if (pulls.length === 0) return [];
  const numbers = pulls.map(({ number }) => number);
  return [makeWait("all", { code: "ForkUnasked", numbers, request: judgeCommand })];
}
