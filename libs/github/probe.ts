import { z } from "zod";

import { createCall } from "./call.ts";
import { readStatus } from "./classify.ts";
import { createOctokit } from "./create-octokit.ts";
import type { ForgeOptions } from "./octokit.ts";
import { parseAnswer } from "./pull-request.ts";

/** What GitHub says of a token and of the protected branch. */
export interface ForgeProbe {
  /** Absent: an app's installation has no user of its own. */
  readonly login?: string;
  readonly mayPush: boolean;
  /** Scopes of a classic token; absent for the other kinds, whose rights only a call shows. */
  readonly scopes?: readonly string[];
  /** Names of the checks that the branch requires; absent when this token may not know. */
  readonly requiredChecks?: readonly string[];
}

const repository = z.object({ permissions: z.object({ push: z.boolean() }).optional() });
const user = z.object({ login: z.string() });
const branchAnswer = z.object({
  protected: z.boolean(),
  protection: z.object({ required_status_checks: z.object({ contexts: z.array(z.string()) }).nullish() }).optional(),
});

function readScopes(headers: Readonly<Record<string, unknown>>): Pick<ForgeProbe, "scopes"> {
  const text = headers["x-oauth-scopes"];
  if (typeof text !== "string" || text === "") return {};
  return { scopes: text.split(",").map((scope) => scope.trim()) };
}

/** Looks at the repository, the token and the branch without changing anything. Throws `ForgeUnavailable` or `ForgeRefused`. */
export async function probeForge(options: ForgeOptions, branch: string): Promise<ForgeProbe> {
  const octokit = createOctokit(options);
  const call = createCall(options.token);
  const here = { owner: options.owner, repo: options.repo };

  async function readUser(): Promise<Pick<ForgeProbe, "login">> {
    try {
      return {
        login: parseAnswer(user, (await octokit.rest.users.getAuthenticated()).data, "asking who we are").login,
      };
    } catch (error) {
      if (readStatus(error)?.status === 403) return {};
      throw error;
    }
  }

  async function readChecks(): Promise<Pick<ForgeProbe, "requiredChecks">> {
    const { data } = await octokit.rest.repos.getBranch({ ...here, branch });
    const answer = parseAnswer(branchAnswer, data, `reading the rules of ${branch}`);
    if (!answer.protected) return { requiredChecks: [] };
    const contexts = answer.protection?.required_status_checks?.contexts;
    return contexts === undefined ? {} : { requiredChecks: contexts };
  }

  return call(`asking GitHub about ${options.owner}/${options.repo}`, async () => {
    const { data, headers } = await octokit.rest.repos.get(here);
    const { permissions } = parseAnswer(repository, data, "reading the repository");
    return {
      ...(await readUser()),
      mayPush: permissions?.push ?? false,
      ...readScopes(headers),
      ...(await readChecks()),
    };
  });
}
