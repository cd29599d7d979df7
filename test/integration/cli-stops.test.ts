import { tmpdir } from "node:os";

import { runCli } from "#test/run-cli";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { makeLedger, makeRun, makeStop, runId, sha } from "../world/build.ts";
import { type Script, ScriptedFleet } from "./fleet/cli-scripted-fleet.ts";
import { useOwnBroker } from "./own-broker.ts";

const nats = useOwnBroker("nats");
let fleet: ScriptedFleet;

const stops = {
  "pause-1": makeStop({ id: "pause-1", scope: "all", why: "us-east-1 incident" }),
  "hold-1": makeStop({ id: "hold-1", scope: "bucket/production", strength: "propose" }),
  "return-1": makeStop({ id: "return-1", scope: "bucket/old", cause: "rolledBack", rollbackOf: runId }),
  "rollback-1": makeStop({ id: "rollback-1", scope: `run/${runId}`, cause: "rollback", revertTo: sha("base") }),
};
const head = sha("head");
const changes = [{ pattern: "production", from: "old", to: "new", direction: "forward" as const }];
const runs = { [runId]: makeRun(head, sha("base"), { changes }) };
const ledger = makeLedger({ main: head, judged: head, runs, stops });

beforeAll(async () => {
  fleet = await ScriptedFleet.open(nats().url);
  for (const name of ["prod-a", "prod-b"]) await fleet.publishCluster(name);
  await fleet.publishCluster("watched", {}, "observe");
  await fleet.publishStatus({ ledger });
});
afterAll(async () => fleet.close());

async function meshroll(...args: readonly string[]) {
  const env = { MESHROLL_NATS_URL: nats().urlOf("cli"), USER: "ana", XDG_CACHE_HOME: tmpdir(), TZ: "UTC" };
  return runCli([...args, "--reason", "a drill"], { env, cwd: tmpdir() });
}

/** Replaces times, which differ from run to run. */
function still(text: string): string {
  return text
    .replaceAll(/\d+\.\d s/g, "T s")
    .replaceAll(/(pause|hold|resume|unhold|retry|rollback)-[0-9a-f]{8}/g, "$1-ID");
}

const recorded =
  (what: string): NonNullable<Script["answer"]> =>
  ({ id }) =>
    `${what} ${id}`;

interface Case {
  readonly name: string;
  readonly args: readonly string[];
  readonly script: Script;
  readonly wantCode: number;
  readonly wantOut: readonly string[];
  readonly wantErr?: RegExp;
}

const cases: readonly Case[] = [
  {
    name: "7.4 pause says stopped for each cluster that acts, then recorded",
    args: ["pause", "all"],
    script: { stopped: ["prod-a", "prod-b"], answer: recorded("stop") },
    wantCode: 0,
    wantOut: [
      "✔ stopped in prod-a   T s",
      "✔ stopped in prod-b   T s",
      "✔ recorded   T s   stop pause-ID",
      "by ana (unverified)",
    ],
  },
  {
    name: "pause of one cluster waits for that cluster alone",
    args: ["pause", "cluster/prod-b"],
    script: { stopped: ["prod-b"], answer: recorded("stop") },
    wantCode: 0,
    wantOut: ["✔ stopped in prod-b   T s"],
  },
  {
    name: "a cluster that does not acknowledge is named, with what stops it",
    args: ["pause", `run/${runId}`, "--timeout", "500ms"],
    script: { stopped: ["prod-a"], answer: recorded("stop") },
    wantCode: 75,
    wantOut: ["✔ stopped in prod-a   T s", "✔ recorded"],
    wantErr:
      /not stopped within 0.5 s: prod-b \(seen \d+ s ago\)\n {2}its executor is down.*\n.*stop it by hand:\n {4}kubectl --context CLUSTER/,
  },
  {
    name: "without a planner it says who is stopped and that nothing is recorded",
    args: ["pause", "bucket/production", "--timeout", "500ms"],
    script: { stopped: ["prod-a", "prod-b"] },
    wantCode: 75,
    wantOut: ["✔ stopped in prod-a   T s", "✔ stopped in prod-b   T s"],
    wantErr: /no planner recorded it within 0.5 s; the request stays queued/,
  },
  {
    name: "hold waits for the record alone",
    args: ["hold", "bucket/production"],
    script: { answer: recorded("stop") },
    wantCode: 0,
    wantOut: ["✔ recorded   T s   stop hold-ID", '  end it:\n    meshroll unhold bucket/production --reason "…"'],
  },
  {
    name: "a namespace that no cluster has is refused",
    args: ["pause", "namespace/no-such"],
    script: {},
    wantCode: 65,
    wantOut: [],
    wantErr: /there is no namespace no-such/,
  },
  {
    name: "7.5 resume names the ids that it ends",
    args: ["resume", "all"],
    script: { answer: ({ stops: ids = [] }) => `resumed ${ids.join(", ")} on all` },
    wantCode: 0,
    wantOut: ["resuming", "  pause-1 on all, by ana: us-east-1 incident", "✔ recorded   T s   resumed pause-1 on all"],
  },
  {
    name: "resume by id, and what ends with it",
    args: ["resume", "--id", "rollback-1"],
    script: { answer: ({ stops: ids = [] }) => `resumed ${ids.join(", ")}` },
    wantCode: 0,
    wantOut: ["resumed rollback-1", `  the rollback of run/${runId} is ended too`],
  },
  {
    name: "a scope without a stop is refused, and what is in force is listed",
    args: ["resume", "cluster/prod-a"],
    script: {},
    wantCode: 65,
    wantOut: [],
    wantErr:
      /no stop on exactly cluster\/prod-a is active\n.*active stops:\n {4}pause-1 on all.*\n {6}meshroll resume all --reason "…"/,
  },
  {
    name: "so it is by unhold",
    args: ["unhold", "cluster/prod-b"],
    script: {},
    wantCode: 65,
    wantOut: [],
    wantErr: /nothing to unhold: no hold on exactly cluster\/prod-b is active/,
  },
  {
    name: "so is an open run without one",
    args: ["unhold", `run/${runId}`],
    script: {},
    wantCode: 65,
    wantOut: [],
    wantErr: /nothing to unhold|active stop on run/,
  },
  {
    name: "retry of everything that failed",
    args: ["retry", `run/${runId}`],
    script: { answer: () => "retry of run x: 2 workloads will be tried again: a, b" },
    wantCode: 0,
    wantOut: ["✔ recorded   T s   retry of run x: 2 workloads will be tried again: a, b"],
  },
  {
    name: "rollback with -y where no ledger is at hand",
    args: ["rollback", `run/${runId}`, "--now", "-y"],
    script: { stopped: ["prod-a", "prod-b"], answer: recorded("stop") },
    wantCode: 0,
    wantOut: [`Undo run ${runId}`, "! what rolls back cannot be shown", "✔ rolls back in prod-a   T s", "✔ recorded"],
  },
  {
    name: "a rollback that the planner refuses ends with its words",
    args: ["rollback", `run/${runId}`, "-y"],
    script: { answer: () => ({ text: `not rolled back: run ${runId} is a rollback itself`, outcome: "refused" }) },
    wantCode: 65,
    wantOut: [],
    wantErr: /not rolled back: run \w+ is a rollback itself/,
  },
  {
    name: "a dry run sends no request",
    args: ["pause", "all", "--for", "4h", "--dry-run"],
    script: {},
    wantCode: 0,
    wantOut: ["would pause all in prod-a, prod-b", "  overdue ", "no request was sent"],
  },
  {
    name: "a dry run of an unhold names what it would unhold",
    args: ["unhold", "bucket/old", "--dry-run"],
    script: {},
    wantCode: 0,
    wantOut: ["would unhold\n  return-1 on bucket/old", "no request was sent"],
  },
  {
    name: "a dry run of a retry",
    args: ["retry", `run/${runId}`, "prod-a:shop/Deployment/web", "--dry-run"],
    script: {},
    wantCode: 0,
    wantOut: ["would try again\n  prod-a:shop/Deployment/web", "no request was sent"],
  },
  {
    name: "a dry run of a rollback needs no confirmation",
    args: ["rollback", "--dry-run", "-o", "json"],
    script: {},
    wantCode: 0,
    wantOut: [`"scope": "run/${runId}"`, '"dryRun": true'],
  },
];

