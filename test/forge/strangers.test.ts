import { openScm, type Scm } from "#libs/scm";
import { findGitea, type GiteaAccounts, type GiteaServer, openAccounts, startGitea } from "#sandbox/gitea";
import { afterAll, beforeAll, expect, test } from "vitest";

import { openPushes, type Pushes } from "./bed/pushes.ts";

const place = "ada/rollouts";

let server: GiteaServer;
let forge: GiteaAccounts;
let pushes: Pushes;
let scm: Scm;

beforeAll(async () => {
  server = await startGitea(await findGitea({ env: process.env, log: () => undefined }));
  // One of them has the login `meshroll`: Gitea would name that person's branches `meshroll/…`, as ours.
  forge = await openAccounts(server, ["ada", "bot", "meshroll"]);
  await forge.ask("ada", "POST", "/user/repos", { name: "rollouts", default_branch: "main", auto_init: true });
  await forge.ask("ada", "PUT", `/repos/${place}/collaborators/bot`, { permission: "admin" });
  pushes = openPushes(forge, place, ["ada", "bot", "meshroll"]);
  const token = forge.tokenOf("bot");
  scm = openScm({ kind: "gitea", baseUrl: forge.url, owner: "ada", repo: "rollouts", token, retryBaseMs: 100 });
});

afterAll(async () => {
  pushes.close();
  await server.close();
});

test("a pull request that a reader pushes for review, without branch and fork, counts as a stranger's", async () => {
  await pushes.commitTo("main", { files: { "rollouts.yml": "one\n" } });
  await pushes.commitTo("forks/change", { files: { "rollouts.yml": "two\n" } });
  const sha = await pushes.pushForReview("meshroll", "forks/change", "istio-1-25/prod-25");
  expect(await scm.permissionOf("meshroll")).toBe("read");
  const open = await scm.listOpenPullRequests("main");
  expect(open.map(({ author, headSha, fork }) => ({ author, headSha, fork }))).toEqual([
    { author: "meshroll", headSha: sha, fork: true },
  ]);
  const [pull] = open;
  expect(await scm.findPullRequests("meshroll/istio-1-25/prod-25")).toEqual([]);
  expect(await scm.findPullRequests(pull?.branch ?? "")).toEqual([]);
});
