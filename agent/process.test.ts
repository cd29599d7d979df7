import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { findProxies } from "./proxy/process-table.ts";
import { makePlaces } from "./slots/places.ts";
import type { Report } from "./report/report.ts";
import { makeStore, makeTestFolder, type TestStore } from "./test-vm.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

/** Answers every request and accepts every connection, as readiness endpoint and as control plane of this VM. */
async function serveReadiness(): Promise<number> {
  const server = createServer((_request, response) => response.end("ready"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return (server.address() as AddressInfo).port;
}

interface Vm {
  readonly root: string;
  readonly store: TestStore;
  readonly port: number;
  tag(revision: string): void;
  report(): Partial<Report>;
  start(): { readonly child: ChildProcess; readonly said: () => string; readonly code: Promise<number | null> };
}

async function openVm(): Promise<Vm> {
  const base = makeTestFolder();
  const port = await serveReadiness();
  const store = makeStore(base);
  const root = join(base, "vm root");
  const places = makePlaces(root);
  mkdirSync(dirname(places.firstRoot), { recursive: true });
  writeFileSync(places.firstRoot, store.root);
  onTestFinished(async () => {
    for (const { pid } of await findProxies(root)) process.kill(pid, "SIGKILL");
  });
  return {
    root,
    store,
    port,
    tag: (revision) => writeFileSync(join(root, "etc/meshroll-agent/tag"), `${revision}\n`),
    report() {
      try {
        return JSON.parse(readFileSync(places.report, "utf8")) as Report;
      } catch {
        return {};
      }
    },
    start() {
      const child = spawn(process.execPath, [main, "--root", root], {
        env: {
          PATH: process.env["PATH"],
          MESHROLL_AGENT_STORE: store.folder,
          MESHROLL_AGENT_READY_URL: `http://127.0.0.1:${port}/`,
          MESHROLL_AGENT_SETTLE_SECONDS: "1",
          MESHROLL_AGENT_POLL_SECONDS: "1",
          MESHROLL_AGENT_SECRET: "not for proxies",
        },
        stdio: ["ignore", "ignore", "pipe"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      let text = "";
      child.stderr.on("data", (data: Buffer) => (text += data.toString()));
      // `exit` and not `close`: the proxy keeps the pipe open as long as it runs.
      return { child, said: () => text, code: once(child, "exit").then(([code]) => code as number | null) };
    },
  };
}

const patience = { timeout: 60_000 };

describe("the agent as a process", () => {
  let vm: Vm;
  beforeEach(async () => {
    vm = await openVm();
    for (const revision of ["1-24-5", "1-25-2"]) {
      vm.store.publish(revision, revision, { discoveryAddress: `127.0.0.1:${vm.port}` });
    }
    vm.tag("1-24-5");
  });
  const untilRuns = async (revision: string): Promise<void> => {
    await expect.poll(() => vm.report(), patience).toMatchObject({ revision, reason: { code: "UpToDate" } });
  };

  it("installs, ends in good order, finds its proxy again after a kill, and switches it to another revision", async () => {
    const first = vm.start();
    await untilRuns("1-24-5");
    const [proxy] = await findProxies(vm.root);
    expect(readFileSync(`/proc/${proxy?.pid ?? 0}/environ`, "utf8")).not.toContain("not for proxies");
    first.child.kill("SIGKILL");
    await first.code;
    expect(await findProxies(vm.root)).toEqual([proxy]);

    const second = vm.start();
    await expect.poll(() => second.said(), patience).toContain("runs 1-24-5, as its tag says");
    expect(await findProxies(vm.root)).toEqual([proxy]);
    vm.tag("1-25-2");
    await untilRuns("1-25-2");
    const [next, ...others] = await findProxies(vm.root);
    expect(others).toEqual([]);
    expect(next?.digest).not.toBe(proxy?.digest);
    second.child.kill("SIGTERM");
    expect(await second.code).toBe(0);
    expect(await findProxies(vm.root)).toEqual([next]);
  });

  it("a second agent on the same root exits 78; after the first has ended another may start", async () => {
    const first = vm.start();
    await untilRuns("1-24-5");
    const second = vm.start();
    expect(await second.code).toBe(78);
    expect(second.said()).toContain("another agent serves");
    first.child.kill("SIGTERM");
    await first.code;
    const third = vm.start();
    await expect.poll(() => third.said(), patience).toContain("the agent runs");
  });
});
