import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { openBus } from "#libs/bus";
import { testInstallation } from "#libs/input";
import { probeQueue } from "#libs/queue";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { natsKind, redisKind } from "../../scripts/brokers/broker-kind.ts";
import { findProgram } from "../../scripts/brokers/find-programs.ts";
import { findFreePort } from "../../scripts/brokers/free-port.ts";
import { startProcess } from "../../scripts/brokers/own-process.ts";
import { sayHello } from "../../scripts/brokers/say-hello.ts";
import { namePassword, writeLogins } from "../../scripts/logins/write-logins.ts";

const silent = () => undefined;

function write(env: string) {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-logins-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const envFile = join(folder, ".env");
  writeFileSync(envFile, env);
  const make = (...alone: readonly string[]) => writeLogins({ envFile, folder, alone });
  const read = (login: string) =>
    new RegExp(`^${namePassword(login)}=(.*)$`, "m").exec(readFileSync(envFile, "utf8"))?.[1];
  return { folder, envFile, make, read };
}

describe("npm run logins", () => {
  it("makes a password for each login once, keeps what stands there, and shows none to the servers' files", () => {
    const { folder, envFile, make, read } = write(
      "MESHROLL_INSTALLATION=testmeshroll\nMESHROLL_CLUSTERS=east=arn:aws:eks:x,west",
    );
    make();
    const first = readFileSync(envFile, "utf8");
    expect(first).toMatch(/^MESHROLL_INSTALLATION=testmeshroll\nMESHROLL_CLUSTERS=east=arn:aws:eks:x,west\n/);
    const passwords = ["operator", "planner", "executor", "notifier", "api", "cli"].map(read);
    for (const password of passwords) expect(password).toMatch(/^p[\w-]{43}$/);
    expect(new Set(passwords).size).toBe(6);
    expect(statSync(envFile).mode & 0o777).toBe(0o600);
    make("north-1");
    expect(readFileSync(envFile, "utf8")).toBe(
      `${first}MESHROLL_PASSWORD_EXECUTOR_NORTH_1=${read("executor-north-1")}\n`,
    );
    const written = ["nats-accounts.conf", "redis-users.acl"].map((name) => readFileSync(join(folder, name), "utf8"));
    for (const password of passwords) expect(written.join("")).not.toContain(password);
  });

  it("without a cluster it says what to set", () => {
    expect(() => write("MESHROLL_CLUSTERS=").make()).toThrow("set MESHROLL_CLUSTERS");
  });

  it("without the id of the installation it says what prints it", () => {
    for (const id of ["", "prod", "*", "a.b"]) {
      const { make } = write(`MESHROLL_CLUSTERS=east\nMESHROLL_INSTALLATION=${id}\n`);
      expect(() => make()).toThrow("set MESHROLL_INSTALLATION there to the id that meshroll init prints");
    }
  });

  it("what it writes for docker-compose.yml starts real servers that know these logins", async () => {
    const { folder, make, read } = write("MESHROLL_INSTALLATION=testmeshroll\nMESHROLL_CLUSTERS=east\n");
    make();
    const logins = ["operator", "planner", "executor", "notifier", "api", "cli"];
    const env = Object.fromEntries(logins.map((name) => [namePassword(name), read(name) ?? ""]));
    copyFileSync(fileURLToPath(new URL("../../deploy/compose/nats.conf", import.meta.url)), join(folder, "nats.conf"));
    // The store and the ports of a container are not those of this machine.
    const [port, monitor, queuePort] = [await findFreePort(), await findFreePort(), await findFreePort()];
    const text = readFileSync(join(folder, "nats.conf"), "utf8");
    const here = text.replace("/data", join(folder, "js")).replace("127.0.0.1:8222", `127.0.0.1:${monitor}`);
    writeFileSync(join(folder, "nats.conf"), here);
    const nats = await findProgram(natsKind, { log: silent });
    const redis = await findProgram(redisKind, { log: silent });
    const log = join(folder, "servers.log");
    const busArgs = ["-c", join(folder, "nats.conf"), "-a", "127.0.0.1", "-p", String(port)];
    const queueArgs = [
      "--port",
      String(queuePort),
      "--bind",
      "127.0.0.1",
      "--aclfile",
      join(folder, "redis-users.acl"),
    ];
    const own = [
      startProcess({ ...nats, env: { ...nats.env, ...env } }, busArgs, log),
      startProcess(redis, [...queueArgs, "--save", "", "--dir", folder], log),
    ];
    onTestFinished(async () => void (await Promise.all(own.map(async (each) => each.end("SIGTERM")))));
    const heard = { timeout: 10_000, interval: 50 };
    await vi.waitFor(async () => expect(await sayHello(port, natsKind.greet([]))).toBe(true), heard);
    await vi.waitFor(
      async () => expect(await sayHello(queuePort, { say: "PING\r\n", hear: "-NOAUTH" })).toBe(true),
      heard,
    );

    for (const name of logins) {
      const bus = await openBus({
        installation: testInstallation,
        url: `nats://${name}:${read(name)}@127.0.0.1:${port}`,
        name: "test",
      });
      await bus.close();
    }
    for (const name of ["operator", "planner", "executor", "cli"]) {
      const probed = await probeQueue(`redis://${name}:${read(name)}@127.0.0.1:${queuePort}`);
      expect(probed.isFull).toBe(false);
    }
  });
});
