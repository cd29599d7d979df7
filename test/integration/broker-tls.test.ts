import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { BusUnavailable, openBus } from "#libs/bus";
import { testInstallation } from "#libs/input";
import { openQueue, probeQueue, QueueUnavailable, serveBatches } from "#libs/queue";
import { ConfigProblems, readTls } from "#libs/runtime";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";

import { natsKind, redisKind } from "../../scripts/brokers/programs/broker-kind.ts";
import { findProgram } from "../../scripts/brokers/programs/find-programs.ts";
import { findFreePort } from "../../scripts/brokers/free-port.ts";
import { type OwnProcess, startProcess } from "../../scripts/brokers/own-process.ts";
import { probePort } from "../../scripts/brokers/programs/probe-port.ts";

const folder = mkdtempSync(join(tmpdir(), "meshroll-tls-"));
const at = (name: string) => join(folder, name);
const own: OwnProcess[] = [];
let [busPort, queuePort] = [0, 0];

function openssl(...args: readonly string[]): void {
  execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
}

/** Makes a certificate authority. */
function makeAuthority(name: string): void {
  const subject = [
    "-subj",
    `/CN=${name}`,
    "-days",
    "2",
    "-nodes",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
  ];
  openssl("req", "-x509", ...subject, "-keyout", `${name}.key`, "-out", `${name}.pem`);
}

