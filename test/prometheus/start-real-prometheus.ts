import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { findFreePort } from "../../scripts/brokers/free-port.ts";
import { startProcess } from "../../scripts/brokers/own-process.ts";
import type { Program } from "../../scripts/brokers/programs/program.ts";
import { findPrometheus, findPromtool } from "./prometheus-program.ts";
import { printSeries, type Series } from "./series.ts";

/** A real Prometheus on loopback that has these series and scrapes nothing. */
export interface RealPrometheus {
  readonly url: string;
  close(): Promise<void>;
}

/** How long it may take to read its store, ms. */
const startLimitMs = 30_000;

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(1000) })).ok;
  } catch {
    return false;
  }
}

/** Throws with the server's log if it ends, or is not ready in time. */
async function waitReady(url: string, hasEnded: () => boolean, log: string): Promise<void> {
  const deadline = Date.now() + startLimitMs;
  while (!(await isReady(url))) {
    if (hasEnded() || Date.now() > deadline)
      throw new Error(`Prometheus did not start: ${readFileSync(log, "utf8").slice(-2000)}`);
    await sleep(20);
  }
}

interface Store {
  readonly folder: string;
  readonly data: string;
  readonly config: string;
  readonly log: string;
}

/** A folder with a store of these series. */
function fillStore(program: Program, all: readonly Series[]): Store {
  const folder = mkdtempSync(join(tmpdir(), "meshroll prometheus "));
  const place = (name: string): string => join(folder, name);
  const store = { folder, data: place("data"), config: place("prometheus.yml"), log: place("log") };
  mkdirSync(store.data);
  writeFileSync(store.config, "global: {}\n");
  if (all.length === 0) return store;
  writeFileSync(place("series.om"), printSeries(all));
  const args = ["tsdb", "create-blocks-from", "openmetrics", place("series.om"), store.data];
  execFileSync(findPromtool(program), args, { env: { ...process.env, ...program.env } });
  return store;
}

/** `port`: default any free one. */
export async function startRealPrometheus(all: readonly Series[], port?: number): Promise<RealPrometheus> {
  const program = await findPrometheus();
  if (program === undefined) throw new Error("there is no Prometheus: npm run test:prometheus says so");
  const { folder, data, config, log } = fillStore(program, all);
  const address = `127.0.0.1:${port ?? (await findFreePort())}`;
  // The suites' samples may be older than the default retention.
  const flags = { "config.file": config, "storage.tsdb.path": data, "storage.tsdb.retention.time": "100y" };
  const args = Object.entries({ ...flags, "web.listen-address": address }).map(([name, value]) => `--${name}=${value}`);
  const server = startProcess(program, args, log);
  const close = async () => {
    await server.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitReady(`http://${address}`, () => server.hasEnded(), log);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `http://${address}`, close };
}
