import { openScm, type Scm } from "#libs/scm";
import { runCli } from "#test/run-cli";
import { findGitea, type GiteaAccounts, type GiteaServer, openAccounts, startGitea } from "#sandbox/gitea";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { RealFleet } from "../integration/fleet/real-fleet.ts";
import { useOwnBroker } from "../integration/own-broker.ts";
import { describeGitea, describeGiteaFleet } from "./bed/gitea-fleet.ts";

const rollouts = `production:\n  old: 100\n"shop-.*":\n  old: 100\n`;
const campaign = `apiVersion: meshroll.dev/v1
kind: Campaign
metadata: { name: to-new }
spec:
  target: new
  replaces: [old]
  defaults: { gates: [], batch: { batchSize: 2, delayBetweenBatches: 1s, readinessTimeout: 1m } }
  stages:
    - { name: shops, set: { "shop-.*": 100 }, bake: 1m }
    - { name: rest, set: { production: 100 }, bake: 1m }
`;
const places = ["shop-a", "shop-b", "sink"];

const redis = useOwnBroker("redis", ["one"]);
const nats = useOwnBroker("nats", ["one"]);
let server: GiteaServer;
let forge: GiteaAccounts;

beforeAll(async () => {
  server = await startGitea(await findGitea({ env: process.env, log: () => undefined }));
  forge = await openAccounts(server, ["ana", "ben", "cleo", "meshroll"]);
});
afterAll(async () => server.close());

function listRevisions({ model }: RealFleet): string {
  const pods = places.flatMap((namespace) => model.podsOf({ namespace, kind: "Deployment", name: "web" }));
  return [...new Set(pods.map(({ revision }) => revision ?? ""))].toSorted().join("+");
}

async function startFleet(): Promise<RealFleet> {
  const fleet = new RealFleet({ redis: redis(), nats: nats() }, "one", 30);
  fleet.scm = describeGiteaFleet(forge, join(server.folder, "repositories"));
  fleet.requiredChecks = ["meshroll/plan", "meshroll/approvals"];
  for (const name of ["old", "new"]) fleet.model.addIstiod(name);
  for (const ns of places) {
    fleet.model.addDeployment({ ns, name: "web", replicas: 2, labels: { "istio.io/rev": "old" }, readyMs: 5_000 });
  }
  await fleet.start({ "rollouts.yml": rollouts });
  fleet.startService("executor");
  fleet.startService("planner", { env: describeGitea(forge, "meshroll") });
  await fleet.until("the cluster is seen", async () => (await fleet.status())?.clusters[0]?.fresh === true);
  return fleet;
}

/** These people approve the branch's open pull request, and the first of them merges it as soon as Gitea allows it. */
async function approveAndMerge(
  fleet: RealFleet,
  people: readonly Scm[],
  isMeant: (branch: string) => boolean,
): Promise<void> {
  const [first] = people;
  if (first === undefined) throw new Error("no one approves");
  const find = async () => (await first.listOpenPullRequests("main")).find(({ branch }) => isMeant(branch));
  await fleet.until("a pull request to approve", async () => (await find()) !== undefined);
  const pull = await find();
  if (pull === undefined) throw new Error("the pull request was closed before it was seen");
  expect(await first.merge(pull.number, pull.headSha)).toMatchObject({ kind: "refused" });
  for (const person of people) {
    const path = `/repos/acme/rollouts/pulls/${pull.number}/reviews`;
    await forge.ask((await person.ownLogin()) ?? "", "POST", path, { event: "APPROVED", body: "" });
  }
  const merge = async () => (await first.merge(pull.number, pull.headSha)).kind === "merged";
  try {
    await fleet.until(`${pull.branch} is merged`, merge, 90_000, 250);
  } catch (error) {
    const checks = await first.findChecks(pull.headSha);
    throw new Error(`Gitea does not merge #${pull.number}: ${JSON.stringify(checks)}`, { cause: error });
  }
}

test("2.2 a campaign is proposed, checked, approved, merged and rolled back on Gitea, and the auditor signs", async () => {
  const fleet = await startFleet();
  const where = { baseUrl: forge.url, owner: "acme", repo: "rollouts", retryBaseMs: 100 };
  const [ben, cleo] = ["ben", "cleo"].map((login) => openScm({ kind: "gitea", ...where, token: forge.tokenOf(login) }));
  if (ben === undefined || cleo === undefined) throw new Error("two people approve");
  const env = { ...fleet.env, ...describeGitea(forge, "ana"), USER: "ana" };
  const meshroll = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCli(args, { env, cwd: fleet.folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout;
  };

  mkdirSync(join(fleet.folder, "campaigns"));
  writeFileSync(join(fleet.folder, "campaigns", "to-new.yml"), campaign);
  const started = await meshroll("start", "campaigns/to-new.yml", "-y");
  // Gitea does not record who pushed: a pull request that is not a stage as its campaign says needs one more approval.
  await approveAndMerge(fleet, [ben, cleo], (branch) => !branch.startsWith("meshroll/"));
  for (const [done, stage] of ["shops", "rest"].entries()) {
    await approveAndMerge(fleet, [ben], (branch) => branch === `meshroll/to-new/${stage}`);
    await fleet.untilRunEnds(done + 1);
  }
  await fleet.until("all run the new one", () => listRevisions(fleet) === "new");
  await meshroll("rollback", "latest", "-y", "--reason", "a drill");
  await fleet.until("what the last run moved is back", () => listRevisions(fleet) === "new+old");
  await fleet.untilRunEnds(3);

  expect(started).toMatch(/pull request #1/u);
  expect((await fleet.runs()).map(({ state }) => state)).toEqual(["done", "done", "done"]);
  const pulls = await Promise.all([1, 2, 3, 4].map(async (number) => ben.findPullRequest(number)));
  expect(pulls.map((pull) => `${pull?.state} by ${pull?.mergedBy}`)).toEqual([
    "merged by ben",
    "merged by ben",
    "merged by ben",
    "merged by meshroll",
  ]);
  await fleet.end();
}, 280_000);
