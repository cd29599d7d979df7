import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { type ArtifactStore, buildArtifact, makeKey, openStore, readSigners, signStore } from "#libs/artifact";

import { bundleAgent } from "../../scripts/package/bundle-agent.ts";
import { atLeastPeer, atMostPeer, type Bench, type Figure, limitFigure, plainFigure } from "../bench.ts";
import type { Served } from "./store-server.ts";

const COUNT = 2_000;
/** The default of MESHROLL_AGENT_POLL_SECONDS. */
const POLL_S = 30;
const QUIET = "--disable-warning=ExperimentalWarning";
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Memory of an idle agent, and what 2,000 of them ask of one artifact store. */
export const agentsBench: Bench = { name: "agents", run: runAgents };

function makeStore(folder: string, port: () => number): { readonly store: string; readonly publish: () => void } {
  const [store, keys] = [join(folder, "store"), join(folder, "keys")];
  mkdirSync(keys);
  for (const role of ["root", "targets", "snapshot", "timestamp"]) writeFileSync(join(keys, `${role}.pem`), makeKey());
  const signers = readSigners(keys);
  signStore(store, { signers, now: Date.now() });
  const start = join(folder, "start");
  writeFileSync(start, `#!/bin/sh\necho $$ >> '${folder}/proxies'\nexec sleep 600\n`, { mode: 0o755 });
  const publish = (): void => {
    const platform = `${process.platform}-${process.arch}`;
    const recipe = { revision: "1-24-5", platform, discoveryAddress: `127.0.0.1:${port()}`, start: "start" };
    buildArtifact(store, { ...recipe, files: new Map([["start", start]]) });
    signStore(store, { signers, now: Date.now() });
  };
  return { store, publish };
}

/** The environment that the unit gives the agent. */
function readUnit(): Readonly<Record<string, string>> {
  const unit = readFileSync(join(root, "deploy/systemd/meshroll-agent.service"), "utf8");
  const words = Array.from(unit.matchAll(/^Environment=(.*)$/gmu), ([, line = ""]) => line.split(" ")).flat();
  return Object.fromEntries(words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]));
}

async function ask(server: ChildProcess, message: string): Promise<unknown> {
  server.send(message);
  const [answer] = (await once(server, "message")) as [unknown];
  return answer;
}

/** All of a process's memory, and the part that is its own: the rest is Node's program file, which all Nodes of a machine share. */
function readMemory(pid: number | undefined): { readonly all: number; readonly own: number } {
  const status = readFileSync(`/proc/${pid ?? 0}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "mu").exec(status)?.[1]) / 1024;
  return { all: read("VmRSS"), own: read("RssAnon") };
}

function megabytes(value: number) {
  return { value, unit: "MB" };
}

async function measureBare(): Promise<number> {
  const bare = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { stdio: "ignore" });
  await sleep(2000);
  const { all } = readMemory(bare.pid);
  bare.kill();
  return all;
}

/** A VM's root, and an agent of one file that keeps what its tag says. Returns after it is kept. */
async function startAgent(folder: string, store: string, port: number): Promise<ChildProcess> {
  const vm = join(folder, "vm");
  const settings = join(vm, "etc/meshroll-agent");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "root.json"), readFileSync(join(store, "metadata/1.root.json")));
  writeFileSync(join(settings, "tag"), "1-24-5\n");
  const file = join(folder, "meshroll-agent.mjs");
  await bundleAgent(root, file);
  const agent = spawn(process.execPath, [file, "--root", vm], {
    env: {
      ...readUnit(),
      PATH: process.env["PATH"],
      MESHROLL_AGENT_STORE: `http://127.0.0.1:${port}`,
      MESHROLL_AGENT_READY_URL: `http://127.0.0.1:${port}/ready`,
      MESHROLL_AGENT_SETTLE_SECONDS: "1",
      MESHROLL_AGENT_POLL_SECONDS: "1",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const report = join(vm, "var/lib/meshroll-agent/report.json");
  const isKept = (): boolean => {
    try {
      return readFileSync(report, "utf8").includes('"UpToDate"');
    } catch {
      return false;
    }
  };
  while (!isKept()) {
    if (agent.exitCode !== null) throw new Error(`the agent ended with ${agent.exitCode}`);
    await sleep(100);
  }
  return agent;
}

/** The agent's proxy outlives it, and wrote down its process id. */
function endProxies(folder: string): void {
  const file = join(folder, "proxies");
  if (existsSync(file)) for (const pid of readFileSync(file, "utf8").trim().split("\n")) process.kill(Number(pid));
}

async function lookOnce(store: ArtifactStore, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    try {
      for await (const chunk of await store.read(path, 0)) if (chunk.byteLength === 0) return;
    } catch (error) {
      // There is no newer root.
      if ((error as Error).name !== "NotInStore") throw error;
    }
  }
}

/** Requests answered per second when all agents look at once, as after a power cut. */
async function measureHerd(port: number, paths: readonly string[]): Promise<number> {
  const store = openStore(`http://127.0.0.1:${port}`);
  const begun = performance.now();
  await Promise.all(Array.from({ length: COUNT }, async () => lookOnce(store, paths)));
  return (COUNT * paths.length) / ((performance.now() - begun) / 1000);
}

async function runAgents(): Promise<readonly Figure[]> {
  if (process.platform !== "linux") return [];
  const folder = mkdtempSync(join(tmpdir(), "meshroll-agents-"));
  let port = 0;
  const { store, publish } = makeStore(folder, () => port);
  const server = fork(fileURLToPath(new URL("./store-server.ts", import.meta.url)), { execArgv: [QUIET] });
  let agent: ChildProcess | undefined;
  try {
    port = (await ask(server, store)) as number;
    publish();
    agent = await startAgent(folder, store, port);
    await ask(server, "forget");
    await sleep(20_000);
    const { all, own } = readMemory(agent.pid);
    const { paths, bytes } = (await ask(server, "tell")) as Served;
    const bare = await measureBare();
    const looks = paths.filter((path) => path.endsWith("/timestamp.json")).length;
    const each = paths.length / looks;
    const last = paths.lastIndexOf("/metadata/timestamp.json");
    const herd = await measureHerd(
      port,
      paths.slice(last - 1, last - 1 + Math.round(each)).map((path) => path.slice(1)),
    );
    return [
      atMostPeer("an idle agent: all memory", megabytes(all), "bare Node", megabytes(bare), 1.8),
      limitFigure("an idle agent: memory of its own", megabytes(own), 25),
      limitFigure("an agent's look into the store: requests", { value: each, unit: "requests" }, 3.2),
      plainFigure("an agent's look into the store: bytes", { value: bytes / looks / 1024, unit: "kB" }),
      atLeastPeer(
        "2,000 looks at once: answered by a static server",
        { value: herd, unit: "requests/s" },
        `2,000 agents every ${POLL_S} s`,
        { value: (COUNT / POLL_S) * each, unit: "requests/s" },
        2,
      ),
    ];
  } finally {
    agent?.kill();
    server.kill();
    endProxies(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}
