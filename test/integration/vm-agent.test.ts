import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { type Bus, openBus } from "#libs/bus";
import { nameVmKey, printVmTag, readVmReport } from "#libs/events";
import { testInstallation } from "#libs/input";
import { createLogger, createVitals, systemClock } from "#libs/runtime";
import { printJoinToken } from "#libs/vms";
import { expect, it, onTestFinished } from "vitest";

import { findProxies } from "../../agent/proxy/process-table.ts";
import type { Report } from "../../agent/report/report.ts";
import { makePlaces } from "../../agent/slots/places.ts";
import { makeStore, makeTestFolder } from "../../agent/test-vm.ts";
import { createApi } from "../../services/api/service.ts";
import { openAs } from "./broker-logins.ts";
import { useOwnBroker } from "./own-broker.ts";

const nats = useOwnBroker("nats", ["east"]);
const main = fileURLToPath(new URL("../../agent/main.ts", import.meta.url));
const key = "5f0c2f4bd9e1a7c3b6d8e2f1a4c7b9d0";
const vm = { group: { cluster: "east", namespace: "shop", name: "web" }, name: "vm-1" };
const patience = { timeout: 60_000 };

/** Answers every request and accepts every connection, as readiness endpoint and as control plane of the VM. */
async function serveReadiness(): Promise<number> {
  const server = createServer((_request, response) => response.end("ready"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function startApi() {
  const bus = await openAs(nats(), "api");
  const stop = new AbortController();
  const clock = systemClock();
  const parts = { bus, clock, log: createLogger("api", [], "silent"), vitals: createVitals(clock) };
  const api = await createApi({ ...parts, branch: "main", webhookSecrets: [], vmKeys: [key] }, stop.signal);
  const url = await api.server.listen({ host: "127.0.0.1", port: 0 });
  const end = async (): Promise<void> => {
    stop.abort();
    await api.server.close();
  };
  onTestFinished(end);
  return { url, end };
}

async function openVm(api: string) {
  const base = makeTestFolder();
  const port = await serveReadiness();
  const store = makeStore(base);
  store.publish("1-25-2", "1-25-2", { discoveryAddress: `127.0.0.1:${port}` });
  const root = join(base, "vm");
  const places = makePlaces(root);
  mkdirSync(dirname(places.firstRoot), { recursive: true });
  writeFileSync(places.firstRoot, store.root);
  const token = printJoinToken(key, { group: vm.group, expires: Date.now() + 3_600_000 });
  writeFileSync(join(root, "etc/meshroll-agent/join-token"), `${token}\n`);
  onTestFinished(async () => {
    for (const { pid } of await findProxies(root)) process.kill(pid, "SIGKILL");
  });
  const said: string[] = [];
  return {
    places,
    said,
    report: (): Partial<Report> => JSON.parse(readFileSync(places.report, "utf8")) as Report,
    start: (): ChildProcess => {
      const env = {
        PATH: process.env["PATH"],
        MESHROLL_AGENT_STORE: store.folder,
        MESHROLL_AGENT_READY_URL: `http://127.0.0.1:${port}/`,
        MESHROLL_AGENT_SETTLE_SECONDS: "1",
        MESHROLL_AGENT_POLL_SECONDS: "1",
        MESHROLL_AGENT_API: api,
        MESHROLL_AGENT_NAME: vm.name,
        MESHROLL_AGENT_ADDRESS: "10.0.0.7",
      };
      const child = spawn(process.execPath, [main, "--root", root], { env, stdio: ["ignore", "ignore", "pipe"] });
      child.stderr.on("data", (data: Buffer) => said.push(data.toString()));
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    },
  };
}

async function readReport(bus: Bus) {
  const found = await bus.bucket("vms").get(nameVmKey("reports", vm));
  return found?.value === undefined ? undefined : readVmReport(found.value);
}

it("an agent registers, installs what its tag says, reports it, and keeps its tag without the api", async () => {
  const operator = await openBus({ installation: testInstallation, url: nats().url, name: "test" });
  onTestFinished(async () => operator.close());
  const executor = await openAs(nats(), "executor-east");
  // Made by the operator, as the planner makes it.
  await operator.bucket("vms").put("made", "x");
  await executor.bucket("vms").put(nameVmKey("tags", vm), printVmTag({ revision: "1-25-2", at: 1 }));

  const api = await startApi();
  const { places, report, said, start } = await openVm(api.url);
  const first = start();
  const want = { tag: "1-25-2", revision: "1-25-2", ready: true, code: "UpToDate", address: "10.0.0.7" };
  await expect.poll(async () => readReport(operator), patience).toMatchObject(want);
  expect(statSync(places.credential).mode & 0o777).toBe(0o600);

  first.kill("SIGKILL");
  await once(first, "exit");
  await api.end();
  writeFileSync(places.report, "{}");
  start();
  await expect
    .poll(report, patience)
    .toMatchObject({ tag: "1-25-2", revision: "1-25-2", reason: { code: "UpToDate" } });
  await expect.poll(() => said.join(""), patience).toContain("the api does not take this VM's report");
  const { credential } = JSON.parse(readFileSync(places.credential, "utf8")) as { readonly credential: string };
  expect(said.join("")).not.toContain(credential.slice(-20));
});
