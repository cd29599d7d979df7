import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

import { openBus } from "#libs/bus";
import { readStatus } from "#libs/events";
import { testInstallation } from "#libs/input";

import { findFreePort } from "../../scripts/brokers/free-port.ts";
import { startNats } from "../../scripts/brokers/start-brokers.ts";
import { type Bench, fasterThanPeer, type Figure, limitFigure, takeMedian } from "../bench.ts";
import { readThreadMs } from "../read-process.ts";
import { readUse } from "./read-use.ts";
import type { Readers } from "./readers.ts";

const COUNT = 500;
const ROUND_S = 20;
const QUIET = "--disable-warning=ExperimentalWarning";
const root = fileURLToPath(new URL("../..", import.meta.url));

/** CPU and memory of the api with this many open pages, one of which reads nothing, and the network traffic of one page. */
export const watchersBench: Bench = { name: "watchers", run: runWatchers };

/** Statuses of a minute of the demo's planner, an hour of cluster time: 2,526 workloads of six clusters, moved in batches. */
function readStatuses(): readonly string[] {
  return gunzipSync(readFileSync(new URL("./statuses.jsonl.gz", import.meta.url)))
    .toString()
    .split("\n");
}

/** Reference work: CPU cores needed to gzip one status per second once for each reader. */
function measurePacking(status: string): number {
  const before = readThreadMs();
  gzipSync(status);
  return ((readThreadMs() - before) / 1e3) * COUNT;
}

async function startApi(natsUrl: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const port = await findFreePort();
  const env = {
    PATH: process.env["PATH"] ?? "",
    MESHROLL_INSTALLATION: testInstallation,
    MESHROLL_NATS_URL: natsUrl,
    MESHROLL_API_PORT: String(port),
  };
  const child = spawn(process.execPath, [QUIET, "services/api/main.ts"], {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = async () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`the api ended with ${child.exitCode}`);
    await sleep(50);
  }
  return { child, url };
}

/** Sends a message to the readers' process and returns its answer. */
async function ask(readers: ChildProcess, message: unknown): Promise<unknown> {
  readers.send(message as object);
  const [answer] = (await once(readers, "message")) as [unknown];
  return answer;
}

async function runWatchers(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-bench-"));
  const nats = await startNats({ folder, log: () => undefined });
  const planner = await openBus({ installation: testInstallation, url: nats.url, name: "planner" });
  const statuses = readStatuses();
  const publish = async (at: number) => {
    const status = readStatus(statuses[at % statuses.length] ?? "");
    if (status === undefined)
      throw new Error("the recorded statuses have an earlier form: node test/page/demo/record-statuses.ts");
    await planner.bucket("status").put("fleet", JSON.stringify({ ...status, wroteAt: Date.now() }));
  };
  await publish(0);
  const { child: api, url } = await startApi(nats.urlOf("api"));
  const readers = fork(fileURLToPath(new URL("./readers.ts", import.meta.url)), { execArgv: [QUIET] });
  try {
    await ask(readers, { url, count: COUNT });
    const before = readUse(api.pid ?? 0);
    await ask(readers, "figures");
    const packing: number[] = [];
    for (let second = 1; second <= ROUND_S; second++) {
      await publish(second);
      packing.push(measurePacking(statuses[second % statuses.length] ?? ""));
      await sleep(1000);
    }
    const after = readUse(api.pid ?? 0);
    const { bytes, connected } = (await ask(readers, "figures")) as Readers;
    if (connected !== COUNT) throw new Error(`${COUNT - connected} of ${COUNT} readers were cut off`);
    if (bytes[0] < 1000) throw new Error(`a reader was sent ${bytes[0]} bytes in ${ROUND_S} s: it is held up`);
    const who = `${COUNT} with the page`;
    const cores = { value: (after.cpuSeconds - before.cpuSeconds) / ROUND_S, unit: "cores" };
    return [
      limitFigure(`${who}: cores of the api`, cores, 1),
      fasterThanPeer(
        `${who}: cores, against packing`,
        cores,
        "gzip for each of them",
        { value: takeMedian(packing, "cores").value, unit: "cores" },
        3,
      ),
      limitFigure(`${who}: memory of the api`, { value: after.rssBytes / 1e6, unit: "MB" }, 300),
      limitFigure(
        "one with the page, at 60 times a fleet's pace",
        { value: bytes[1] / ROUND_S / 1000, unit: "kB/s" },
        2,
      ),
    ];
  } finally {
    readers.kill();
    api.kill();
    await planner.close();
    await nats.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
