import { secret, type Secret } from "#libs/runtime";
import { z } from "zod";

import { openScm } from "./octokit.ts";
import type { Scm } from "../port.ts";
import { createThrottleGroups } from "../calls/throttle-groups.ts";

/** Variables of a process that talks to GitHub. docs/reference/configuration.md has a line for each. */
export const scmVariables = {
  /** Base address of the API; only GitHub Enterprise Server and the sandbox have another. */
  MESHROLL_GITHUB_API_URL: z.url("base address of the API, for example https://github.example.com/api/v3").optional(),
  MESHROLL_GITHUB_REPOSITORY: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+$/u, "must be owner/name")
    .optional(),
  MESHROLL_GITHUB_TOKEN: secret().optional(),
  /** Ms between two writes, for a GitHub on this machine that bans no client. */
  MESHROLL_SANDBOX_THROTTLE: z.coerce.number().int().min(1).max(10_000).optional(),
} as const;

/** What `scmVariables` read. */
export interface ScmConfig {
  readonly MESHROLL_GITHUB_API_URL?: string | undefined;
  readonly MESHROLL_GITHUB_REPOSITORY?: string | undefined;
  readonly MESHROLL_GITHUB_TOKEN?: Secret | undefined;
  readonly MESHROLL_SANDBOX_THROTTLE?: number | undefined;
}

const publicApi = "https://api.github.com";
const loopback: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Variables that make sense only together; for `.superRefine` of the schema that has them. */
export function requireWholeScm(config: ScmConfig, context: z.RefinementCtx): void {
  const { MESHROLL_GITHUB_REPOSITORY: repository, MESHROLL_GITHUB_TOKEN: token } = config;
  const refuse = (name: keyof ScmConfig, message: string): void =>
    context.addIssue({ code: "custom", path: [name], message });
  if (repository !== undefined && token === undefined)
    refuse("MESHROLL_GITHUB_TOKEN", "is not set, though MESHROLL_GITHUB_REPOSITORY is");
  if (repository === undefined && token !== undefined)
    refuse("MESHROLL_GITHUB_REPOSITORY", "is not set, though MESHROLL_GITHUB_TOKEN is");
  const host = new URL(config.MESHROLL_GITHUB_API_URL ?? publicApi).hostname;
  // GitHub bans who writes faster than its own spacing allows.
  if (config.MESHROLL_SANDBOX_THROTTLE !== undefined && !loopback.includes(host))
    refuse("MESHROLL_SANDBOX_THROTTLE", "is for the sandbox: MESHROLL_GITHUB_API_URL must be on this machine");
}

/** The SCM that the environment names; undefined when it names none. Sends nothing yet. */
export function openConfiguredScm(config: ScmConfig): Scm | undefined {
  const { MESHROLL_GITHUB_REPOSITORY: repository, MESHROLL_GITHUB_TOKEN: token } = config;
  const { MESHROLL_SANDBOX_THROTTLE: spacing, MESHROLL_GITHUB_API_URL: baseUrl = publicApi } = config;
  if (repository === undefined || token === undefined) return undefined;
  const [owner = "", repo = ""] = repository.split("/");
  const throttle = spacing === undefined ? {} : { throttle: createThrottleGroups(spacing), retryBaseMs: spacing };
  return openScm({ baseUrl, owner, repo, token: token.reveal(), ...throttle });
}
