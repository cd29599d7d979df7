import type { ScmRules, ScmEnvironment } from "#conformance/scm";
import { openScm } from "#libs/scm";
import type { GiteaAccounts } from "#sandbox/gitea";

import type { Balancer } from "./outage.ts";
import { openPushes } from "./pushes.ts";

const people: readonly string[] = ["bot", "ada", "bob"];
const team = { slug: "mesh", logins: ["ada", "bob", "bot"] } as const;

const owner = "acme";

/**
 * Creates the organisation and its team. Gitea shows a team's members only to themselves, and permissions only to
 * administrators of the repository.
 */
export async function makeOrganization(forge: GiteaAccounts): Promise<void> {
  await forge.ask("root", "POST", "/orgs", { username: owner });
  const units = Object.fromEntries(["repo.code", "repo.pulls", "repo.issues"].map((name) => [name, "write"]));
  const draft = { name: team.slug, permission: "write", units_map: units, includes_all_repositories: true };
  const { body } = await forge.ask("root", "POST", `/orgs/${owner}/teams`, draft);
  for (const login of team.logins) await forge.ask("root", "PUT", `/teams/${body.id}/members/${login}`);
}

/** Adds the branch protection of docs/how-to/protect-the-ledger.md, or one that lacks some of these rules. */
async function protectLedger(forge: GiteaAccounts, place: string, rules: readonly string[]): Promise<void> {
  if (rules.length === 0) return;
  const isLeftToOne = rules.includes("update");
  await forge.ask("root", "POST", `/repos/${place}/branch_protections`, {
    rule_name: "meshroll/ledger",
    enable_push: true,
    enable_push_whitelist: isLeftToOne,
    push_whitelist_usernames: isLeftToOne ? ["bot"] : [],
  });
}

async function protect(
  forge: GiteaAccounts,
  place: string,
  { requiredChecks, requiredReviews }: ScmRules,
): Promise<void> {
  if (requiredChecks.length === 0 && requiredReviews === 0) return;
  await forge.ask("root", "POST", `/repos/${place}/branch_protections`, {
    rule_name: "main",
    enable_push: true,
    required_approvals: requiredReviews,
    enable_status_check: requiredChecks.length > 0,
    status_check_contexts: requiredChecks,
  });
}

let count = 0;

/** Makes a new repository of the organisation, with `rollouts.yml` on main. */
export async function makeGiteaEnvironment(
  forge: GiteaAccounts,
  balancer: Balancer,
  rules: ScmRules,
): Promise<ScmEnvironment> {
  count += 1;
  const repo = `rollouts-${count}`;
  const place = `${owner}/${repo}`;
  await forge.ask("root", "POST", `/orgs/${owner}/repos`, { name: repo, default_branch: "main", auto_init: true });
  await forge.ask("root", "PUT", `/repos/${place}/collaborators/bot`, { permission: "admin" });
  const remote = openPushes(forge, place, people);
  await remote.commitTo("main", { files: { "rollouts.yml": "one\n" } });
  await protect(forge, place, rules);
  await protectLedger(forge, place, rules.ledgerRules ?? []);
  return {
    as: (login) =>
      openScm({
        kind: "gitea",
        baseUrl: balancer.url,
        owner,
        repo,
        token: forge.tokenOf(login),
        retryBaseMs: 100,
      }),
    remote,
    approve: async (login, number) => {
      await forge.ask(login, "POST", `/repos/${place}/pulls/${number}/reviews`, { event: "APPROVED", body: "" });
    },
    passCheck: async (sha, name) => {
      await forge.ask("root", "POST", `/repos/${place}/statuses/${sha}`, { context: name, state: "success" });
    },
    openFromFork: async (branch) => {
      const name = `fork-${count}`;
      await forge.ask("ada", "POST", `/repos/${place}/forks`, { name });
      await remote.copyTo(`${forge.url}/ada/${name}.git`, "ada", `forks/ada/${branch}`, branch);
      const draft = { head: `ada:${branch}`, base: "main", title: branch };
      return Number((await forge.ask("ada", "POST", `/repos/${place}/pulls`, draft)).body.number);
    },
    closePullRequest: async (number) => {
      await forge.ask("ada", "PATCH", `/repos/${place}/pulls/${number}`, { state: "closed" });
    },
    team,
    setUnavailable: (down) => balancer.setDown(down),
    close: async () => remote.close(),
  };
}
