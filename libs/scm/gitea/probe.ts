import { z } from "zod";

import { readStatus } from "../http/classify.ts";
import { parseAnswer } from "../http/parse-answer.ts";
import type { ScmProbe } from "../port/probe.ts";
import { createGiteaClient, type GiteaOptions } from "./client.ts";
import { createOwnLogin } from "./people.ts";

const repository = z.object({ permissions: z.object({ push: z.boolean() }).nullish() });
const rules = z.array(
  z.object({
    rule_name: z.string(),
    enable_status_check: z.boolean(),
    status_check_contexts: z.array(z.string()).nullish(),
    enable_force_push: z.boolean().nullish(),
    enable_push_whitelist: z.boolean().nullish(),
  }),
);

const ledger = "meshroll/ledger";

/** Looks at the repository, the token and the branch without changing anything. Throws `ScmUnavailable` or `ScmRefused`. */
export async function probeGitea(options: GiteaOptions, branch: string): Promise<ScmProbe> {
  const client = createGiteaClient(options);

  /** Undefined: this token does not administer the repository, and is told no rules. */
  async function readRules(): Promise<z.infer<typeof rules> | undefined> {
    const doing = "reading the branch protections";
    try {
      return parseAnswer(rules, await client.get("branch_protections"), doing);
    } catch (error) {
      const status = readStatus(error)?.status;
      if (status === 403 || status === 404) return undefined;
      throw error;
    }
  }

  /** A rule is found by its exact name: one that is a pattern is not read. A protected branch cannot be deleted. */
  function describe(found: z.infer<typeof rules>): Pick<ScmProbe, "requiredChecks" | "ledgerRules"> {
    const main = found.find(({ rule_name: name }) => name === branch);
    const contexts = main?.enable_status_check === true ? (main.status_check_contexts ?? []) : [];
    const own = found.find(({ rule_name: name }) => name === ledger);
    return {
      requiredChecks: contexts.map((name) => ({ name })),
      ledgerRules: [
        ...(own === undefined ? [] : ["deletion"]),
        ...(own === undefined || own.enable_force_push === true ? [] : ["non_fast_forward"]),
        ...(own?.enable_push_whitelist === true ? ["update"] : []),
      ],
    };
  }

  return client.call(`asking Gitea about ${options.owner}/${options.repo}`, async () => {
    const { permissions } = parseAnswer(repository, await client.get(""), "reading the repository");
    const found = await readRules();
    return {
      login: await createOwnLogin(client)(),
      mayPush: permissions?.push ?? false,
      ...(found === undefined ? {} : describe(found)),
    };
  });
}
