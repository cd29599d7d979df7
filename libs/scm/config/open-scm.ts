import { openGitea } from "../gitea/gitea.ts";
import { probeGitea } from "../gitea/probe.ts";
import { type GithubOptions, openGithub } from "../github/adapter/octokit.ts";
import { probeGithub } from "../github/adapter/probe.ts";
import { ScmRefused } from "../port/errors.ts";
import type { Scm } from "../port/port.ts";
import type { ScmProbe } from "../port/probe.ts";

/** Which server has the pull requests, and how to log in there. */
export interface ScmOptions extends GithubOptions {
  /** Default `github`. For Gitea `baseUrl` is the server's own address; `throttle` is for GitHub only. */
  readonly kind?: "github" | "gitea";
}

function requireLasting(options: ScmOptions): ScmOptions & { readonly token: string } {
  const { token } = options;
  if (typeof token === "string") return { ...options, token };
  throw new ScmRefused("Gitea has no Apps", "set MESHROLL_GITHUB_TOKEN, and no MESHROLL_GITHUB_APP_ID");
}

/** Sends nothing before the first call. */
export function openScm(options: ScmOptions): Scm {
  return options.kind === "gitea" ? openGitea(requireLasting(options)) : openGithub(options);
}

/** Reads the repository, the token and the branch; changes nothing. Throws `ScmUnavailable` or `ScmRefused`. */
export async function probeScm(options: ScmOptions, branch: string): Promise<ScmProbe> {
  return options.kind === "gitea" ? probeGitea(requireLasting(options), branch) : probeGithub(options, branch);
}
