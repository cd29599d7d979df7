import type { PullRequest } from "#libs/scm";

import { chooseScm, withScm } from "../../logins/choose-scm.ts";
import { refuseUnknown } from "../../names/unknown-name.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** The number in `#12`, `pull/12` or a pull request's address; undefined for other texts. */
export function readPullNumber(text: string): number | undefined {
  const digits = /^(?:#|(?:https?:\/\/\S+\/)?pull\/)([1-9]\d{0,8})$/u.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The pull request of a number; refuses an unknown one. */
export async function findPullRequest(number: number, terminal: Terminal): Promise<PullRequest> {
  const options = await chooseScm(terminal);
  if (options === undefined) {
    throw new Refusal(
      exitCodes.environment,
      `pull request #${number} can only be looked up on GitHub, which is not configured`,
      "set MESHROLL_GITHUB_REPOSITORY, and MESHROLL_GITHUB_TOKEN or a GitHub App's variables, or name the run: run/ID",
    );
  }
  const found = await withScm(options, async (scm) => scm.findPullRequest(number));
  if (found !== undefined) return found;
  throw refuseUnknown(
    "pull request",
    `#${number}`,
    [],
    `${options.owner}/${options.repo} has no pull request of that number`,
  );
}

/** The run of a merged pull request, by its merge commit. */
export async function findRunOfPull(number: number, terminal: Terminal): Promise<string> {
  const { state, mergeSha, url } = await findPullRequest(number, terminal);
  if (mergeSha !== undefined) return mergeSha.slice(0, 12);
  const help = state === "open" ? `close it instead: nothing moves before it is merged: ${url}` : url;
  throw new Refusal(
    exitCodes.invalid,
    `pull request #${number} is ${state} and was not merged: there is no run of it`,
    help,
  );
}
