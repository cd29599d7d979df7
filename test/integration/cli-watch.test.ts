import { tmpdir } from "node:os";
import { PassThrough, Writable } from "node:stream";

import { type Bus, openBus } from "#libs/bus";
import { testInstallation } from "#libs/input";
import { runCli } from "#test/run-cli";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { run } from "../../cli/run.ts";
import { makeStop } from "../world/build.ts";
import { type Instant, instantRun, makeInstant, statusOf } from "../world/campaigns/campaign-instant.ts";
import { useOwnBroker } from "./own-broker.ts";

const nats = useOwnBroker("nats");
let bus: Bus;
beforeAll(async () => {
  bus = await openBus({ installation: testInstallation, url: nats().url, name: "meshroll-test" });
});
afterAll(async () => bus.close());

async function publish(instant: Instant = {}): Promise<void> {
  const status = { ...statusOf(makeInstant(instant)), wroteAt: Date.now() };
  await bus.bucket("status").put("fleet", JSON.stringify(status));
}

const allMigrated = () => "migrated" as const;
const failures = { f: makeStop({ id: "f", scope: `run/${instantRun}`, cause: "failures", why: "3 failed" }) };
const over = { state: "done", endedAt: "2026-11-20T11:00:00.000Z" } as const;

const env = () => ({ MESHROLL_NATS_URL: nats().urlOf("cli"), USER: "ana", XDG_CACHE_HOME: tmpdir(), TZ: "UTC" });

async function meshroll(args: readonly string[]) {
  return runCli(args, { env: env(), cwd: tmpdir() });
}

/** Collects what a command prints. */
class Paper extends Writable {
  text = "";
  readonly isTTY: boolean;
  readonly written: Promise<void>;
  #note: () => void = () => undefined;
  #awaited: string;

