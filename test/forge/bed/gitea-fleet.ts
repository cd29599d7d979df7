import { join } from "node:path";

import { type GiteaAccounts, makeRepository, readReflogs } from "#sandbox/gitea";

import type { FleetScm } from "../../integration/fleet/fleet-scm.ts";

const place = "acme/rollouts";

/**
 * A fleet's repository on Gitea, which `meshroll` administers and `ben` may write. `repositories`: Gitea's folder of
 * repositories.
 */
export function describeGiteaFleet(forge: GiteaAccounts, repositories: string): FleetScm {
  const gitFolder = join(repositories, `${place}.git`);
  return {
    gitUrl: `${forge.url}/${place}.git`,
    token: forge.tokenOf("ana"),
    gitFolder,
    begin: async (files, { requiredChecks, requiredReviews }) =>
      makeRepository(forge, {
        owner: "acme",
        repo: "rollouts",
        rights: { ana: "admin", meshroll: "admin", ben: "write", cleo: "write" },
        files,
        requiredChecks,
        requiredReviews,
        ledgerWriters: ["meshroll", "ana"],
      }),
    listPushes: (toCluster) => readReflogs(gitFolder, toCluster),
  };
}

/** Settings of the planner, or of a person for `meshroll start`. */
export function describeGitea(forge: GiteaAccounts, who: "ana" | "meshroll"): Readonly<Record<string, string>> {
  return {
    MESHROLL_SCM: "gitea",
    MESHROLL_GITHUB_API_URL: forge.url,
    MESHROLL_GITHUB_REPOSITORY: place,
    MESHROLL_GITHUB_TOKEN: forge.tokenOf(who),
    MESHROLL_GIT_TOKEN: forge.tokenOf(who),
    MESHROLL_GITHUB_POLL_SECONDS: "1",
  };
}
