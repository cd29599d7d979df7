import type { PullRequest } from "#libs/github";
import { judgeCommand } from "#libs/plan";

import { makeWait, type Wait } from "../../waits/waits.ts";

/** Strangers may open any number of them: so many are named. */
const named = 5;

/** One wait for all pull requests from forks that are not judged yet; none where there are none. */
export function waitForWriters(pulls: readonly PullRequest[]): readonly Wait[] {
  const [first] = pulls;
  if (first === undefined) return [];
  const numbers = pulls.slice(0, named).map(({ number }) => String(number));
  const more = pulls.length > named ? ` and ${pulls.length - named} more` : "";
  const message = `pull requests from forks are not judged before somebody who may write asks for it: ${numbers.join(", ")}${more}`;
  const command = `gh pr review ${first.number} --comment --body "${judgeCommand}"`;
  return [makeWait("all", { code: "ForkUnasked", message, owner: "who may write to the repository", command })];
}
