import type { Scm, ScmOptions } from "#libs/github";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

const publicApi = "https://api.github.com";

/** GitHub itself bans who writes faster than its own spacing allows. */
async function chooseSpacing(baseUrl: string, spacing: number): Promise<Pick<ScmOptions, "throttle" | "retryBaseMs">> {
  const isLocal = ["127.0.0.1", "localhost"].includes(URL.parse(baseUrl)?.hostname ?? "");
  if (!isLocal || spacing <= 0) return {};
  const { createThrottleGroups } = await import("#libs/github");
  return { throttle: createThrottleGroups(spacing), retryBaseMs: spacing };
}

function sayStep(explain: Terminal["explain"], step: string): void {
  explain?.(() => step);
}

/** Where pull requests are made, as far as the environment says so. */
export async function chooseScm({ env, explain }: Terminal): Promise<ScmOptions | undefined> {
  const [owner, repo] = env["MESHROLL_GITHUB_REPOSITORY"]?.split("/") ?? [];
  const { MESHROLL_GITHUB_TOKEN: token = "", MESHROLL_GITHUB_API_URL: url = "" } = env;
  const baseUrl = url === "" ? publicApi : url;
  if (token === "" || owner === undefined || repo === undefined) return undefined;
  sayStep(explain, `asks ${baseUrl} about ${owner}/${repo}`);
  return {
    baseUrl,
    owner,
    repo,
    token,
    ...(await chooseSpacing(baseUrl, Number(env["MESHROLL_SANDBOX_THROTTLE"] ?? 0))),
  };
}

/** Uses the SCM for one command; what it refuses is told like any refusal. */
export async function withScm<T>(options: ScmOptions, use: (scm: Scm) => Promise<T>): Promise<T> {
  const { ScmRefused, ScmUnavailable, openScm } = await import("#libs/github");
  try {
    return await use(openScm(options));
  } catch (error) {
    if (error instanceof ScmUnavailable) throw new Refusal(exitCodes.unavailable, error.message);
    if (!(error instanceof ScmRefused)) throw error;
    const isUnknown = error.status === 401 || error.status === 403;
    throw new Refusal(isUnknown ? exitCodes.authentication : exitCodes.failed, error.message);
  }
}
