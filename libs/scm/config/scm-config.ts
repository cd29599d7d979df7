import { explainKeptToken, isLoopback, isPrivate } from "#libs/input";
import { secret, type Secret, type Token, type TokenSource } from "#libs/runtime";
import { z } from "zod";

import { type AppConfig, appVariables, listAppProblems, readApp } from "./app-variables.ts";
import { openScm } from "./open-scm.ts";
import type { Scm } from "../port/port.ts";
import { createThrottleGroups } from "../github/calls/throttle-groups.ts";
import { createInstallationTokens } from "../github/app/installation-tokens.ts";
import { rights } from "../github/app/rights.ts";

const repositoryVariables = {
  /** Which server has the repository. The variables below keep their GitHub names for Gitea too. */
  MESHROLL_SCM: z.enum(["github", "gitea"]).default("github"),
  /** Base address of the API: of GitHub Enterprise Server, the sandbox, or the Gitea server itself. */
  MESHROLL_GITHUB_API_URL: z.url("base address of the API, for example https://github.example.com/api/v3").optional(),
  MESHROLL_GITHUB_REPOSITORY: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+$/u, "must be owner/name")
    .optional(),
  ...appVariables,
} as const;

/** Variables of a process that talks to GitHub or Gitea. docs/reference/configuration.md has a line for each. */
export const scmVariables = {
  ...repositoryVariables,
  MESHROLL_GITHUB_TOKEN: secret().optional(),
  /** Ms between two writes, for a stand-in of GitHub on this machine, which bans no client. */
  MESHROLL_SANDBOX_THROTTLE: z.coerce.number().int().min(1).max(10_000).optional(),
} as const;

/** Variables of a process that only fetches the repository by git: a token, or an App. */
export const gitVariables = {
  ...repositoryVariables,
  MESHROLL_GIT_TOKEN: secret().optional(),
  /** `host` or `host:port` that the token is for; default: that of MESHROLL_REPO_URL. */
  MESHROLL_GIT_TOKEN_HOST: z.string().optional(),
} as const;

interface RepositoryConfig extends AppConfig {
  readonly MESHROLL_SCM: "github" | "gitea";
  readonly MESHROLL_GITHUB_API_URL?: string | undefined;
  readonly MESHROLL_GITHUB_REPOSITORY?: string | undefined;
}

/** What `scmVariables` read. */
export interface ScmConfig extends RepositoryConfig {
  readonly MESHROLL_GITHUB_TOKEN?: Secret | undefined;
  readonly MESHROLL_SANDBOX_THROTTLE?: number | undefined;
}

/** What `gitVariables` and the repository's address read. */
export interface GitConfig extends RepositoryConfig {
  readonly MESHROLL_GIT_TOKEN?: Secret | undefined;
  readonly MESHROLL_GIT_TOKEN_HOST?: string | undefined;
  readonly MESHROLL_REPO_URL: string;
}

/** Where GitHub itself is. */
export const publicApi = "https://api.github.com";

/** What is wrong with a well-formed API address: a login in it, or a throttle that is too short for the real GitHub. */
function judgeAddress(config: ScmConfig): readonly [keyof ScmConfig, string] | undefined {
  const url = new URL(config.MESHROLL_GITHUB_API_URL ?? publicApi);
  // A login in the address would be shown in errors, and the token is what logs in.
  if (url.username !== "" || url.password !== "")
    return ["MESHROLL_GITHUB_API_URL", "has a login in it: MESHROLL_GITHUB_TOKEN is for that"];
  // GitHub bans clients that write faster than its own spacing.
  if (config.MESHROLL_SANDBOX_THROTTLE !== undefined && !isLoopback(url))
    return ["MESHROLL_SANDBOX_THROTTLE", "is for the sandbox: MESHROLL_GITHUB_API_URL must be on this machine"];
  return undefined;
}

type Refuse = (name: string, message: string) => void;

function createRefuse(context: z.RefinementCtx): Refuse {
  return (name, message) => context.addIssue({ code: "custom", path: [name], message });
}

/** Checks variables of the App that make sense only together; for `.superRefine`. */
export function requireWholeApp(config: RepositoryConfig, context: z.RefinementCtx): void {
  const refuse = createRefuse(context);
  for (const [name, message] of listAppProblems(config)) refuse(name, message);
  if (config.MESHROLL_GITHUB_APP_ID === undefined) return;
  if (config.MESHROLL_SCM === "gitea") refuse("MESHROLL_GITHUB_APP_ID", "is set, and Gitea has no Apps");
  if (config.MESHROLL_GITHUB_REPOSITORY === undefined)
    refuse("MESHROLL_GITHUB_REPOSITORY", "is not set, though MESHROLL_GITHUB_APP_ID is");
}

