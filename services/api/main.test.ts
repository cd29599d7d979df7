import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

import { testInstallation } from "#libs/input";
import { expect, it, onTestFinished } from "vitest";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const secret = "Q7hW2mZk9TxR4vLb8NcY";

/** A free port of this machine. */
async function findDeadPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The service as its own process, on a free port, without a bus. */
async function start() {
  const env = {
    ...process.env,
    MESHROLL_INSTALLATION: testInstallation,
    MESHROLL_NATS_URL: `nats://me:${secret}@127.0.0.1:${await findDeadPort()}`,
    MESHROLL_API_PORT: "0",
    MESHROLL_GITHUB_WEBHOOK_SECRET: secret,
    MESHROLL_LOG_LEVEL: "debug",
  };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said: string[] = [];
  child.stderr.on("data", (data: Buffer) => said.push(data.toString()));
  await expect.poll(() => said.join(""), { timeout: 60_000 }).toContain("the api runs");
  const url = /"url":"(http:[^"]+)"/.exec(said.join(""))?.[1] ?? "";
  return { child, said, url };
}

it("without a bus it serves and says so, and with open readers and a slow sender it still ends in time", async () => {
  const { child, said, url } = await start();
  const [health, ready] = [await fetch(`${url}/healthz`), await fetch(`${url}/readyz`)];
  expect([health.status, ready.status]).toEqual([200, 503]);
  const reading = await fetch(`${url}/v1/events`);
  const slow = connect(Number(new URL(url).port), "127.0.0.1");
  const head = `POST /webhooks/github HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\ncontent-type: application/json`;
  slow.write(`${head}\r\nx-hub-signature-256: sha256=${"0".repeat(64)}\r\n\r\n{`);
  slow.on("error", () => undefined);
  const started = performance.now();
  const ended = once(child, "close");
  child.kill("SIGTERM");
  expect(await reading.text()).toContain("retry: 2000");
  expect(await ended).toEqual([0, null]);
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(said.join("")).not.toContain(secret);
});

it("an address that another process has is a problem of the environment", async () => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const env = {
    ...process.env,
    MESHROLL_INSTALLATION: testInstallation,
    MESHROLL_NATS_URL: `127.0.0.1:${await findDeadPort()}`,
    MESHROLL_API_PORT: String(port),
  };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.on("data", (data: Buffer) => (said += data.toString()));
  expect(await once(child, "close")).toEqual([78, null]);
  expect(said).toMatch(/MESHROLL_API_PORT: cannot be served: .*EADDRINUSE/);
  server.close();
});
