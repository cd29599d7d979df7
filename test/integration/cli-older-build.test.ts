import { openBus } from "#libs/bus";
import { nameAnswerKey, printAnswer, readRequest } from "#libs/events";
import { newestFormat, testInstallation } from "#libs/input";
import { runCli } from "#test/run-cli";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { editFiles } from "../formats/edit-ledger.ts";
import { readFixture } from "../formats/fixture.ts";
import { useOwnBroker } from "./own-broker.ts";

// What a command line of this build says of a fleet whose ledger a newer build has raised: what real processes wrote, with
// the next version in it, on a real NATS and in a real repository.
const nats = useOwnBroker("nats");
const next = newestFormat + 1;
const { records, ledger } = readFixture(newestFormat);
const rollouts = "production:\n  1-24-5: 50\n  1-25-2: 50\n";

const opened: { folder?: string; end?: () => Promise<void> } = {};

function git(folder: string, ...args: readonly string[]): void {
  const who = ["-c", "user.name=ana", "-c", "user.email=ana@localhost"];
  execFileSync("git", [...who, "-C", folder, ...args], { stdio: "ignore" });
}

function commit(folder: string, branch: string, files: Readonly<Record<string, string>>): void {
  git(folder, "checkout", "--orphan", branch);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    git(folder, "add", path);
  }
  git(folder, "commit", "-m", branch);
}

function raise(text: string): string {
  return JSON.stringify({ ...(JSON.parse(text) as object), version: next });
}

function makeStop(id: string, strength: string): object {
  const why = { who: "ana", why: "a drill", cause: "verb", from: "ledger", overdue: false, command: "" };
  return { id, scope: "all", strength, ...why };
}

/** The inventory of a newer build, and a planner of it that answers each verb. */
async function openNewerFleet(): Promise<() => Promise<void>> {
  const bus = await openBus({ installation: testInstallation, url: nats().url, name: "meshroll-newer", patient: true });
  const stop = new AbortController();
  const [control, status, inventory] = [bus.bucket("control"), bus.bucket("status"), bus.bucket("inventory")];
  for (const kind of ["cluster facts", "namespace inventory"] as const) {
    const { key, text } = records[kind]!;
    await inventory.put(key, raise(text));
  }
  await control.put("state", raise(records["control state"]!.text));
  const fleet = JSON.parse(records["status fleet"]!.text) as object;
  const more = { wroteAt: Date.now(), runs: [], stops: [makeStop("pause-1", "move"), makeStop("hold-1", "propose")] };
  await status.put("fleet", JSON.stringify({ ...fleet, ...more }));
  const onEntry = ({ key, value }: { readonly key: string; readonly value?: string }): void => {
    const read = value === undefined ? undefined : readRequest(key, value);
    if (read?.ok !== true) return;
    void status.put(nameAnswerKey(read.request.id), printAnswer({ text: "carried out", outcome: "done" }, next));
  };
  await control.watch("request.*", { onEntry, onReady: () => undefined, onReset: () => undefined }, stop.signal);
  return async () => {
    stop.abort();
    await bus.close();
  };
}

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-older-"));
  opened.folder = folder;
  mkdirSync(join(folder, "origin"));
  git(join(folder, "origin"), "init", "-q", "-b", "main");
  commit(
    join(folder, "origin"),
    "meshroll/ledger",
    editFiles(ledger, (record) => ({ ...record, version: next })),
  );
  git(join(folder, "origin"), "rm", "-rqf", ".");
  commit(join(folder, "origin"), "main", { "rollouts.yml": rollouts });
  opened.end = await openNewerFleet();
});

afterAll(async () => {
  await opened.end?.();
  if (opened.folder !== undefined) rmSync(opened.folder, { recursive: true, force: true });
});

async function meshroll(...args: readonly string[]) {
  const folder = opened.folder ?? "";
  const env = {
    MESHROLL_NATS_URL: nats().url,
    MESHROLL_INSTALLATION: testInstallation,
    MESHROLL_REPO_URL: join(folder, "origin"),
    XDG_CACHE_HOME: join(folder, "cache"),
    USER: "ana",
  };
  const { code, stdout, stderr } = await runCli(args, { env, cwd: folder });
  return { code, stdout, said: stderr.replaceAll(/\s+/gu, " ") };
}

const run = (JSON.parse(Object.entries(ledger).find(([path]) => path.startsWith("runs/"))![1]) as { id: string }).id;
const namespace = records["namespace inventory"]!.key.split(".")[1]!;
const cluster = records["cluster facts"]!.key.split(".")[0]!;
const reason = ["--reason", "a drill"];

const verbs: readonly (readonly [name: string, ...args: readonly string[]])[] = [
  ["pause all", "pause", "all", ...reason],
  ["pause of a cluster", "pause", `cluster/${cluster}`, ...reason],
  ["hold", "hold", "all", ...reason],
  ["resume", "resume", "all", ...reason],
  ["unhold", "unhold", "all", ...reason],
  ["retry", "retry", `run/${run}`, ...reason],
  ["rollback", "rollback", `run/${run}`, "--now", "-y", ...reason],
];

test.each(verbs)("a verb of an older command line is not taken for unheard: %s", async (_, ...args) => {
  const { code, said } = await meshroll(...args);
  expect({ code, said }).toEqual({ code: 78, said: expect.stringContaining(`it is of version ${next}`) as string });
  expect(said).toContain("this command line is too old");
  expect(said).toContain("install the build that planner and executors run");
});

const reading: readonly (readonly [name: string, ...args: readonly string[]])[] = [
  ["plan", "plan", "--from", "main", "--to", "main"],
  ["dry run of a pause", "pause", "all", "--dry-run", ...reason],
  ["get of namespaces", "get", "namespaces"],
];

test.each(reading)("an older command line says so instead of showing a part: %s", async (_, ...args) => {
  const { code, stdout, said } = await meshroll(...args);
  expect({ code, stdout, said }).toEqual({
    code: 78,
    stdout: "",
    said: expect.stringContaining(`it is of version ${next}`) as string,
  });
  expect(said).toContain("install the build that planner and executors run");
});

test("the command line that cannot see what runs says why, next to what main says: explain", async () => {
  const { code, stdout } = await meshroll("explain", namespace);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/runs +not known: this command line is too old:/u)]);
});

test("history reads the ledger's commits, which every build can", async () => {
  const { code, stdout } = await meshroll("history");
  expect([code, stdout]).toEqual([0, expect.stringContaining("meshroll/ledger")]);
});

test("a ledger of a newer build is no damage: check names the version and the way out, and repairs nothing", async () => {
  const { code, stdout, said } = await meshroll("ledger", "check", "--repair", "-y");
  expect(code).toBe(79);
  expect(stdout).toContain(`heads, field version: it is of version ${next}`);
  expect(stdout).toContain("this command line is too old for it: install the build that planner and executors run");
  expect(stdout + said).not.toContain("put it right");
});

test("the status is of its own API version: an older command line shows it", async () => {
  const { code, stdout } = await meshroll("status", "-o", "json");
  expect([code, (JSON.parse(stdout) as { kind: string }).kind]).toEqual([0, "FleetStatus"]);
});

test("doctor names what an older command line cannot read", async () => {
  const { code, stdout } = await meshroll("doctor", "--only", "git,nats");
  expect(code).toBe(79);
  expect(stdout.replaceAll(/\s+/gu, " ")).toContain(`it is of version ${next}`);
});
