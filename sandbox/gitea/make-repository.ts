import type { GiteaAccounts } from "./accounts.ts";

/** A repository of rollouts as docs/how-to/run-on-gitea.md wants it. */
export interface WantedRepository {
  readonly owner: string;
  readonly repo: string;
  /** What accounts may do there, by login. */
  readonly rights: Readonly<Record<string, "admin" | "write">>;
  /** On main, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly requiredChecks: readonly string[];
  readonly requiredReviews: number;
  /** Accounts that may push to the ledger's branch. */
  readonly ledgerWriters: readonly string[];
  readonly webhook?: { readonly url: string; readonly secret: string };
}

const events = ["push", "pull_request", "pull_request_comment", "pull_request_review", "issue_comment", "status"];

async function commitFiles(
  accounts: GiteaAccounts,
  place: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const operations = Object.entries(files).map(([path, text]) => {
    return { operation: "create", path, content: Buffer.from(text).toString("base64") };
  });
  const message = "First files";
  await accounts.ask("root", "POST", `/repos/${place}/contents`, { branch: "main", message, files: operations });
}

async function protectBranches(accounts: GiteaAccounts, place: string, wanted: WantedRepository): Promise<void> {
  const rules = `/repos/${place}/branch_protections`;
  await accounts.ask("root", "POST", rules, {
    rule_name: "main",
    enable_push: true,
    required_approvals: wanted.requiredReviews,
    enable_status_check: true,
    status_check_contexts: wanted.requiredChecks,
    dismiss_stale_approvals: true,
  });
  await accounts.ask("root", "POST", rules, {
    rule_name: "meshroll/ledger",
    enable_push: true,
    enable_push_whitelist: true,
    push_whitelist_usernames: wanted.ledgerWriters,
  });
}

/** A webhook that tells services/api what happened in a repository. */
async function addWebhook(
  accounts: GiteaAccounts,
  place: string,
  { url, secret }: { readonly url: string; readonly secret: string },
): Promise<void> {
  const config = { url, content_type: "json", secret };
  await accounts.ask("root", "POST", `/repos/${place}/hooks`, { type: "gitea", active: true, events, config });
}

/** Makes the organisation and its repository, with files, rights, rules and webhook. */
export async function makeRepository(accounts: GiteaAccounts, wanted: WantedRepository): Promise<void> {
  const { owner, repo, rights, files, webhook } = wanted;
  const place = `${owner}/${repo}`;
  await accounts.ask("root", "POST", "/orgs", { username: owner });
  const draft = { name: repo, default_branch: "main", auto_init: true };
  await accounts.ask("root", "POST", `/orgs/${owner}/repos`, draft);
  for (const [login, permission] of Object.entries(rights))
    await accounts.ask("root", "PUT", `/repos/${place}/collaborators/${login}`, { permission });
  await commitFiles(accounts, place, files);
  await protectBranches(accounts, place, wanted);
  if (webhook !== undefined) await addWebhook(accounts, place, webhook);
}
