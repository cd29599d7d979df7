import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { openBus } from "#libs/bus";
import { testInstallation } from "#libs/input";
import { openQueue, probeQueue } from "#libs/queue";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { natsKind, redisKind } from "../../scripts/brokers/programs/broker-kind.ts";
import { findProgram } from "../../scripts/brokers/programs/find-programs.ts";
import { findFreePort } from "../../scripts/brokers/free-port.ts";
import { startProcess } from "../../scripts/brokers/own-process.ts";
import { probePort } from "../../scripts/brokers/programs/probe-port.ts";
import { readAddresses } from "../../scripts/logins/write-env-files.ts";
import { namePassword, writeLogins } from "../../scripts/logins/write-logins.ts";
import { otherInstallation } from "./fleet/fleet-brokers.ts";
import { waitOptions } from "./wait-options.ts";

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
  it("makes a password for each login once, keeps existing ones, and writes only hashes into the servers' files", () => {
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

  it("writes the variables of each login for a Secret of its own, and the passwords that NATS reads", () => {
    const { folder, envFile, read } = write("MESHROLL_INSTALLATION=testmeshroll\nMESHROLL_CLUSTERS=east");
    const addresses = readAddresses("nats://meshroll-nats:4222, rediss://redis.example.com:6380");
    writeLogins({ envFile, folder, alone: ["west"], addresses });
    const show = (name: string) => readFileSync(join(folder, "logins", `${name}.env`), "utf8");
    const queue = (name: string) => `MESHROLL_REDIS_URL=rediss://${name}:${read(name) ?? ""}@redis.example.com:6380\n`;
    const names = ["api", "cli", "executor", "executor-west", "notifier", "operator", "planner"];
    expect(readdirSync(join(folder, "logins")).toSorted()).toEqual(
      [...names, "nats"].map((name) => `${name}.env`).toSorted(),
    );
    for (const name of names)
      expect(show(name)).toBe(
        `MESHROLL_NATS_URL=nats://${name}:${read(name) ?? ""}@meshroll-nats:4222\n${
          ["api", "notifier"].includes(name) ? "" : queue(name)
        }`,
      );
    expect(show("nats").split("\n").toSorted()).toEqual(
      ["", ...names.map((name) => `${namePassword(name)}=${read(name) ?? ""}`)].toSorted(),
    );
    expect(statSync(join(folder, "logins", "planner.env")).mode & 0o777).toBe(0o600);
  });

  it.each(["nats://a:4222", "redis://a:1,nats://a:2", "nats://me:pass@a:1,redis://a:2", "nats://a:1,redis://b:2,c"])(
    "refuses the addresses %s, and says the form",
    (text) => expect(() => readAddresses(text)).toThrow("write nats://HOST:4222,redis://HOST:6379, without a login"),
  );

  it("without a cluster it says what to set", () => {
    expect(() => write("MESHROLL_CLUSTERS=").make()).toThrow("set MESHROLL_CLUSTERS");
  });

  it("without the id of the installation it says what prints it", () => {
    for (const id of ["", "prod", "*", "a.b"]) {
      const { make } = write(`MESHROLL_CLUSTERS=east\nMESHROLL_INSTALLATION=${id}\n`);
      expect(() => make()).toThrow("set MESHROLL_INSTALLATION there to the id that meshroll init prints");
    }
  });

  const refused = [
    { name: "an id that no init prints", others: "prod:east", want: '"prod" is not an id that meshroll init prints' },
    { name: "an installation without a cluster", others: otherInstallation, want: "names no cluster" },
    {
      name: "a cluster by a wrong name",
      others: `${otherInstallation}:East`,
      want: '"East" of othermeshrol is not the name',
    },
    { name: "its own id", others: "testmeshroll:east", want: "testmeshroll is there twice" },
    { name: "one twice", others: `${otherInstallation}:a,${otherInstallation}:b`, want: "othermeshrol is there twice" },
  ];
  it.each(refused)("refuses other installations with $name, and writes nothing", ({ others, want }) => {
    const env = `MESHROLL_CLUSTERS=east\nMESHROLL_INSTALLATION=testmeshroll\nMESHROLL_OTHER_INSTALLATIONS=${others}\n`;
    const { make, envFile, folder } = write(env);
    expect(() => make()).toThrow(want);
    expect([readFileSync(envFile, "utf8"), readdirSync(folder)]).toEqual([env, [".env"]]);
  });

  it("refuses a cluster with the name of another installation's login: one login would have the rights of both", () => {
    const others = `MESHROLL_OTHER_INSTALLATIONS=${otherInstallation}:east\n`;
    const { make, folder } = write(`MESHROLL_INSTALLATION=testmeshroll\nMESHROLL_CLUSTERS=east\n${others}`);
    // Two files name one login: that of our own cluster, and that of the other installation's executor.
    expect(() => make(`of-${otherInstallation}`)).toThrow(
      `two logins would be called executor-of-${otherInstallation}`,
    );
    expect(readdirSync(folder)).toEqual([".env"]);
  });

  it("the files for docker-compose.yml start real servers that know these logins, and keep two installations apart", async () => {
    const others = `MESHROLL_OTHER_INSTALLATIONS=${otherInstallation}:east:north\n`;
    const { folder, make, read } = write(`MESHROLL_INSTALLATION=testmeshroll\nMESHROLL_CLUSTERS=east\n${others}`);
    make();
    const own = ["operator", "planner", "executor", "notifier", "api", "cli"];
    const logins = [...own, ...own.map((name) => `${name}-of-${otherInstallation}`)];
    const env = Object.fromEntries(logins.map((name) => [namePassword(name), read(name) ?? ""]));
    copyFileSync(fileURLToPath(new URL("../../deploy/compose/nats.conf", import.meta.url)), join(folder, "nats.conf"));
    // The container's storage path and ports do not fit this machine.
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
    const servers = [
      startProcess({ ...nats, env: { ...nats.env, ...env } }, busArgs, log),
      startProcess(redis, [...queueArgs, "--save", "", "--dir", folder], log),
    ];
    onTestFinished(async () => void (await Promise.all(servers.map(async (each) => each.end("SIGTERM")))));
    await vi.waitFor(async () => expect(await probePort(port, natsKind.makeProbe([]))).toBe(true), waitOptions);
    await vi.waitFor(
      async () => expect(await probePort(queuePort, { send: "PING\r\n", answer: "-NOAUTH" })).toBe(true),
      waitOptions,
    );

    const natsOf = (name: string) => `nats://${name}:${read(name)}@127.0.0.1:${port}`;
    const redisOf = (name: string) => `redis://${name}:${read(name)}@127.0.0.1:${queuePort}`;
    for (const name of logins) {
      const installation = own.includes(name) ? testInstallation : otherInstallation;
      const bus = await openBus({ installation, url: natsOf(name), name: "test" });
      await bus.close();
    }
    const atRedis = ["operator", "planner", "executor", "cli", `planner-of-${otherInstallation}`];
    for (const name of atRedis) expect((await probeQueue(redisOf(name))).isFull).toBe(false);
    // Redis has one operator for all installations, so the other installation's has no login there.
    await expect(probeQueue(redisOf(`operator-of-${otherInstallation}`))).rejects.toThrow(/WRONGPASS/u);

    const stranger = `planner-of-${otherInstallation}`;
    const queue = openQueue<object>({ installation: testInstallation, url: redisOf(stranger) });
    onTestFinished(async () => queue.close());
    await expect(queue.inspect("east")).rejects.toThrow(/right|permission/iu);
  });
});
