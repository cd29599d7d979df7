import { KubeConfig } from "@kubernetes/client-node";

import { openCluster } from "../../libs/kube/index.ts";
import { systemClock } from "../../libs/runtime/index.ts";
import type { Contestant, Reading, Seen } from "./memory-reading.ts";
import { readPeakRss } from "../read-process.ts";
import { startInformers } from "./memory-peer.ts";

// Each contestant is a process of its own, as heaps cannot be told apart within one. All load the same modules and the same
// kubeconfig; `idle` opens no connection. Arguments: contestant, text of the kubeconfig.
const [, , who, kubeconfig = ""] = process.argv;

/** Keeps what was built reachable until it is measured. */
const held: unknown[] = [];

const contestants: Readonly<Record<Contestant, () => Promise<Seen>>> = {
  idle: async () => ({ workloads: 0, pods: 0 }),
  ours: followCluster,
  peer: async () => {
    const informers = await startInformers(config);
    held.push(informers);
    return informers.count();
  },
};

const config = new KubeConfig();
config.loadFromString(kubeconfig);
if (who !== "idle" && who !== "ours" && who !== "peer") throw new Error(`there is no contestant ${who}`);
if (globalThis.gc === undefined) throw new Error("run it with --expose-gc");

// The parent is gone, and with it the server: the watches would reconnect for ever.
process.on("disconnect", () => process.exit(1));

const began = { wall: performance.now(), cpu: process.cpuUsage() };
const seen = await contestants[who]();
const { user, system } = process.cpuUsage(began.cpu);
const took = { wallMs: performance.now() - began.wall, cpuMs: (user + system) / 1e3 };
const reading: Reading = { ...seen, ...took, ...(await readMemory()) };
process.send?.(reading, () => process.exit(0));

async function followCluster(): Promise<Seen> {
  const cluster = openCluster({ name: "bench", kubeconfig: { text: kubeconfig }, clock: systemClock() });
  await cluster.start(() => undefined, new AbortController().signal);
  held.push(cluster);
  // Read as the executor does before it publishes: what the view builds lazily counts as its memory.
  const inventories = [...cluster.view.namespaces.values()];
  const workloads = inventories.flatMap((inventory) => inventory.workloads);
  const pods = workloads.flatMap((workload) => workload.pods.map(({ count }) => count));
  return { workloads: workloads.length, pods: pods.reduce((sum, count) => sum + count, 0) };
}

/** Collects garbage twice, as some buffers are released only after a first collection. */
async function readMemory(): Promise<Pick<Reading, "heapBytes" | "rssBytes" | "peakRssBytes">> {
  const peakRssBytes = readPeakRss();
  for (let round = 0; round < 2; round++) {
    // `last-resort` also returns empty pages, which an ordinary collection keeps.
    await globalThis.gc?.({ type: "major", execution: "async", flavor: "last-resort" });
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, rss } = process.memoryUsage();
  return { heapBytes: heapUsed, rssBytes: rss, peakRssBytes };
}
