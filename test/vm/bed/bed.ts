import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { onTestFinished } from "vitest";

import { findProxies } from "../../../agent/proxy/process-table.ts";
import type { Report } from "../../../agent/report/report.ts";
import { makePlaces } from "../../../agent/slots/places.ts";
import { makeStore, makeTestFolder, type TestStore } from "../../../agent/test-vm.ts";
import { findFreePorts } from "../../../scripts/brokers/free-port.ts";
import type { Envoy } from "../envoys/find-envoys.ts";
import { makeBootstrap } from "./bootstrap.ts";

const agentMain = fileURLToPath(new URL("../../../agent/main.ts", import.meta.url));

/** Envoy's settings: how long old connections drain, and how long after the new process' start the old one ends, s. */
const drainSeconds = 5;
const parentShutdownSeconds = 8;

/** A VM: a folder as its root, its agent as a process, and the Envoys that the agent starts. */
export interface Vm {
  readonly root: string;
  readonly port: number;
  readonly agent: ChildProcess;
  tag(revision: string): void;
  report(): Partial<Report>;
  /** Version that Envoy's admin page reports. */
  readVersion(): Promise<string>;
  /** Calls of the rules programs, as `verb revision`. */
  readRules(): readonly string[];
  /** Resident memory of the agent, MB. */
  readMemory(): number;
}

export interface Bed {
  readonly store: TestStore;
  readonly vms: readonly Vm[];
  /** Builds and signs an artifact with this Envoy. Without `hotRestart` it cannot take over from a running one. */
  publish(revision: string, envoy: Envoy, hotRestart?: string): void;
  /** Publishes an artifact whose proxy exits at once. */
  publishBroken(revision: string, hotRestart: string): void;
}

/** Stands in for a control plane: a port that accepts connections. */
async function startControlPlane(): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function writeProgram(path: string, lines: readonly string[]): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${["#!/bin/sh", ...lines].join("\n")}\n`, { mode: 0o755 });
  return path;
}

/** Envoy's shared memory outlives its process. */
function removeSharedMemory(baseId: number): void {
  for (const name of readdirSync("/dev/shm")) {
    if (name.startsWith(`envoy_shared_memory_${baseId}`)) rmSync(join("/dev/shm", name), { force: true });
  }
}

async function startVm(base: string, store: TestStore, index: number, upstream: number): Promise<Vm> {
  const root = join(base, `vm-${index}`);
  const places = makePlaces(root);
  mkdirSync(dirname(places.firstRoot), { recursive: true });
  writeFileSync(places.firstRoot, store.root);
  const [port = 0, admin = 0] = await findFreePorts(2);
  writeFileSync(join(root, "etc/envoy.json"), makeBootstrap({ listen: port, admin, upstream }));
  const baseId = 1000 + (port % 50_000);
  onTestFinished(async () => {
    for (const { pid } of await findProxies(root)) process.kill(pid, "SIGKILL");
    removeSharedMemory(baseId);
  });
  const agent = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", agentMain, "--root", root], {
    env: {
      PATH: process.env["PATH"],
      MESHROLL_AGENT_STORE: store.folder,
      MESHROLL_AGENT_READY_URL: `http://127.0.0.1:${admin}/ready`,
      MESHROLL_AGENT_BASE_ID: String(baseId),
      MESHROLL_AGENT_POLL_SECONDS: "1",
      MESHROLL_AGENT_SETTLE_SECONDS: String(parentShutdownSeconds + 2),
    },
    stdio: ["ignore", "ignore", "ignore"],
  });
  onTestFinished(async () => {
    if (agent.exitCode !== null || agent.signalCode !== null) return;
    agent.kill("SIGTERM");
    await once(agent, "exit");
  });
  return {
    root,
    port,
    agent,
    tag: (revision) => writeFileSync(join(root, "etc/meshroll-agent/tag"), `${revision}\n`),
    report() {
      try {
        return JSON.parse(readFileSync(places.report, "utf8")) as Report;
      } catch {
        return {};
      }
    },
    async readVersion() {
      const response = await fetch(`http://127.0.0.1:${admin}/server_info`);
      const { version } = (await response.json()) as { readonly version: string };
      return version.split("/")[1] ?? version;
    },
    readRules() {
      try {
        return readFileSync(join(root, "rules.log"), "utf8").trimEnd().split("\n");
      } catch {
        return [];
      }
    },
    readMemory() {
      const [, kilobytes = "0"] =
        /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${agent.pid ?? 0}/status`, "utf8")) ?? [];
      return Math.round(Number(kilobytes) / 1024);
    },
  };
}

/** Starts this many VMs with agents; all VMs serve the application on port `upstream`. */
export async function openBed(count: number, upstream: number): Promise<Bed> {
  const base = makeTestFolder();
  const store = makeStore(base);
  const controlPlane = await startControlPlane();
  const vms = await Promise.all(
    Array.from({ length: count }, async (_, index) => startVm(base, store, index, upstream)),
  );
  const publish = (
    revision: string,
    start: readonly string[],
    more: ReadonlyMap<string, string>,
    hotRestart?: string,
  ): void => {
    const folder = join(base, "programs", revision);
    const rules = writeProgram(join(folder, "rules"), [
      `# rules of ${revision}`,
      `echo "$1 ${revision}" >> "$MESHROLL_ROOT/rules.log"`,
    ]);
    const files = new Map([["start", writeProgram(join(folder, "start"), start)], ["rules", rules], ...more]);
    const discoveryAddress = `127.0.0.1:${controlPlane}`;
    store.publish(revision, revision, { files, discoveryAddress, ...(hotRestart === undefined ? {} : { hotRestart }) });
  };
  return {
    store,
    vms,
    publish(revision, { path }, hotRestart) {
      const envoy = [
        'exec "$MESHROLL_SLOT/envoy" -c "$MESHROLL_AGENT_ROOT/etc/envoy.json" --log-level warning --concurrency 1',
        '--base-id "$MESHROLL_BASE_ID" --restart-epoch "$MESHROLL_RESTART_EPOCH"',
        `--drain-time-s ${drainSeconds} --parent-shutdown-time-s ${parentShutdownSeconds}`,
      ];
      publish(revision, [envoy.join(" \\\n  ")], new Map([["envoy", path]]), hotRestart);
    },
    publishBroken: (revision, hotRestart) => publish(revision, ["exit 1"], new Map(), hotRestart),
  };
}
