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

test("7.1 a bare name is a campaign's: one that main has is stopped, any other is refused with what there is", async () => {
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

const unknown: readonly { readonly args: readonly string[]; readonly wantErr: RegExp }[] = [
  {
    args: ["resume", "cluster/prod-c"],
    wantErr:
      /nothing to resume: there is no cluster prod-c\n {2}in force are:\n {4}pause-1 on all.*\n {6}meshroll resume all/,
  },
  { args: ["resume", "istio-1-24"], wantErr: /nothing to resume: there is no campaign istio-1-24\n/ },
  { args: ["unhold", "--id", "hold-99"], wantErr: /nothing to resume: no stop hold-99 is in force\n {2}in force are:/ },
];
test.each(unknown)("$args of what does not exist is an error, with what is in force", async ({ args, wantErr }) => {
  fleet.play({});
  const { code, stdout, stderr } = await meshroll(...args);
  expect({ code, stdout }).toEqual({ code: 65, stdout: "" });
  expect(stderr).toMatch(wantErr);
  expect(fleet.requests).toEqual([]);
});
