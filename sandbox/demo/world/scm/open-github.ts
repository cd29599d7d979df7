import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { demandReviews, startGithub } from "#sandbox/github";

import { demoRollouts, demoSettings } from "../files.ts";
import { users, webhookSecret } from "../users.ts";
import { type OpenDemoScm, requiredChecks, type ScmAddress } from "./demo-scm.ts";

/** The stand-in for GitHub at a URL, with the tokens of the demo's users. @internal */
export function addressGithub(url: string): ScmAddress {
  const { ana, ben, cleo, meshroll } = users;
  const tokens = { ana: ana.token, ben: ben.token, cleo: cleo.token, meshroll: meshroll.token };
  return { kind: "github", url, tokens };
}

/** Starts the stand-in for GitHub. meshroll is no administrator there. */
export const openGithub: OpenDemoScm = async ({ folder, clock, apiUrl }) => {
  const github = await startGithub({
    folder,
    owner: "acme",
    repo: "rollouts",
    users: Object.values(users),
    protection: { requiredChecks, requiredReviews: 0, ...demandReviews([users.meshroll.login]) },
    webhooks: [{ url: `${apiUrl}/webhooks/github`, secret: webhookSecret }],
    files: { "rollouts.yml": demoRollouts, "meshroll.yml": demoSettings },
    clock: () => clock.now(),
  });
  symlinkSync(join("acme", "rollouts.git"), join(folder, "rollouts.git"));
  return {
    address: addressGithub(github.url),
    gitUrl: github.gitUrl,
    introduction: ["GitHub stand-in: Airbnb's file; a merge needs two green checks"],
    listPushes: () => github.pushes,
    listApprovals: async () => github.approvals(),
    close: async () => github.close(),
  };
};
