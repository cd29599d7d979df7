import { z } from "zod";

import { parseAnswer } from "../http/parse-answer.ts";
import type { ScmProbe } from "../port/probe.ts";
import { type BranchRules, findRule, listMissingRules, readBranchRules } from "./branch-rules.ts";
import { createGiteaClient, type GiteaOptions } from "./client.ts";
import { createOwnLogin } from "./people.ts";

const repository = z.object({ permissions: z.object({ push: z.boolean() }).nullish() });
const ledger = "meshroll/ledger";

/** Looks at the repository, the token and the branch without changing anything. Throws `ScmUnavailable` or `ScmRefused`. */
export async function probeGitea(options: GiteaOptions, branch: string): Promise<ScmProbe> {
  const client = createGiteaClient(options);

  /** A protected branch cannot be deleted. */
  function describe(found: BranchRules): Pick<ScmProbe, "requiredChecks" | "ledgerRules"> {
    const main = findRule(found, branch);
    const contexts = main?.enable_status_check === true ? (main.status_check_contexts ?? []) : [];
    const own = findRule(found, ledger);
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
    const found = await readBranchRules(client);
    return {
      login: await createOwnLogin(client)(),
      mayPush: permissions?.push ?? false,
      missingRules: listMissingRules(found, branch),
      ...(found === undefined ? {} : describe(found)),
    };
  });
}
