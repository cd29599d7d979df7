import { tmpdir } from "node:os";

import { runCli } from "#test/run-cli";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeLedger, makeRun, makeStop, runId, sha } from "../world/build.ts";
import { ScriptedFleet } from "./fleet/cli-scripted-fleet.ts";
import { useOwnBroker } from "./own-broker.ts";

const nats = useOwnBroker("nats");
let fleet: ScriptedFleet;

const head = sha("head");
const changes = [{ pattern: "production", from: "old", to: "new", direction: "forward" as const }];
const ours = {
  "failed-1": makeStop({ id: "failed-1", scope: "all", cause: "forcedPush", why: "main was rewritten" }),
};
const both = { ...ours, "pause-1": makeStop({ id: "pause-1", scope: "all", why: "a drill" }) };

beforeAll(async () => {
  fleet = await ScriptedFleet.open(nats().url);
  await fleet.publishCluster("prod-a");
});
afterAll(async () => fleet.close());

describe("a script, which cannot be asked, resumes a scope on which meshroll itself placed a stop", () => {
  const cases = [
    {
      name: "that one alone: it is refused, with the command that names it",
      stops: ours,
      args: ["all"],
      want: { code: 83, ids: [] },
      err: /meshroll placed failed-1 on all itself: main was rewritten\n {2}meshroll resume --id failed-1 --yes --reason/,
    },
    {
      name: "and a person another: that one ends",
      stops: both,
      args: ["all"],
      want: { code: 0, ids: ["pause-1"] },
      err: /^$/,
    },
    { name: "by its id", stops: ours, args: ["--id", "failed-1"], want: { code: 0, ids: ["failed-1"] }, err: /^$/ },
  ];
  it.each(cases)("$name", async ({ stops, args, want, err }) => {
    const runs = { [runId]: makeRun(head, sha("base"), { changes }) };
    await fleet.publishStatus({ ledger: makeLedger({ main: head, judged: head, runs, stops }) });
    fleet.play({ answer: ({ stops: ids = [] }) => `resumed ${ids.join(", ")}` });
    const env = { MESHROLL_NATS_URL: nats().urlOf("cli"), USER: "ana", XDG_CACHE_HOME: tmpdir(), TZ: "UTC" };
    const done = await runCli(["resume", ...args, "--yes", "--reason", "a drill"], { env, cwd: tmpdir() });
    const ids = fleet.requests.flatMap((request) => request.stops ?? []);
    expect([done.code, ids]).toEqual([want.code, want.ids]);
    expect(done.stderr).toMatch(err);
  });
});