function requireLogin(config: ScmConfig, refuse: Refuse): void {
  const { MESHROLL_GITHUB_REPOSITORY: repository, MESHROLL_GITHUB_TOKEN: token, MESHROLL_GITHUB_APP_ID: app } = config;
  if (repository !== undefined && token === undefined && app === undefined)
    refuse("MESHROLL_GITHUB_TOKEN", "is not set, though MESHROLL_GITHUB_REPOSITORY is");
  if (repository === undefined && token !== undefined)
    refuse("MESHROLL_GITHUB_REPOSITORY", "is not set, though MESHROLL_GITHUB_TOKEN is");
  if (token !== undefined && app !== undefined)
    refuse("MESHROLL_GITHUB_TOKEN", "is set, and MESHROLL_GITHUB_APP_ID too: unset one");
}

/** Checks variables that make sense only together; for `.superRefine` of the schema that has them. */
export function requireWholeScm(config: ScmConfig, context: z.RefinementCtx): void {
  const refuse = createRefuse(context);
  requireWholeApp(config, context);
  requireLogin(config, refuse);
  if (config.MESHROLL_SCM === "gitea" && config.MESHROLL_GITHUB_API_URL === undefined)
    refuse("MESHROLL_GITHUB_API_URL", "is not set: with MESHROLL_SCM=gitea it is the address of the Gitea server");
  const wrong = judgeAddress(config);
  if (wrong !== undefined) refuse(...wrong);
}

/** The host that serves git for an API address: github.com and ghe.com serve their API at `api.<host>`. */
export function nameGitHost(api: string): string {
  return new URL(api).host.replace(/^api\./u, "");
}

/** What is wrong with sending the App's token to this address; undefined: nothing. It is for the GitHub that made it only. */
function judgeGitOfApp(url: URL, config: GitConfig): string | undefined {
  const want = nameGitHost(config.MESHROLL_GITHUB_API_URL ?? publicApi);
  if (url.host !== want) return `is on ${url.host}, and the App's token is for ${want}: set MESHROLL_GIT_TOKEN for it`;
  return isPrivate(url) ? undefined : "is plain http, and the App's token is sent over https alone";
}

/** Refuses a login for git that would reach another server than its own. For `.superRefine`. */
export function requireGitLogin(config: GitConfig, context: z.RefinementCtx): void {
  const { MESHROLL_GITHUB_APP_ID: app, MESHROLL_GIT_TOKEN: token, MESHROLL_REPO_URL: repository } = config;
  const url = URL.parse(repository);
  // A path, or SSH with its own key: git needs no token.
  if (url?.protocol.startsWith("http") !== true) return;
  const refuse = createRefuse(context);
  const tokenProblem = token && explainKeptToken(url, { host: config.MESHROLL_GIT_TOKEN_HOST, repository });
  if (tokenProblem !== undefined) refuse("MESHROLL_GIT_TOKEN", tokenProblem);
  const appProblem = token === undefined && app !== undefined ? judgeGitOfApp(url, config) : undefined;
  if (appProblem !== undefined) refuse("MESHROLL_REPO_URL", appProblem);
}

/** Which process asks GitHub; its tokens get the rights of that role. */
export type Role = keyof typeof rights;

function openTokens(config: RepositoryConfig, role: Role): TokenSource | undefined {
  const app = readApp(config);
  const { MESHROLL_GITHUB_REPOSITORY: repository, MESHROLL_GITHUB_API_URL: baseUrl = publicApi } = config;
  if (app === undefined || repository === undefined) return undefined;
  const [owner = "", repo = ""] = repository.split("/");
  return createInstallationTokens({ baseUrl, owner, repo, app, rights: rights[role] });
}

/** How a process logs in: a permanent token, an App's tokens, or nothing. Sends nothing yet. */
export interface Logins {
  readonly api?: Token;
  readonly git?: Token;
}

/** API and git share one token source, so an App makes one token an hour for a process. */
export function openLogins(config: Partial<ScmConfig & GitConfig> & RepositoryConfig, role: Role): Logins {
  const tokens = openTokens(config, role);
  const api = config.MESHROLL_GITHUB_TOKEN?.reveal() ?? tokens;
  const git = config.MESHROLL_GIT_TOKEN?.reveal() ?? tokens;
  return { ...(api === undefined ? {} : { api }), ...(git === undefined ? {} : { git }) };
}

/** The SCM that the environment names; undefined: none. Sends nothing yet. */
export function openConfiguredScm(config: ScmConfig, { api: token }: Logins): Scm | undefined {
  const { MESHROLL_GITHUB_REPOSITORY: repository } = config;
  const { MESHROLL_SANDBOX_THROTTLE: spacing, MESHROLL_GITHUB_API_URL: baseUrl = publicApi } = config;
  if (repository === undefined || token === undefined) return undefined;
  const [owner = "", repo = ""] = repository.split("/");
  const throttle = spacing === undefined ? {} : { throttle: createThrottleGroups(spacing), retryBaseMs: spacing };
  return openScm({ kind: config.MESHROLL_SCM, baseUrl, owner, repo, token, ...throttle });
}
