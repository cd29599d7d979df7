import { z } from "zod";

import { createAuthorship } from "./authorship.ts";
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
  /** The checks that the branch requires, by protection and rulesets; absent when this token may not know. */
  readonly requiredChecks?: readonly RequiredCheck[];
  /** Types of the rules that bind the ledger's branch, by rulesets; absent when this server has none, or does not tell. */
  readonly ledgerRules?: readonly string[];
  /** Id of the app whose installation this token is; absent: a person's token. */
  readonly app?: number;
}

export interface RequiredCheck {
  readonly name: string;
  /** Id of the only app from which it is taken; absent: from anyone who may write. */
  readonly source?: number;
}

const repository = z.object({ permissions: z.object({ push: z.boolean() }).optional() });
const user = z.object({ login: z.string() });
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
const rules = z.array(
  z.object({
    type: z.string(),
    parameters: z
      .object({
        required_status_checks: z
          .array(z.object({ context: z.string(), integration_id: z.int().nullish() }))
          .optional(),
      })
      .optional(),
  }),
);
const app = z.object({ id: z.int() });

function toRequired(name: string, source: number | null | undefined): RequiredCheck {
  // GitHub writes -1 where any app may be the source.
  return typeof source === "number" && source > 0 ? { name, source } : { name };
}

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

  async function readUser(): Promise<Pick<ForgeProbe, "login" | "app">> {
    const login = await askLogin();
    if (login === undefined) return {};
    const [, slug] = /^(.+)\[bot\]$/u.exec(login) ?? [];
    if (slug === undefined) return { login };
    return {
      login,
      app: parseAnswer(app, (await octokit.rest.apps.getBySlug({ app_slug: slug })).data, "asking for our app").id,
    };
  }

  async function askLogin(): Promise<string | undefined> {
    const login = await createAuthorship({ octokit, call, here }).ownLogin();
    if (login !== undefined) return login;
    try {
      return parseAnswer(user, (await octokit.rest.users.getAuthenticated()).data, "asking who we are").login;
    } catch (error) {
      if (readStatus(error)?.status === 403) return undefined;
      throw error;
    }
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
    try {
      const { data } = await octokit.rest.repos.getBranchRules({ ...here, branch, per_page: 100 });
      return parseAnswer(rules, data, `reading the rulesets of ${branch}`).flatMap(({ parameters }) =>
        (parameters?.required_status_checks ?? []).map(({ context, integration_id: source }) =>
          toRequired(context, source),
        ),
      );
    } catch (error) {
      // A GitHub Enterprise Server without rulesets.
      if (readStatus(error)?.status === 404) return [];
      throw error;
    }
  }

  async function readLedgerRules(): Promise<Pick<ForgeProbe, "ledgerRules">> {
    try {
      const asked = { ...here, branch: "meshroll/ledger", per_page: 100 };
      const { data } = await octokit.rest.repos.getBranchRules(asked);
      return { ledgerRules: parseAnswer(rules, data, "reading the rulesets of the ledger").map(({ type }) => type) };
    } catch (error) {
      const { status } = readStatus(error) ?? {};
      if (status === 403 || status === 404) return {};
      throw error;
    }
  }

  async function readChecks(): Promise<Pick<ForgeProbe, "requiredChecks">> {
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
      ...(await readLedgerRules()),
    };
  });
}
