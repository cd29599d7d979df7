import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it, onTestFinished } from "vitest";

import { findProxies } from "../../agent/proxy/process-table.ts";
import type { Report } from "../../agent/report/report.ts";
import { makePlaces } from "../../agent/slots/places.ts";
import { makeStore, makeTestFolder } from "../../agent/test-vm.ts";
import { bundleAgent } from "./bundle-agent.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The environment that the unit gives the agent. */
function readUnit(): Readonly<Record<string, string>> {
  const unit = readFileSync(join(root, "deploy/systemd/meshroll-agent.service"), "utf8");
  const words = Array.from(unit.matchAll(/^Environment=(.*)$/gm), ([, line = ""]) => line.split(" ")).flat();
  return Object.fromEntries(words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]));
}

async function serveReadiness(): Promise<number> {
  const server = createServer((_request, response) => response.end("ready")).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it("the agent as one file, with nothing next to it, installs what its tag says in the unit's environment", async () => {
  const base = makeTestFolder();
  const file = join(makeTestFolder(), "lib", "meshroll-agent.mjs");
  const sha256 = await bundleAgent(root, file);
  expect(await bundleAgent(root, file)).toBe(sha256);
  expect(readdirSync(dirname(file))).toEqual(["meshroll-agent.mjs"]);

  const port = await serveReadiness();
  const store = makeStore(base);
  store.publish("1-24-5", "1-24-5", { discoveryAddress: `127.0.0.1:${port}` });
  const places = makePlaces(join(base, "vm"));
  mkdirSync(dirname(places.firstRoot), { recursive: true });
  writeFileSync(places.firstRoot, store.root);
  writeFileSync(join(dirname(places.firstRoot), "tag"), "1-24-5\n");
  onTestFinished(async () => {
    for (const { pid } of await findProxies(places.root)) process.kill(pid, "SIGKILL");
  });
  const unit = readUnit();
  const agent = spawn(process.execPath, [file, "--root", places.root], {
    cwd: dirname(file),
    env: {
      ...unit,
      PATH: process.env["PATH"],
      MESHROLL_AGENT_STORE: store.folder,
      MESHROLL_AGENT_READY_URL: `http://127.0.0.1:${port}/`,
      MESHROLL_AGENT_SETTLE_SECONDS: "1",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void agent.kill("SIGKILL"));
  const report = (): Partial<Report> => {
    try {
      return JSON.parse(readFileSync(places.report, "utf8")) as Report;
    } catch {
      return {};
    }
  };
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
  await expect.poll(report).toMatchObject({ version, revision: "1-24-5", reason: { code: "UpToDate" }, ready: true });
  // The proxy gets none of the variables that make the agent small.
  const [proxy] = await findProxies(places.root);
  const environment = readFileSync(`/proc/${proxy?.pid ?? 0}/environ`, "utf8");
  for (const name of Object.keys(unit)) expect(environment).not.toContain(name);
  agent.kill("SIGTERM");
  expect(await once(agent, "exit")).toEqual([0, null]);
});

it("has no code of what the agent does not use, and the licences of what it does", async () => {
  const file = join(makeTestFolder(), "meshroll-agent.mjs");
  await bundleAgent(root, file);
  const text = readFileSync(file, "utf8");
  expect(text.length).toBeLessThan(550_000);
  for (const part of ["The Update Framework", "zod\n\nMIT License"]) expect(text).toContain(part);
});
