import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { makeFolder, runCli } from "#test/run-cli";
import { afterAll, beforeAll, expect, test } from "vitest";

import { ScriptedFleet } from "./fleet/cli-scripted-fleet.ts";
import { useOwnBroker } from "./own-broker.ts";

const redis = useOwnBroker("redis");
const nats = useOwnBroker("nats");
let fleet: ScriptedFleet;

beforeAll(async () => {
  fleet = await ScriptedFleet.open(nats().url);
});
afterAll(async () => fleet.close());

interface Check {
  readonly code: string;
  readonly state: string;
  readonly message: string;
  readonly fix?: string;
}

async function examine(
  only: string,
  repo: string,
): Promise<{ readonly code: number; readonly checks: readonly Check[] }> {
  const env = {
    MESHROLL_NATS_URL: nats().urlOf("cli"),
    MESHROLL_REDIS_URL: redis().urlOf("cli"),
    XDG_CACHE_HOME: repo,
  };
  const { code, stdout } = await runCli(["doctor", "--only", only, "--repo", join(repo, "hub"), "-o", "json"], { env });
  return { code, checks: (JSON.parse(stdout) as { readonly checks: readonly Check[] }).checks };
}

/** A repository whose main gives half of the namespaces a revision that no cluster has. */
function makeRepository(): string {
  const folder = makeFolder({});
  const hub = join(folder, "hub");
  execFileSync("git", ["init", "-q", "-b", "main", hub]);
  writeFileSync(join(hub, "rollouts.yml"), "production:\n  old: 50\n  1-26-0: 50\n");
  execFileSync("git", ["-C", hub, "add", "."]);
  const who = ["-c", "user.name=ana", "-c", "user.email=ana@example.com"];
  execFileSync("git", ["-C", hub, ...who, "commit", "-q", "-m", "first"]);
  return folder;
}

test("doctor checks the brokers, names the services that have not written to them, and what no cluster has installed", async () => {
  const repo = makeRepository();
  const before = await examine("nats,redis", repo);
  expect(Object.fromEntries(before.checks.map((check) => [check.code, check.state]))).toEqual({
    MR9020: "ok",
    // No planner has created a bucket here.
    MR9024: "failed",
    MR9030: "ok",
    MR9031: "ok",
  });
  expect(before.code).toBe(79);
  await fleet.publishCluster("prod-a");
  await fleet.publishStatus();
  const after = await examine("nats", repo);
  expect({ code: after.code, failed: after.checks.filter(({ state }) => state !== "ok") }).toEqual({
    code: 0,
    failed: [],
  });
  const installed = await examine("k8s", repo);
  expect(installed.checks.find(({ code }) => code === "MR9064")).toMatchObject({
    state: "failed",
    message: "revision 1-26-0 has no injector webhook in prod-a",
    fix: "istioctl install --revision 1-26-0 # in cluster prod-a",
  });
  expect(installed.checks.find(({ code }) => code === "MR9070")).toMatchObject({
    state: "ok",
    message: "prod-a: every pod of a managed workload has a sidecar that is served",
  });
});

const states = ({ checks }: { readonly checks: readonly Check[] }) =>
  Object.fromEntries(checks.map(({ code, state }) => [code, state]));
const connected = { MR9020: "ok", MR9021: "ok", MR9022: "ok", MR9023: "ok", MR9024: "ok" };
const long = 600_000;

test.each([
  { name: "planner and executor have written lately", prepare: async () => undefined, want: connected, says: "prod-a" },
  {
    name: "no planner has ever written",
    prepare: async () => fleet.forgetStatus(),
    want: { ...connected, MR9022: "failed" },
    says: "no planner has ever written a status here",
  },
  {
    name: "the planner stopped writing",
    prepare: async () => fleet.publishStatus({}, { wroteAt: Date.now() - long }),
    want: { ...connected, MR9022: "failed" },
    says: "the planner wrote its last status 10 min ago",
  },
  {
    name: "an executor stopped writing",
    prepare: async () => fleet.publishCluster("prod-a", {}, "act", Date.now() - long),
    want: { ...connected, MR9023: "failed" },
    says: "not seen for a minute: prod-a",
  },
])("doctor where $name", async ({ prepare, want, says }) => {
  await fleet.publishCluster("prod-a");
  await fleet.publishStatus();
  await prepare();
  const examined = await examine("nats", makeRepository());
  expect(states(examined)).toEqual(want);
  expect(examined.checks.map(({ message }) => message).join("\n")).toContain(says);
});
