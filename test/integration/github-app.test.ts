import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, test } from "vitest";

import { demandReviews, type GithubApp } from "#sandbox/github";
import { writeKey, makeApp, makeAppKeys } from "../../sandbox/github/test-app.ts";
import { RealFleet } from "./fleet/real-fleet.ts";
import { spyOnGit } from "./spy-on-git.ts";
import { useOwnBroker } from "./own-broker.ts";

const campaign = `apiVersion: meshroll.dev/v1
kind: Campaign
metadata: { name: to-new }
spec:
  target: new
  replaces: [old]
  defaults: { gates: [], batch: { batchSize: 2, delayBetweenBatches: 1s, readinessTimeout: 1m } }
  stages:
    - { name: shops, set: { "shop-.*": 100 }, bake: 5m, autoMerge: true }
    - { name: rest, set: { production: 100 }, bake: 5m, autoMerge: true }
`;
const rollouts = `production:\n  old: 100\n  new: 0\n"shop-.*":\n  old: 100\n  new: 0\n`;
const places = ["shop-a", "shop-b", "sink"];
/** Lifetime of an App's token, real time: shorter than the campaign and longer than a push, on a busy machine too. */
const tokenSeconds = 15;

const redis = useOwnBroker("redis", ["one"]);
const nats = useOwnBroker("nats", ["one"]);
let fleet: RealFleet | undefined;

afterEach(async () => {
  const ended = fleet;
  fleet = undefined;
  await ended?.end();
});

function listRevisions({ model }: RealFleet): string {
  const pods = places.flatMap((namespace) => model.podsOf({ namespace, kind: "Deployment", name: "web" }));
  return [...new Set(pods.map(({ revision }) => revision ?? ""))].toSorted().join("+");
}

/** GitHub settings of planner and executor: an App and its key, no token. */
function describeApp({ folder, github }: RealFleet, keyFile: string): Readonly<Record<string, string>> {
  return {
    ...spyOnGit(folder).env,
    MESHROLL_GIT_TOKEN: "",
    MESHROLL_GITHUB_APP_ID: "7100",
    MESHROLL_GITHUB_APP_KEY_FILE: keyFile,
    MESHROLL_GITHUB_REPOSITORY: "acme/rollouts",
    MESHROLL_GITHUB_API_URL: github.url,
    MESHROLL_GITHUB_POLL_SECONDS: "1",
    MESHROLL_SANDBOX_THROTTLE: "10",
  };
}

/** Every file that planner and executor wrote: logs, command lines, and all of their clones that is not a git object. */
function readTraces(folder: string): string {
  const logs = ["planner.log", "executor.log", "command-lines"].map((name) => join(folder, name));
  const clones = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    ({ name, parentPath }) =>
      parentPath.includes("clone-of-") && ["config", "FETCH_HEAD", "packed-refs"].includes(name),
  );
  const paths = [...logs, ...clones.map(({ name, parentPath }) => join(parentPath, name))];
  return paths.map((path) => readFileSync(path, "utf8")).join("\n");
}

/** A fleet of three namespaces on `old` at a GitHub where meshroll is an App; main has the campaign where it is given. */
async function startFleet(app: GithubApp, files: Readonly<Record<string, string>> = {}): Promise<RealFleet> {
  const made = new RealFleet({ redis: redis(), nats: nats() }, "one", 30);
  fleet = made;
  made.app = app;
  for (const name of ["old", "new"]) made.model.addIstiod(name);
  for (const ns of places) {
    made.model.addDeployment({ ns, name: "web", replicas: 2, labels: { "istio.io/rev": "old" }, readyMs: 5_000 });
  }
  if (files["campaigns/to-new.yml"] !== undefined) {
    made.requiredChecks = ["meshroll/plan", "meshroll/approvals"];
    const { rules = [], ...reviews } = demandReviews(["meshroll[bot]"]);
    made.reviewRules = { ...reviews, rules: [...rules, { type: "required_signatures" }] };
  }
  await made.start({ "rollouts.yml": rollouts, ...files });
  return made;
}

test("2.2 a GitHub App proposes, checks, merges and records a campaign while its tokens expire, and leaks none of them", async () => {
  const keys = makeAppKeys();
  const made = await startFleet(makeApp(keys, { tokenSeconds }), { "campaigns/to-new.yml": campaign });
  const env = describeApp(made, writeKey(made.folder, keys));
  made.startService("executor", { env });
  made.startService("planner", { env });
  await made.untilRunEnds(1);
  // As when a person revokes all tokens of the App.
  made.github.revokeTokens();
  await made.untilRunEnds(2);
  await made.until("all run the new one", () => listRevisions(made) === "new");
  const { tokens, requests } = made.github;
  const traces = readTraces(made.folder);

  expect((await made.runs()).map(({ state }) => state)).toEqual(["done", "done"]);
  // Two processes, each with its first token, one after expiry, and one after the revocation.
  expect(tokens.length).toBeGreaterThanOrEqual(6);
  expect(new Set(tokens.map(({ permissions }) => JSON.stringify(permissions)))).toEqual(
    new Set([
      '{"metadata":"read","contents":"read"}',
      '{"metadata":"read","contents":"write","pull_requests":"write","checks":"write","statuses":"write","members":"read"}',
    ]),
  );
  const merges = requests.filter(({ route, status }) => route?.endsWith("/merge") === true && status === 200);
  expect(merges.map(({ login }) => login)).toEqual(["meshroll[bot]", "meshroll[bot]"]);
  // Main takes signed commits alone, so GitHub made those of the stages.
  const signed = requests.filter(({ route }) => route === "POST /repos/{owner}/{repo}/git/commits");
  expect(signed.length).toBeGreaterThanOrEqual(2);
  expect(traces).toContain("fetch");
  const shown = tokens.filter(({ token }) =>
    [token, Buffer.from(`x-access-token:${token}`).toString("base64")].some((form) => traces.includes(form)),
  );
  expect(shown).toEqual([]);
});

test("2.1 a suspended App is named and moves nothing forward; stops and rollbacks work, and it continues by itself", async () => {
  const keys = makeAppKeys();
  const app = makeApp(keys);
  const made = await startFleet(app);
  const env = describeApp(made, writeKey(made.folder, keys));
  made.startService("executor", { env });
  made.startService("planner", { env });
  const move = (shops: number, rest: number): string =>
    `production:\n  old: ${100 - rest}\n  new: ${rest}\n"shop-.*":\n  old: ${100 - shops}\n  new: ${shops}\n`;
  await made.until("the cluster is seen", async () => (await made.status())?.clusters[0]?.fresh === true);
  await made.merge({ "rollouts.yml": move(100, 0) });
  const { id } = await made.untilRunEnds(1);
  app.suspended = true;
  made.github.revokeTokens();
  await made.merge({ "rollouts.yml": move(100, 100) });
  const named = async () => (await made.status())?.waiting.some(({ code }) => code === "AppSuspended") === true;
  await made.until("status names it", named);
  await made.request({ verb: "rollback", scope: `run/${id}`, now: true });
  await made.until("what the run moved is back", () => listRevisions(made) === "old");
  const moved = made.model
    .podsOf({ namespace: "sink", kind: "Deployment", name: "web" })
    .map(({ revision }) => revision);
  app.suspended = false;
  await made.until("it goes on", async () => !(await named()));
  await made.until("the stop is recorded", async () => Object.keys((await made.ledger()).stops).length > 0);

  expect(new Set(moved)).toEqual(new Set(["old"]));
});
