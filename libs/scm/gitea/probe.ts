import { z } from "zod";

import { parseAnswer } from "../http/parse-answer.ts";
import type { ScmProbe } from "../port/probe.ts";
import { createGiteaClient, type GiteaOptions } from "./client.ts";
import { createOwnLogin } from "./people.ts";
import { findProtection, listLedgerRules, listMissingRules, readProtections } from "./protections.ts";

const repository = z.object({ permissions: z.object({ push: z.boolean() }).nullish() });

/** Reads the repository, the token and the branch; changes nothing. Throws `ScmUnavailable` or `ScmRefused`. */
export async function probeGitea(options: GiteaOptions, branch: string): Promise<ScmProbe> {
  const client = createGiteaClient(options);
  return client.call(`asking Gitea about ${options.owner}/${options.repo}`, async () => {
    const { permissions } = parseAnswer(repository, await client.get(""), "reading the repository");
    const found = await readProtections(client);
    const main = findProtection(found, branch);
    const contexts = main?.enable_status_check === true ? (main.status_check_contexts ?? []) : [];
    return {
      login: await createOwnLogin(client)(),
      mayPush: permissions?.push ?? false,
      ...(found === undefined ? {} : { requiredChecks: contexts.map((name) => ({ name })) }),
      ...listLedgerRules(found),
      missingRules: listMissingRules(found, branch),
    };
  });
}
