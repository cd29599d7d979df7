import { isLoopback } from "#libs/input";
import type { Scm, ScmOptions } from "#libs/scm";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { openApp } from "./app-login.ts";

const publicApi = "https://api.github.com";

/** GitHub limits how fast content may be created; a configured spacing can only be slower. */
async function chooseSpacing(baseUrl: string, spacing: number): Promise<Pick<ScmOptions, "throttle" | "retryBaseMs">> {
  const url = URL.parse(baseUrl);
  if (url === null || !isLoopback(url) || spacing <= 0) return {};
  const { createThrottleGroups } = await import("#libs/scm");
  return { throttle: createThrottleGroups(spacing), retryBaseMs: spacing };
}

function sayStep(explain: Terminal["explain"], step: string): void {
  explain?.(() => step);
}

/** The SCM product of the repository, and the address of its API. */
function choosePlace(env: Terminal["env"]): Pick<ScmOptions, "kind" | "baseUrl"> {
  const { MESHROLL_SCM: kind = "github", MESHROLL_GITHUB_API_URL: url = "" } = env;
  if (kind !== "github" && kind !== "gitea")
    throw new Refusal(exitCodes.environment, `MESHROLL_SCM is ${kind}`, "set it to github or gitea");
  if (url !== "" || kind === "github") return { kind, baseUrl: url === "" ? publicApi : url };
  const missing = "MESHROLL_SCM is gitea, and MESHROLL_GITHUB_API_URL is not set";
  throw new Refusal(exitCodes.environment, missing, "set it to the address of the Gitea server");
}

/** The SCM that the environment configures. */
export async function chooseScm(terminal: Terminal): Promise<ScmOptions | undefined> {
  const { env, explain } = terminal;
  const [owner, repo] = env["MESHROLL_GITHUB_REPOSITORY"]?.split("/") ?? [];
  const token = (await openApp(terminal))?.tokens ?? env["MESHROLL_GITHUB_TOKEN"] ?? "";
  if (token === "" || owner === undefined || repo === undefined) return undefined;
  const place = choosePlace(env);
  sayStep(explain, `asks ${place.baseUrl} about ${owner}/${repo}`);
  const spacing = await chooseSpacing(place.baseUrl, Number(env["MESHROLL_SANDBOX_THROTTLE"] ?? 0));
  return { ...place, owner, repo, token, ...spacing };
}

/** GitHub's refusal as a refusal of the command; other errors as they are. */
export async function refuseOfScm(error: unknown): Promise<unknown> {
  const { ScmRefused, ScmUnavailable } = await import("#libs/scm");
  if (error instanceof ScmUnavailable) return new Refusal(exitCodes.unavailable, error.message);
  if (!(error instanceof ScmRefused)) return error;
  const isUnknown = error.status === 401 || error.status === 403 || error.reason?.startsWith("App") === true;
  return new Refusal(isUnknown ? exitCodes.authentication : exitCodes.failed, error.message);
}

/** Uses the SCM for one command; its refusals become refusals of the command. */
export async function withScm<T>(options: ScmOptions, use: (scm: Scm) => Promise<T>): Promise<T> {
  const { openScm } = await import("#libs/scm");
  try {
    return await use(openScm(options));
  } catch (error) {
    throw await refuseOfScm(error);
  }
}
