import { tmpdir } from "node:os";

import type { CampaignStatus } from "#libs/plan";
import { type Outcome, runCli } from "#test/run-cli";
import { afterAll, beforeAll, expect, test } from "vitest";

import { makeLedger, makeRun, makeStop, runId, sha } from "../world/build.ts";
import { ScriptedFleet } from "./fleet/cli-scripted-fleet.ts";
import { useOwnBroker } from "./own-broker.ts";

const nats = useOwnBroker("nats");
let fleet: ScriptedFleet;

const head = sha("head");
const runs = { [runId]: makeRun(head, sha("base")) };
const stops = { "pause-1": makeStop({ id: "pause-1", scope: "all", why: "us-east-1 incident" }) };
const other = runId.startsWith("0") ? `1${runId.slice(1)}` : `0${runId.slice(1)}`;
const campaigns = [{ name: "istio-1-25" } as unknown as CampaignStatus];

beforeAll(async () => {
  fleet = await ScriptedFleet.open(nats().url);
  for (const name of ["prod-a", "prod-b"]) await fleet.publishCluster(name);
  const ledger = makeLedger({ main: head, judged: head, runs, stops });
  await fleet.publishStatus({ ledger }, { campaigns });
});
afterAll(async () => fleet.close());

async function meshroll(...args: readonly string[]): Promise<Outcome> {
  const env = { MESHROLL_NATS_URL: nats().urlOf("cli"), USER: "ana", XDG_CACHE_HOME: tmpdir() };
  return runCli([...args, "--reason", "a drill"], { env });
}

test("7.1 a bare name is a campaign's: a known one is stopped, an unknown one is refused with a list of names", async () => {
  fleet.play({ stopped: ["prod-a", "prod-b"], answer: ({ id, scope }) => `stop ${id} on ${scope}` });
  const paused = await meshroll("pause", "istio-1-25");
  const [request] = fleet.requests;
  const rehearsed = await meshroll("hold", "campaign/istio-1-25", "--dry-run");
  const unknown = await meshroll("pause", "istio-1-24");
  const cluster = await meshroll("pause", "prod-a");
  expect(paused.code).toBe(0);
  expect(request?.scope).toBe("campaign/istio-1-25");
  expect(rehearsed.stdout).toContain("would hold campaign/istio-1-25");
  expect(unknown).toMatchObject({ code: 65, stderr: expect.stringContaining("known: istio-1-25") });
  expect(cluster).toMatchObject({ code: 65, stderr: expect.stringContaining("say  --cluster prod-a") });
});

const inForce = String.raw` {2}active stops:\n {4}pause-1 on all.*\n {6}meshroll resume all`;
const near = (kind: string, name: string, right: string): string =>
  String.raw`nothing to KIND: there is no ${kind} ${name}\n {2}did you mean ${right}\?\n {2}known: .*${right}.*\n${inForce}`;

const unknown: readonly { readonly args: readonly string[]; readonly want: string }[] = [
  { args: ["resume", "cluster/prod-c"], want: near("cluster", "prod-c", "prod-a") },
  { args: ["resume", "istio-1-24"], want: near("campaign", "istio-1-24", "istio-1-25") },
  { args: ["unhold", "istio-1-24"], want: near("campaign", "istio-1-24", "istio-1-25").replace("KIND", "unhold") },
  {
    args: ["resume", "istio-1-25"],
    want: `nothing to resume: no stop on exactly campaign/istio-1-25 is active\n${inForce}`,
  },
  {
    args: ["resume", "prod-a"],
    want: `there is no campaign prod-a\n {2}a cluster has this name: say {2}--cluster prod-a`,
  },
  {
    args: ["unhold", "--id", "hold-99"],
    want: `nothing to unhold: no stop hold-99 is active\n${inForce}`,
  },
  {
    args: ["resume", "--id", "pause-2"],
    want: String.raw`nothing to resume: no stop pause-2 is active\n {2}did you mean pause-1\?\n${inForce}`,
  },
  {
    args: ["pause", `run/${other}`],
    want: String.raw`is not open: nothing .*\n {2}did you mean run/${runId}\?\n {2}open: `,
  },
  { args: ["converge", "cluster/prod-c"], want: String.raw`there is no cluster prod-c: .*\n {2}did you mean prod-a\?` },
];
test.each(unknown)(
  "$args of an unknown name is refused with the nearest name, the known ones and what is in force",
  async ({ args, want }) => {
    fleet.play({});
    const { code, stdout, stderr } = await meshroll(...args);
    expect({ code, stdout }).toEqual({ code: 65, stdout: "" });
    expect(stderr).toMatch(new RegExp(want.replace("KIND", "resume")));
    expect(fleet.requests).toEqual([]);
  },
);
