import { cpSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";

import {
  type GiteaProgram,
  type GiteaServer,
  listApprovals,
  makeRepository,
  openAccounts,
  readReflogs,
  startGitea,
} from "#sandbox/gitea";

import { demoRollouts, demoSettings } from "../files.ts";
import { type Login, users, webhookSecret } from "../users.ts";
import { type DemoScm, type OpenDemoScm, requiredChecks, type ScmParts } from "./demo-scm.ts";

const place = "acme/rollouts";

/** Replaces the link to Gitea's repository, which goes with the server, by a copy for whom looks at it later. */
function keepRepository(gitFolder: string, link: string): void {
  rmSync(link, { force: true });
  // Its hooks call the Gitea that is gone then.
  cpSync(gitFolder, link, { recursive: true, filter: (path) => basename(path) !== "hooks" });
}

async function setUp(server: GiteaServer, { folder, toClusterTime, apiUrl }: ScmParts): Promise<DemoScm> {
  const accounts = await openAccounts(server, Object.keys(users));
  await makeRepository(accounts, {
    owner: "acme",
    repo: "rollouts",
    // Gitea tells permissions of others to administrators only, and the planner must know them.
    rights: { ana: "admin", meshroll: "admin", ben: "write", cleo: "write" },
    files: { "rollouts.yml": demoRollouts, "meshroll.yml": demoSettings },
    requiredChecks,
    requiredReviews: 0,
    ledgerWriters: ["meshroll"],
    webhook: { url: `${apiUrl}/webhooks/github`, secret: webhookSecret },
  });
  const gitFolder = join(server.folder, "repositories", `${place}.git`);
  const link = join(folder, "rollouts.git");
  symlinkSync(gitFolder, link);
  const tokenOf = (login: Login): string => accounts.tokenOf(login);
  const tokens = { ana: tokenOf("ana"), ben: tokenOf("ben"), cleo: tokenOf("cleo"), meshroll: tokenOf("meshroll") };
  return {
    address: { kind: "gitea", url: server.url, tokens },
    gitUrl: `${server.url}/${place}.git`,
    introduction: [
      `Gitea ${server.version}, a real one: ${server.url}/${place}`,
      "  Airbnb's file; a merge needs two green statuses",
    ],
    listPushes: () => readReflogs(gitFolder, toClusterTime),
    listApprovals: async () => {
      const seen = await listApprovals(accounts, place);
      return seen.map(({ at, ...approval }) => ({ ...approval, at: toClusterTime(at) }));
    },
    async close() {
      try {
        keepRepository(gitFolder, link);
      } finally {
        await server.close();
      }
    },
  };
}

/** Starts this Gitea as it is configured for production (docs/how-to/run-on-gitea.md). */
export function openGitea(program: GiteaProgram): OpenDemoScm {
  return async (parts) => {
    const server = await startGitea(program);
    try {
      return await setUp(server, parts);
    } catch (error) {
      await server.close();
      throw error;
    }
  };
}
