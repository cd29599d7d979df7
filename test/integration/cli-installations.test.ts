import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { testInstallation } from "#libs/input";
import { runCli } from "#test/run-cli";
import { expect, onTestFinished, test, vi } from "vitest";

import { natsKind } from "../../scripts/brokers/programs/broker-kind.ts";
import { findProgram } from "../../scripts/brokers/programs/find-programs.ts";
import { findFreePort } from "../../scripts/brokers/free-port.ts";
import { startProcess } from "../../scripts/brokers/own-process.ts";
import { probePort } from "../../scripts/brokers/programs/probe-port.ts";
import { ScriptedFleet } from "./fleet/cli-scripted-fleet.ts";
import { otherInstallation } from "./fleet/fleet-brokers.ts";

/** A NATS without accounts, as a person starts it by hand: every client sees all buckets. */
async function startOpenNats(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-open-nats-"));
  const port = await findFreePort();
  const args = ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", folder];
  const own = startProcess(await findProgram(natsKind, { log: () => undefined }), args, join(folder, "log"));
  onTestFinished(async () => {
    await own.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  });
  const isUp = async () => expect(await probePort(port, natsKind.makeProbe([]))).toBe(true);
  await vi.waitFor(isUp, { timeout: 60_000, interval: 25 });
  return `nats://127.0.0.1:${port}`;
}

interface Check {
  readonly code: string;
  readonly state: string;
  readonly message: string;
}

test("the command line says which installation it uses, never guesses between two, and doctor names what another left", async () => {
  const url = await startOpenNats();
  const call = async (...args: readonly string[]) =>
    runCli(args, { env: { MESHROLL_NATS_URL: url, USER: "ana", TZ: "UTC" }, cwd: tmpdir() });
  const examine = async (...more: readonly string[]) => {
    const { stdout } = await call("doctor", "--only", "nats", "-o", "json", ...more);
    return (JSON.parse(stdout) as { readonly checks: readonly Check[] }).checks.find(({ code }) => code === "MR9024");
  };
  const [mine, other] = [await ScriptedFleet.open(url), await ScriptedFleet.open(url, otherInstallation)];
  onTestFinished(async () => void (await Promise.all([mine.close(), other.close()])));
  mine.play({ stopped: ["mine"], answer: () => "stopped" });
  other.play({ stopped: ["theirs"], answer: () => "stopped" });

  await mine.publishCluster("mine");
  await mine.publishStatus();
  // The only installation of a server needs no name.
  expect((await call("pause", "all", "--reason", "a drill")).stdout).toContain("✔ stopped in mine");
  expect(await examine()).toMatchObject({
    state: "ok",
    message: expect.stringContaining("is the only one on this NATS"),
  });

  await other.publishCluster("theirs");
  await other.publishStatus();
  for (const args of [["status"], ["pause", "all", "--reason", "x"], ["rollback", "--now", "--yes", "--reason", "x"]]) {
    const { code, stdout, stderr } = await call(...args);
    expect({ args, code, stdout }).toEqual({ args, code: 78, stdout: "" });
    for (const id of [testInstallation, otherInstallation]) expect(stderr).toContain(`${id}, written `);
    expect(stderr).toContain("say which: --installation ID (MESHROLL_INSTALLATION)");
  }
  expect([mine.requests.length, other.requests.length]).toEqual([1, 0]);

  const named = await call("pause", "all", "--installation", otherInstallation, "--reason", "theirs");
  expect(named.stdout).toContain("✔ stopped in theirs");
  expect(named.stdout).not.toContain("mine");
  expect([mine.requests.length, other.requests.map(({ why }) => why)]).toEqual([1, ["theirs"]]);

  expect(await examine()).toMatchObject({
    state: "failed",
    message: expect.stringContaining("no installation was given"),
  });
  expect(await examine("--installation", testInstallation)).toMatchObject({
    state: "warned",
    message: expect.stringMatching(new RegExp(`^installation ${testInstallation}, .*: ${otherInstallation}, written`)),
  });
  const none = "nonemeshroll";
  expect(await examine("--installation", none)).toMatchObject({
    state: "failed",
    message: expect.stringContaining(`${none} is none of them`),
  });
  const wrong = await call("status", "--installation", "prod");
  expect([wrong.code, wrong.stderr]).toEqual([64, expect.stringContaining("that meshroll init printed")]);
});
