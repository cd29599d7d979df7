import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { openBus } from "#libs/bus";
import { testInstallation } from "#libs/input";
import { openQueue } from "#libs/queue";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";

import { redisKind } from "../../scripts/brokers/programs/broker-kind.ts";
import { findProgram } from "../../scripts/brokers/programs/find-programs.ts";
import { probePort } from "../../scripts/brokers/programs/probe-port.ts";
import { startBrokers, startRedis } from "../../scripts/brokers/start-brokers.ts";
import { startWithoutJetStream } from "./no-jetstream.ts";
import { waitOptions } from "./wait-options.ts";

/** A client that has not logged in gets this error. */
const probe = { send: "PING\r\n", answer: "-NOAUTH" };
const silent = () => undefined;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-ladder-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const readPort = (url: string) => Number(new URL(url).port);

describe("servers that the environment names", () => {
  it("are used as they are and never stopped", async () => {
    const given = { REDIS_URL: inject("redisUrl"), NATS_URL: inject("natsUrl") };
    const folder = makeFolder();
    const brokers = await startBrokers({ folder, log: silent, env: given });
    expect(brokers).toMatchObject({ redisUrl: given.REDIS_URL, natsUrl: given.NATS_URL });
    expect(brokers.redis).toBeUndefined();
    await brokers.stop();
    expect(readdirSync(folder)).toEqual([]);
    const bus = await openBus({ installation: testInstallation, url: given.NATS_URL, name: "test" });
    await bus.close();
  });

  it("that do not answer are reported by name", async () => {
    const options = { folder: makeFolder(), log: silent };
    const noRedis = startBrokers({ ...options, env: { REDIS_URL: "redis://127.0.0.1:1" } });
    await expect(noRedis).rejects.toThrow("Redis at 127.0.0.1:1");
    const noNats = startBrokers({ ...options, env: { REDIS_URL: inject("redisUrl"), NATS_URL: "nats://127.0.0.1:1" } });
    await expect(noNats).rejects.toThrow("NATS at 127.0.0.1:1");
  });

  it("that cannot serve us are reported with what they lack", async () => {
    const env = { REDIS_URL: inject("redisUrl"), NATS_URL: await startWithoutJetStream() };
    await expect(startBrokers({ folder: makeFolder(), log: silent, env })).rejects.toThrow("JetStream is off");
  });
});

describe("servers that the tests start", () => {
  it("keep their port and their data over a kill, and lose the data by a wipe", async () => {
    const folder = makeFolder();
    const redis = await startRedis({ folder, log: silent });
    const { url } = redis;
    const put = async () => {
      const queue = openQueue({ installation: testInstallation, url });
      try {
        return await queue.put("east", { run: "one" });
      } finally {
        await queue.close();
      }
    };
    expect(await put()).toBe("added");
    await redis.kill();
    expect(redis.pid()).toBeUndefined();
    expect(await probePort(readPort(url), probe)).toBe(false);
    await redis.start();
    expect(redis.url).toBe(url);
    expect(await put()).toBe("present");
    expect(() => redis.wipe()).toThrow("stop it");
    await redis.stop();
    redis.wipe();
    await redis.start();
    expect(await put()).toBe("added");
    await redis.stop();
    expect(existsSync(join(folder, "redis.pid"))).toBe(false);
  });

  it("refuse a folder in use by another run, and take over one that a dead run left", async () => {
    const folder = makeFolder();
    const redis = await startRedis({ folder, log: silent });
    const pid = redis.pid() ?? 0;
    writeFileSync(join(folder, "redis.pid"), `${pid} ${process.ppid} ${readPort(redis.url)}\n`);
    await expect(startRedis({ folder, log: silent })).rejects.toThrow("in use by process");
    const unusedPid = 2 ** 22 + 1;
    writeFileSync(join(folder, "redis.pid"), `${pid} ${unusedPid} ${readPort(redis.url)}\n`);
    const next = await startRedis({ folder, log: silent });
    expect(next.pid()).not.toBe(pid);
    expect(await probePort(readPort(redis.url), probe)).toBe(false);
    await next.stop();
  });

  it("use an installed program, and report one that does not run", async () => {
    const folder = makeFolder();
    const { path, env } = await findProgram(redisKind, { log: silent });
    const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
    for (const [name, command] of [
      ["redis-server", "exit 1"],
      ["valkey-server", `exec env ${settings.join(" ")} '${path}' "$@"`],
    ]) {
      writeFileSync(join(folder, String(name)), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    }
    const output: string[] = [];
    const found = await findProgram(redisKind, {
      log: (line) => output.push(line),
      path: folder,
      more: [],
      packagesFolder: folder,
    });
    expect(found.path).toBe(join(folder, "valkey-server"));
    expect(output).toEqual([`not used: ${join(folder, "redis-server")} does not run here`]);
  });

  it("without any, the error names the command for this platform", async () => {
    const found = findProgram(redisKind, { log: silent, path: "", more: [], packagesFolder: makeFolder() });
    await expect(found).rejects.toThrow(/no redis-server or valkey-server.*\n.*install: .*redis/);
    await expect(found).rejects.toThrow("REDIS_URL=redis://HOST:PORT");
  });
});

describe("the script that starts servers", () => {
  async function startScript() {
    const script = fileURLToPath(new URL("../../scripts/brokers/main.ts", import.meta.url));
    const { REDIS_URL: _, NATS_URL: __, ...env } = process.env;
    const child = spawn(process.execPath, [script, "up", makeFolder()], { env });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    child.stdout.on("data", (data: Buffer) => (output += data.toString()));
    const read = (name: string) => new RegExp(`^export ${name}=(.*)$`, "m").exec(output)?.[1] ?? "";
    await vi.waitFor(() => expect(read("NATS_URL")).not.toBe(""), waitOptions);
    const port = readPort(read("REDIS_URL"));
    return { child, isUp: async () => probePort(port, probe) };
  }

  it.each(["SIGTERM", "SIGKILL"] as const)("ends its servers when it ends by %s", async (signal) => {
    const { child, isUp } = await startScript();
    expect(await isUp()).toBe(true);
    const ended = new Promise((resolve) => child.on("exit", (code) => resolve(code)));
    child.kill(signal);
    expect(await ended).toBe(signal === "SIGTERM" ? 0 : null);
    await vi.waitFor(async () => expect(await isUp()).toBe(false), waitOptions);
  });
});