/** A certificate for this machine's loopback, or for a client, signed by the authority. */
function makeCertificate(name: string, authority: string): void {
  const key = ["-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", `${name}.key`];
  openssl("req", ...key, "-subj", `/CN=${name}`, "-out", `${name}.csr`);
  writeFileSync(at(`${name}.ext`), "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
  const signed = ["-CA", `${authority}.pem`, "-CAkey", `${authority}.key`, "-CAcreateserial", "-days", "2"];
  openssl("x509", "-req", "-in", `${name}.csr`, ...signed, "-extfile", `${name}.ext`, "-out", `${name}.pem`);
}

beforeAll(async () => {
  for (const name of ["ours", "theirs"]) makeAuthority(name);
  makeCertificate("server", "ours");
  makeCertificate("client", "ours");
  makeCertificate("stranger", "theirs");
  [busPort, queuePort] = [await findFreePort(), await findFreePort()];
  const log = at("servers.log");
  const finding = { log: () => undefined };
  const [nats, redis] = [await findProgram(natsKind, finding), await findProgram(redisKind, finding)];
  const files = [
    "--tlscert",
    at("server.pem"),
    "--tlskey",
    at("server.key"),
    "--tlsverify",
    "--tlscacert",
    at("ours.pem"),
  ];
  own.push(
    startProcess(nats, ["-a", "127.0.0.1", "-p", String(busPort), "-js", "-sd", at("js"), "--tls", ...files], log),
  );
  const tls = [
    "--tls-cert-file",
    at("server.pem"),
    "--tls-key-file",
    at("server.key"),
    "--tls-ca-cert-file",
    at("ours.pem"),
  ];
  const ports = ["--port", "0", "--tls-port", String(queuePort), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  own.push(startProcess(redis, [...ports, ...tls], log));
  await vi.waitFor(
    async () => expect(await probePort(busPort, { send: "", answer: '"tls_required":true' })).toBe(true),
    {
      timeout: 60_000,
    },
  );
});

afterAll(async () => {
  await Promise.all(own.map(async (each) => each.end("SIGTERM")));
  rmSync(folder, { recursive: true, force: true });
});

/** Reads the settings as a service reads them from its environment. */
function readFor(server: "NATS" | "REDIS", ca: string, who?: string) {
  const config = {
    [`MESHROLL_${server}_CA_FILE`]: at(`${ca}.pem`),
    ...(who === undefined
      ? {}
      : { [`MESHROLL_${server}_CERT_FILE`]: at(`${who}.pem`), [`MESHROLL_${server}_KEY_FILE`]: at(`${who}.key`) }),
  };
  return readTls(config, server);
}

const refusals = [
  { name: "a server of another authority", ca: "theirs", who: "client" },
  { name: "without a certificate of ours", ca: "ours", who: undefined },
  { name: "with a stranger's certificate", ca: "ours", who: "stranger" },
];

describe("NATS over TLS", () => {
  it.each(["nats", "tls"])("with %s:// and the right files everything works", async (scheme) => {
    const bus = await openBus({
      installation: testInstallation,
      url: `${scheme}://127.0.0.1:${busPort}`,
      tls: readFor("NATS", "ours", "client"),
      name: "test",
    });
    onTestFinished(async () => bus.close());
    await bus.bucket("control").put("state", "over TLS");
    expect((await bus.bucket("control").get("state"))?.value).toBe("over TLS");
  });

  it.each(refusals)("refuses the connection: $name", async ({ ca, who }) => {
    const opened = openBus({
      installation: testInstallation,
      url: `tls://127.0.0.1:${busPort}`,
      tls: readFor("NATS", ca, who),
      name: "test",
    });
    await expect(opened).rejects.toThrow(BusUnavailable);
  });

  it("sends nothing unencrypted to a server without TLS when TLS is required", async () => {
    const url = `nats://127.0.0.1:${await startPlain()}`;
    const opened = openBus({
      installation: testInstallation,
      url,
      tls: readFor("NATS", "ours", "client"),
      name: "test",
    });
    await expect(opened).rejects.toThrow(BusUnavailable);
  });
});

async function startPlain(): Promise<number> {
  const nats = await findProgram(natsKind, { log: () => undefined });
  const port = await findFreePort();
  const plain = startProcess(
    nats,
    ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", at("js-plain")],
    at("plain.log"),
  );
  onTestFinished(async () => plain.end("SIGTERM"));
  await vi.waitFor(async () => expect(await probePort(port, natsKind.makeProbe([]))).toBe(true), { timeout: 60_000 });
  return port;
}

describe("Redis over TLS", () => {
  it.each(["redis", "rediss"])("with %s:// and the right files batches are handed out and executed", async (scheme) => {
    const options = {
      installation: testInstallation,
      url: `${scheme}://127.0.0.1:${queuePort}`,
      tls: readFor("REDIS", "ours", "client"),
    };
    expect((await probeQueue(options.url, options.tls)).isFull).toBe(false);
    const queue = openQueue<{ readonly run: string }>(options);
    onTestFinished(async () => queue.close());
    const got = Promise.withResolvers<string>();
    const worker = serveBatches<{ readonly run: string }>(options)("east", async ({ job }) => got.resolve(job.run));
    onTestFinished(async () => worker.close());
    await queue.put("east", { run: scheme });
    expect(await got.promise).toBe(scheme);
    await vi.waitFor(async () => expect(await queue.inspect("east")).toBe(undefined), { timeout: 60_000 });
  });

  it.each(refusals)("refuses the connection: $name", async ({ ca, who }) => {
    const probed = probeQueue(`rediss://127.0.0.1:${queuePort}`, readFor("REDIS", ca, who));
    await expect(probed).rejects.toThrow(QueueUnavailable);
  });
});

describe("the settings for TLS files", () => {
  it("no file means no TLS options; a file is read whole", () => {
    expect(readTls({}, "NATS")).toBe(undefined);
    expect(readFor("NATS", "ours")).toEqual({ ca: readFileSync(at("ours.pem"), "utf8") });
  });

  it.each(["CERT", "KEY"] as const)("a %s alone is a problem of the environment", (part) => {
    const read = () => readTls({ [`MESHROLL_REDIS_${part}_FILE`]: at("client.key") }, "REDIS");
    expect(read).toThrow(ConfigProblems);
    expect(read).toThrow(`though MESHROLL_REDIS_${part}_FILE is`);
  });
});