  constructor(isTTY: boolean, awaited: string) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
    this.#awaited = awaited;
    this.written = new Promise((resolve) => (this.#note = resolve));
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    if (this.text.includes(this.#awaited)) this.#note();
    done();
  }
}

/** Starts a command and waits until it has printed `awaited`. */
async function start(args: readonly string[], awaited: string, isTTY = false) {
  const [stdout, stderr] = [new Paper(isTTY, awaited), new Paper(isTTY, "")];
  const code = run(args, { stdin: new PassThrough(), stdout, stderr, cwd: tmpdir(), env: env() });
  await Promise.race([stdout.written, code]);
  return { stdout, stderr, code };
}

describe("wait", () => {
  test("in a pipe it prints only transitions, and ends with 0 when the condition holds", async () => {
    await publish();
    const args = ["wait", "istio-1-25", "--for", "stage=prod-25=Completed", "--timeout", "1m"];
    const waiting = await start(args, "is Running\n");
    await publish({ progress: allMigrated, run: over });
    expect(await waiting.code).toBe(0);
    expect(waiting.stderr.text).toBe("");
    const stdout = waiting.stdout.text;
    expect(stdout).toContain("2026-11-19 11:43:00 UTC  stage prod-25 of istio-1-25 is Running\n");
    expect(stdout).toContain("2026-11-19 11:43:00 UTC  stage prod-25 of istio-1-25 is Completed\n");
    // A state that does not change is not printed again.
    expect(stdout.split("campaign istio-1-25 is InProgress")).toHaveLength(2);
    expect(stdout).not.toContain("\u001B");
  });

  test("it ends with 8 at the timeout, and with 80 when the rollout failed", async () => {
    await publish();
    expect((await meshroll(["wait", "istio-1-25", "--for", "stage=prod-25=Baked", "--timeout", "1s"])).code).toBe(8);
    await publish({ stops: failures });
    const failed = await meshroll(["wait", "istio-1-25", "--for", "stage=prod-25=Baked", "--timeout", "1m"]);
    expect(failed.code).toBe(80);
    expect(failed.stderr).toBe("! stage prod-25 failed:\n  meshroll get failures istio-1-25\n");
  });

  test("-o json prints an object per line, for each change", async () => {
    await publish({ stops: failures });
    const { stdout, code } = await meshroll(["wait", "istio-1-25", "-o", "json"]);
    const lines = stdout.trimEnd().split("\n");
    expect({ code, lines: lines.length }).toEqual({ code: 80, lines: 1 });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      apiVersion: "meshroll.dev/v1",
      kind: "CampaignStatus",
      state: "Failed",
    });
  });

  test("an unknown campaign or stage is refused at once", async () => {
    await publish();
    const unknown = await meshroll(["wait", "istio-9"]);
    expect({ code: unknown.code, stderr: unknown.stderr }).toEqual({
      code: 65,
      stderr: "meshroll: there is no campaign istio-9\n  did you mean istio-1-25?\n  known: istio-1-25\n",
    });
    expect((await meshroll(["wait", "istio-1-25", "--for", "stage=prod-7=Baked"])).code).toBe(65);
    expect((await meshroll(["wait", "istio-1-25", "--for", "Baked"])).code).toBe(64);
  });
});

describe("watch", () => {
  test("in a pipe it prints what failed and ends with 80, without escape sequences", async () => {
    await publish({ stops: failures });
    const { code, stdout } = await meshroll(["watch", "istio-1-25"]);
    expect(code).toBe(80);
    expect(stdout).toContain("stop f on run/");
    expect(stdout).not.toContain("\u001B");
  });

  test("on a terminal it uses the alternate screen, and leaves its last picture when the campaign is complete", async () => {
    await publish();
    const watching = await start(["watch", "istio-1-25"], "prod-25", true);
    const status = statusOf(makeInstant({ progress: allMigrated, run: over }));
    const campaigns = status.campaigns?.map((each) => ({ ...each, state: "Completed" }));
    await bus.bucket("status").put("fleet", JSON.stringify({ ...status, campaigns, wroteAt: Date.now() }));
    expect(await watching.code).toBe(0);
    const stdout = watching.stdout.text;
    expect(stdout.startsWith("\u001B[?1049h")).toBe(true);
    const [, after = ""] = stdout.split("\u001B[?1049l");
    expect(after).toContain("istio-1-25");
    expect(after.split("\n").length).toBeLessThanOrEqual(24);
    expect(after).not.toContain("\u001B");
  });
});

describe("get", () => {
  test("campaigns, stages, batches and holds come from the planner's status", async () => {
    await publish({ stops: failures });
    const names = await meshroll(["get", "campaigns", "-o", "name"]);
    expect(names).toEqual({ code: 0, stdout: "campaign/istio-1-25\n", stderr: "" });
    const holds = await meshroll(["get", "holds", "-o", "json"]);
    expect(JSON.parse(holds.stdout)).toMatchObject({ kind: "HoldList", items: [{ id: "f", cause: "failures" }] });
    expect((await meshroll(["get", "stages", "istio-1-25"])).stdout).toContain("prod-25");
  });

  test("an empty list prints a note on stderr; an unknown kind is refused", async () => {
    await publish();
    expect(await meshroll(["get", "holds"])).toEqual({ code: 0, stdout: "", stderr: "no holds\n" });
    expect((await meshroll(["get", "stop"])).stderr).toBe("no stops\n");
    expect((await meshroll(["get", "pods"])).code).toBe(64);
    expect((await meshroll(["get", "fleet"])).code).toBe(64);
  });
});

describe("one thing in full", () => {
  const cases: readonly { readonly args: readonly string[]; readonly want: string }[] = [
    { args: [`run/${instantRun}`], want: `Name:     ${instantRun}\n` },
    { args: [instantRun], want: `Name:     ${instantRun}\n` },
    { args: ["run", instantRun], want: `Name:     ${instantRun}\n` },
    { args: ["campaign", "istio-1-25"], want: "NAME         CAMPAIGN    N    SET" },
    { args: ["stage/istio-1-25/prod-25"], want: "State:     Failed\n" },
    { args: ["cluster", "prod-use1-b"], want: "On desired:  18/20\n" },
    { args: ["hold/f"], want: "Kind:   pause\n" },
  ];
  test.each(cases)("$args", async ({ args, want }) => {
    await publish({ stops: failures });
    const { code, stdout } = await meshroll(["describe", ...args]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(want) as string });
  });

  test("has the object of get, and refuses what is not there with 65", async () => {
    await publish({ stops: failures });
    for (const args of [
      ["hold", "f"],
      ["stage", "istio-1-25/prod-25"],
      ["cluster", "prod-use1-b"],
    ]) {
      const told = await meshroll(["describe", ...args, "-o", "json"]);
      expect(told).toEqual(await meshroll(["get", ...args, "-o", "json"]));
      expect((JSON.parse(told.stdout) as { readonly items: readonly unknown[] }).items).toHaveLength(1);
    }
    const unknownRun = ["run/ffffffffffff"];
    for (const command of ["get", "status", "describe", "watch", "wait"])
      expect([command, (await meshroll([command, ...unknownRun])).code]).toEqual([command, 65]);
    const paused = await meshroll(["pause", ...unknownRun, "--reason", "x"]);
    expect(paused.code).toBe(65);
    expect((await meshroll(["watch", `run/${instantRun}`])).stderr).toContain(`meshroll describe run/${instantRun}`);
    expect((await meshroll(["status", instantRun])).stdout).toContain(`Name:     ${instantRun}\n`);
    for (const args of [["run/ffffffffffff"], ["hold", "g"], ["stage", "x"], ["cluster", "x"], ["campaign", "x"]])
      expect((await meshroll(["describe", ...args])).code).toBe(65);
  });
});

describe("status", () => {
  test("of one campaign, as text and as an object with its answers in words", async () => {
    await publish();
    const human = await meshroll(["status", "istio-1-25"]);
    expect(human.code).toBe(0);
    expect(human.stdout).toContain("  where      production: requested 25 %, actual 14.2 % (17 of 120)\n");
    const json = JSON.parse((await meshroll(["status", "istio-1-25", "-o", "json"])).stdout) as object;
    expect(json).toMatchObject({
      kind: "CampaignStatus",
      answers: { stop: { command: 'meshroll pause istio-1-25 --reason "…"' } },
    });
  });

  test("of the fleet it lists the campaigns, and -o json keeps its object", async () => {
    await publish();
    expect((await meshroll(["status"])).stdout).toContain("\nNAME        TARGET  STAGE    N    STATE");
    const json = JSON.parse((await meshroll(["status", "-o", "json"])).stdout) as object;
    expect(json).toMatchObject({
      kind: "FleetStatus",
      campaigns: [{ name: "istio-1-25" }],
      answers: { next: [{ text: expect.any(String) }] },
    });
  });
});
