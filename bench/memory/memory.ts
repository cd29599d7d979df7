import { atMostPeer, type Bench, fasterThanPeer, type Figure, limitFigure } from "../bench.ts";
import { measureContestant, type ServerProcess, startServer } from "./memory-processes.ts";
import type { Contestant, Reading } from "./memory-reading.ts";

const WORKLOADS = 10_000;
const PODS_EACH = 3;
const ROUNDS = 2;
const PEER = "client-node informers";

/** Memory of an executor for one cluster, against informers that keep whole objects. */
export const memoryBench: Bench = { name: "memory", run: runMemory };

async function runMemory(): Promise<readonly Figure[]> {
  const server = await startServer(WORKLOADS, PODS_EACH);
  try {
    const best = await measureRounds(server.kubeconfig);
    requireSameKnowledge(best);
    explain(server, best);
    return makeFigures(best);
  } finally {
    server.stop();
  }
}

type Best = Readonly<Record<Contestant, Reading>>;

/** Runs the contestants in turns, and takes the least of each figure: a disturbance never lowers one. */
async function measureRounds(kubeconfig: string): Promise<Best> {
  let best: Best | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const idle = await measureContestant("idle", kubeconfig);
    const ours = await measureContestant("ours", kubeconfig);
    const peer = await measureContestant("peer", kubeconfig);
    best =
      best === undefined
        ? { idle, ours, peer }
        : { idle: takeLeast(best.idle, idle), ours: takeLeast(best.ours, ours), peer: takeLeast(best.peer, peer) };
  }
  if (best === undefined) throw new Error("no round was run");
  return best;
}

function takeLeast(a: Reading, b: Reading): Reading {
  return {
    workloads: Math.min(a.workloads, b.workloads),
    pods: Math.min(a.pods, b.pods),
    heapBytes: Math.min(a.heapBytes, b.heapBytes),
    rssBytes: Math.min(a.rssBytes, b.rssBytes),
    peakRssBytes: Math.min(a.peakRssBytes, b.peakRssBytes),
    wallMs: Math.min(a.wallMs, b.wallMs),
    cpuMs: Math.min(a.cpuMs, b.cpuMs),
  };
}

/** Throws unless both contestants hold all objects: one that holds fewer needs less memory. */
function requireSameKnowledge({ ours, peer }: Best): void {
  const complete = ours.workloads >= WORKLOADS && ours.pods >= WORKLOADS * PODS_EACH;
  if (complete && ours.workloads === peer.workloads && ours.pods === peer.pods) return;
  throw new Error(
    `we know ${ours.workloads} workloads with ${ours.pods} pods, the peer ${peer.workloads} with ${peer.pods}; ` +
      `the server has ${WORKLOADS} with ${WORKLOADS * PODS_EACH}, and its own`,
  );
}

function makeFigures({ idle, ours, peer }: Best): readonly Figure[] {
  const over = (of: Reading, what: "heapBytes" | "rssBytes") => ({
    value: ((of[what] - idle[what]) / 1e6) * (WORKLOADS / ours.workloads),
    unit: "MB",
  });
  const cpu = (of: Reading) => ({ value: of.cpuMs / 1e3, unit: "s" });
  const size = "10k workloads, 30k pods";
  return [
    limitFigure(`${size}: heap over idle`, over(ours, "heapBytes"), 40),
    fasterThanPeer(`${size}: heap over idle`, over(ours, "heapBytes"), PEER, over(peer, "heapBytes"), 10),
    fasterThanPeer(`${size}: RSS over idle`, over(ours, "rssBytes"), PEER, over(peer, "rssBytes"), 5),
    atMostPeer(`${size}: list all, CPU`, cpu(ours), PEER, cpu(peer), 1),
  ];
}

/** Prints the absolute figures behind the ratios. */
function explain({ bytes }: ServerProcess, best: Best): void {
  const { workloads, pods } = best.ours;
  const kb = (size: number) => `${(size / 1e3).toFixed(1)} KB`;
  console.error(
    `bench: memory: ${workloads} Deployments of ${kb(bytes.deployment)}, ${pods} pods of ${kb(bytes.pod)}, with ` +
      "managedFields, last-applied, probes, volumes, sidecar",
  );
  for (const [who, { heapBytes, rssBytes, peakRssBytes, wallMs, cpuMs }] of Object.entries(best)) {
    const mb = (size: number) => `${(size / 1e6).toFixed(1)} MB`;
    const seconds = (ms: number) => `${(ms / 1e3).toFixed(1)} s`;
    console.error(
      `bench: memory: ${who}: heap ${mb(heapBytes)}, RSS ${mb(rssBytes)}, peak RSS ${mb(peakRssBytes)}, ` +
        `listed in ${seconds(wallMs)} (CPU ${seconds(cpuMs)})`,
    );
  }
}