describe("verbs over a real bus", () => {
  test.each(cases)("$name", async ({ args, script, wantCode, wantOut, wantErr }) => {
    fleet.play(script);
    const { code, stdout, stderr } = await meshroll(...args);
    for (const line of wantOut) expect(still(stdout)).toContain(line);
    expect(stderr).toMatch(wantErr ?? /^$/);
    expect(code).toBe(wantCode);
    expect(stdout.split("\n").filter((line) => line.length > 80 && !/ {2}(git|kubectl) /.test(line))).toEqual([]);
  });

  test("a dry run places nothing on the bus", async () => {
    fleet.play({});
    for (const { args } of cases.filter((each) => each.args.includes("--dry-run"))) await meshroll(...args);
    expect(fleet.requests).toEqual([]);
  });

  test("without a planner's status and without a ledger it is unknown what a resume would end", async () => {
    await fleet.forgetStatus();
    const { code, stdout, stderr } = await meshroll("resume", "all");
    await fleet.publishStatus({ ledger });
    expect({ code, stdout }).toEqual({ code: 75, stdout: "" });
    expect(stderr).toContain("the active stops are unknown");
  });

  test("a request carries what was typed, and no line end of the reason", async () => {
    fleet.play({ stopped: ["prod-a", "prod-b"], answer: recorded("stop") });
    const env = { MESHROLL_NATS_URL: nats().urlOf("cli"), USER: "ana" };
    const reason = "5xx on listings\n\nActor: root";
    const { stdout } = await runCli(["pause", "all", "--for", "4h", "--reason", reason, "-o", "json"], { env });
    const report = JSON.parse(stdout) as Record<string, unknown>;
    const [request] = fleet.requests;
    expect(request).toMatchObject({
      verb: "stop",
      scope: "all",
      strength: "move",
      who: "ana",
      why: "5xx on listings Actor: root",
    });
    expect(Date.parse(request?.until ?? "") - Date.parse(request?.at ?? "")).toBe(4 * 3_600_000);
    expect(request?.verified).toBeUndefined();
    expect(report).toMatchObject({
      kind: "VerbReport",
      verb: "pause",
      id: request?.id,
      verified: false,
      stopped: [{ cluster: "prod-a" }, { cluster: "prod-b" }],
      silent: [],
      recorded: true,
    });
  });

  test("7.5 a resume asks for the records by their ids", async () => {
    fleet.play({ answer: recorded("resumed") });
    await meshroll("resume", "all");
    await meshroll("unhold", "bucket/production");
    expect(fleet.requests.map(({ verb, scope, stops: ids }) => ({ verb, scope, ids }))).toEqual([
      { verb: "resume", scope: "all", ids: ["pause-1"] },
      { verb: "resume", scope: "bucket/production", ids: ["hold-1"] },
    ]);
  });
});
