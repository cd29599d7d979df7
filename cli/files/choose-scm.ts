import type { Scm, ScmOptions } from "#libs/github";

import { findDemo } from "./demo-connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { Refusal } from "../refusal.ts";
import type { Terminal } from "../terminal.ts";

const publicApi = "https://api.github.com";

/** What is needed to reach a repository on GitHub. */
interface Place {
  readonly repository?: string | undefined;
  readonly token?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Ms between two writes, where GitHub is a stand-in that bans nobody. */
  readonly spacing?: number | undefined;
}

function readDemo(cwd: string): Place {
  const demo = findDemo(cwd);
  if (demo === undefined) return {};
  const repository = URL.parse(demo.repoUrl)
    ?.pathname.replace(/\.git$/u, "")
    .slice(1);
  return { repository, token: demo.gitToken, baseUrl: demo.githubUrl, spacing: 1 };
}

function readEnvironment(env: Terminal["env"]): Place {
  const spacing = env["MESHROLL_SANDBOX_THROTTLE"];
  return {
    repository: env["MESHROLL_GITHUB_REPOSITORY"],
    token: env["MESHROLL_GITHUB_TOKEN"],
    baseUrl: env["MESHROLL_GITHUB_API_URL"],
    spacing: spacing === undefined ? undefined : Number(spacing),
  };
}

/** GitHub itself bans who writes faster than its own spacing allows. */
async function chooseSpacing(baseUrl: string, spacing: number): Promise<Pick<ScmOptions, "throttle" | "retryBaseMs">> {
  const isLocal = ["127.0.0.1", "localhost"].includes(URL.parse(baseUrl)?.hostname ?? "");
  if (!isLocal || spacing <= 0) return {};
  const { createThrottleGroups } = await import("#libs/github");
  return { throttle: createThrottleGroups(spacing), retryBaseMs: spacing };
}

/** Where pull requests are made, as far as the environment or a running demo says so. */
export async function chooseScm({ env, cwd }: Terminal): Promise<ScmOptions | undefined> {
  const told = Object.entries(readEnvironment(env)).filter(([, value]) => value !== undefined && value !== "");
  const place: Place = { ...readDemo(cwd), ...Object.fromEntries(told) };
  const { repository = "", token, baseUrl = publicApi, spacing = 0 } = place;
  const [owner, repo] = repository.split("/");
  if (token === undefined || owner === undefined || repo === undefined) return undefined;
  return { baseUrl, owner, repo, token, ...(await chooseSpacing(baseUrl, spacing)) };
}

/** Uses the SCM for one command; what it refuses is told like any refusal. */
export async function withScm<T>(options: ScmOptions, use: (scm: Scm) => Promise<T>): Promise<T> {
  const { ScmRefused, ScmUnavailable, openScm } = await import("#libs/github");
  try {
    return await use(openScm(options));
  } catch (error) {
    if (error instanceof ScmUnavailable) throw new Refusal(exitCodes.unavailable, error.message);
    if (!(error instanceof ScmRefused)) throw error;
    const isUnknown = /answered 40[13]/u.test(error.message);
    throw new Refusal(isUnknown ? exitCodes.authentication : exitCodes.failed, error.message);
  }
}
