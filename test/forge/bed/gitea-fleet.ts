import { join } from "node:path";

import type { FleetScm } from "../../integration/fleet/fleet-scm.ts";
import type { Forge } from "./forge-api.ts";
import { openPushes } from "./pushes.ts";
import { readReflogs } from "./read-reflogs.ts";

const place = "acme/rollouts";

/**
 * A fleet's repository on Gitea, which `meshroll` administers and `ben` may write. `repositories`: Gitea's folder of
 * repositories.
 */
export function describeGiteaFleet(forge: Forge, repositories: string): FleetScm {
  const gitFolder = join(repositories, `${place}.git`);
  return {
    gitUrl: `${forge.url}/${place}.git`,
    token: forge.tokenOf("ana"),
    gitFolder,
    async begin(files, { requiredChecks, requiredReviews }) {
      await forge.ask("root", "POST", "/orgs", { username: "acme" });
      await forge.ask("root", "POST", "/orgs/acme/repos", {
        name: "rollouts",
        default_branch: "main",
        auto_init: true,
      });
      const rights = { ana: "admin", meshroll: "admin", ben: "write", cleo: "write" };
      for (const [login, permission] of Object.entries(rights)) {
        await forge.ask("root", "PUT", `/repos/${place}/collaborators/${login}`, { permission });
      }
      const pushes = openPushes(forge, place, []);
      await pushes.commitTo("main", { files });
      pushes.close();
      await forge.ask("root", "POST", `/repos/${place}/branch_protections`, {
        rule_name: "main",
        enable_push: true,
        required_approvals: requiredReviews,
        enable_status_check: true,
        status_check_contexts: requiredChecks,
        dismiss_stale_approvals: true,
      });
      await forge.ask("root", "POST", `/repos/${place}/branch_protections`, {
        rule_name: "meshroll/ledger",
        enable_push: true,
        enable_push_whitelist: true,
        push_whitelist_usernames: ["meshroll", "ana"],
      });
    },
    listPushes: (toCluster) => readReflogs(gitFolder, toCluster),
  };
}

/** Settings of the planner, or of a person for `meshroll start`. */
export function describeGitea(forge: Forge, who: "ana" | "meshroll"): Readonly<Record<string, string>> {
  return {
    MESHROLL_SCM: "gitea",
    MESHROLL_GITHUB_API_URL: forge.url,
    MESHROLL_GITHUB_REPOSITORY: place,
    MESHROLL_GITHUB_TOKEN: forge.tokenOf(who),
    MESHROLL_GIT_TOKEN: forge.tokenOf(who),
    MESHROLL_GITHUB_POLL_SECONDS: "1",
  };
}
