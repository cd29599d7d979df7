import type { Scm } from "../port/port.ts";
import { createGiteaClient, type GiteaOptions } from "./client.ts";
import { createComments } from "./comments.ts";
import { createIssues } from "./issues.ts";
import { createMerge, type GiteaMergeMethod } from "./merge.ts";
import { createOwnLogin, createPeople } from "./people.ts";
import { createPulls } from "./pulls.ts";
import { listLedgerRules, readProtections } from "./protections.ts";
import { createStatuses } from "./statuses.ts";

export interface GiteaScmOptions extends GiteaOptions {
  /** Must be a method that the repository allows; default `merge`. */
  readonly mergeMethod?: GiteaMergeMethod;
}

/** Gitea by its REST API, which Forgejo shares. Sends nothing before the first call. */
export function openGitea(options: GiteaScmOptions): Scm {
  const client = createGiteaClient(options);
  const askLogin = createOwnLogin(client);
  return {
    name: "Gitea",
    ...createPulls(client),
    ...createMerge(client, options.mergeMethod ?? "merge"),
    ...createStatuses(client, askLogin),
    ...createComments(client, askLogin),
    ...createIssues(client, askLogin),
    ...createPeople(client, askLogin),
    ledgerRules: async () =>
      client.call("reading the rules of the ledger's branch", async () =>
        listLedgerRules(await readProtections(client)),
      ),
    // Gitea has no rate limit.
    urgently: async (work) => work(),
    // Gitea has no deployments.
    showDeployment: async () => undefined,
  };
}
