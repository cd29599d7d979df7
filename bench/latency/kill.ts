import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Queue } from "bullmq";

import { startBrokers } from "../../scripts/brokers/start-brokers.ts";
import { type Bench, fasterThanPeer, type Figure, knownMiss } from "../bench.ts";
import { forkQuietly, playScenario } from "./scenario.ts";

/** Rounds of ours, one after the other; each starts at an arbitrary time within the interval of the stalled check. */
const ROUNDS = 4;
/** Delay of each peer's job after the start of its workers, ms: spread over the 30 s of the stalled check. */
const OFFSETS = [3_750, 11_250, 18_750, 26_250];
const KILL_AT_PATCH = 3;

/** Time from SIGKILL of the executor that holds a batch until another one patches, with the job that the planner hands out next. */
export const killBench: Bench = { name: "kill", run: runKill };

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

async function untilReady(child: ChildProcess): Promise<void> {
  for (;;) if ((await once(child, "message"))[0] === "ready") return;
}

/** Two workers of one queue, of which the one with the job is killed. Returns ms until the other one's first patch. */
async function measurePeer(url: URL, index: number): Promise<number> {
  const queueName = `peer-${index}`;
  const { hostname: host, port, username, password } = url;
  const connection = { host, port: Number(port), username, password };
  const entry = new URL("./kill-peer.ts", import.meta.url);
  const workers = [0, 1].map(() => forkQuietly(entry, [queueName, url.href]));
  const queue = new Queue(queueName, { connection });
  try {
    await Promise.all(workers.map(untilReady));
    await new Promise((resolve) => setTimeout(resolve, OFFSETS[index]));
    const took = Promise.withResolvers<number>();
    const killed: { by?: ChildProcess; at: number } = { at: 0 };
    for (const worker of workers) {
      let patches = 0;
      worker.on("message", () => {
        patches += 1;
        if (killed.by === undefined && patches === KILL_AT_PATCH) {
          worker.kill("SIGKILL");
          Object.assign(killed, { by: worker, at: performance.now() });
        } else if (killed.by !== undefined && killed.by !== worker) took.resolve(performance.now() - killed.at);
      });
    }
    await queue.add("batch", {});
    return await took.promise;
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await queue.close();
  }
}

async function measurePeers(): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-bench-"));
  const brokers = await startBrokers({ folder, env: {}, log: console.error });
  try {
    const url = new URL(brokers.redisUrl);
    return await Promise.all(OFFSETS.map(async (_, index) => measurePeer(url, index)));
  } finally {
    await brokers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureOurs(): Promise<readonly number[]> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) took.push((await playScenario("kill")) as number);
  return took;
}

async function runKill(): Promise<readonly Figure[]> {
  // In parallel, as the peers mostly wait.
  const [ours, peers] = await Promise.all([measureOurs(), measurePeers()]);
  const list = (values: readonly number[]) => values.map((ms) => (ms / 1e3).toFixed(1)).join(", ");
  console.error(`bench: kill: ours ${list(ours)} s; BullMQ's defaults ${list(peers)} s`);
  const seconds = (values: readonly number[]) => ({ value: mean(values) / 1e3, unit: "s" });
  const figure = fasterThanPeer("kill -9 to the next patch", seconds(ours), "BullMQ's defaults", seconds(peers), 8);
  return [knownMiss(figure, mean(peers) >= 5 * mean(ours))];
}
