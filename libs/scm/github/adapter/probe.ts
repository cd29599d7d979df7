import { z } from "zod";

import { createAuthorship } from "../authorship/authorship.ts";
import { createCall } from "../../http/call.ts";
import { readBranchRules, readMissingRules, toRequired } from "../merging/branch-rules.ts";
import { readLedgerRules } from "../merging/ledger-rules.ts";
import { readMergeDemands } from "../merging/merge-demands.ts";
import { createOctokit } from "../calls/create-octokit.ts";
import { createLimits } from "../../http/limits.ts";
import type { GithubOptions } from "./octokit.ts";
import type { RequiredCheck, ScmProbe } from "../../port/probe.ts";
import { parseAnswer } from "../../http/parse-answer.ts";

const repository = z.object({ permissions: z.object({ push: z.boolean() }).optional() });
const branchAnswer = z.object({
  protected: z.boolean(),
  protection: z
    .object({
      required_status_checks: z
        .object({
          contexts: z.array(z.string()),
          checks: z.array(z.object({ context: z.string(), app_id: z.int().nullish() })).optional(),
        })
        .nullish(),
    })
    .optional(),
});
const app = z.object({ id: z.int() });

function readScopes(headers: Readonly<Record<string, unknown>>): Pick<ScmProbe, "scopes"> {
  const text = headers["x-oauth-scopes"];
  if (typeof text !== "string" || text === "") return {};
  return { scopes: text.split(",").map((scope) => scope.trim()) };
}

/** Reads the repository, the token and the branch; changes nothing. Throws `ScmUnavailable` or `ScmRefused`. */
export async function probeGithub(options: GithubOptions, branch: string): Promise<ScmProbe> {
  const limits = createLimits("GitHub");
  const octokit = createOctokit(options, limits);
  const call = createCall(options.token, "GitHub", limits);
  const here = { owner: options.owner, repo: options.repo };

  async function readUser(): Promise<Pick<ScmProbe, "login" | "app">> {
    const login = await createAuthorship({ octokit, call, here }).ownLogin();
    if (login === undefined) return {};
    const [, slug] = /^(.+)\[bot\]$/u.exec(login) ?? [];
    if (slug === undefined) return { login };
    return {
      login,
      app: parseAnswer(app, (await octokit.rest.apps.getBySlug({ app_slug: slug })).data, "asking for our app").id,
    };
  }

  /** Undefined: this token may not read the protection. */
  async function readProtection(): Promise<readonly RequiredCheck[] | undefined> {
    const { data } = await octokit.rest.repos.getBranch({ ...here, branch });
    const answer = parseAnswer(branchAnswer, data, `reading the rules of ${branch}`);
    if (!answer.protected) return [];
    const required = answer.protection?.required_status_checks;
    const sourced = new Map(required?.checks?.map(({ context, app_id: source }) => [context, source] as const));
    return required?.contexts.map((context) => toRequired(context, sourced.get(context)));
  }

  async function readRulesets(): Promise<readonly RequiredCheck[]> {
    const found = await readBranchRules({ octokit, here }, branch);
    return found.flatMap(({ parameters }) =>
      (parameters?.required_status_checks ?? []).map(({ context, integration_id: source }) =>
        toRequired(context, source),
      ),
    );
  }

  async function readChecks(): Promise<Pick<ScmProbe, "requiredChecks">> {
    const [protection, rulesets] = [await readProtection(), await readRulesets()];
    if (protection === undefined && rulesets.length === 0) return {};
    return { requiredChecks: [...(protection ?? []), ...rulesets] };
  }

  return call(`asking GitHub about ${options.owner}/${options.repo}`, async () => {
    const { data, headers } = await octokit.rest.repos.get(here);
    const { permissions } = parseAnswer(repository, data, "reading the repository");
    return {
      ...(await readUser()),
      mayPush: permissions?.push ?? false,
      ...readScopes(headers),
      ...(await readChecks()),
      ...(await readLedgerRules({ octokit, here })),
      missingRules: await readMissingRules({ octokit, here }, branch),
      merges: await readMergeDemands({ octokit, here }, branch),
    };
  });
}
