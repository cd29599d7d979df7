import { readAudit } from "../../test/cluster/bed/start-cluster.ts";
import { describeTally, type Tally } from "../../test/vm/traffic/open-load.ts";
import type { Figure } from "../bench.ts";
import { type Bed, type BenchPrograms, file, openBed, settings } from "./bed.ts";
import { frontNamespace, frontPrefix, RollingBench } from "./envoy/rolling.ts";
import { after, findLowerBound, makePart, type Part } from "./fleet.ts";
import { runBarrier } from "./peers/barrier.ts";
import { runShellLoop } from "./peers/shell-loop.ts";
import { makeFigures, type Readings } from "./readings/figures.ts";
import { type ProcessUse, readProcessUse } from "../../test/cluster/fleet/process-use.ts";
import { readRollouts } from "../../test/cluster/fleet/read-rollouts.ts";

/** How many Deployments each part has. */
interface Sizes {
  /** Moved by `Window`, and as many by the shell loop. */
  readonly moved: number;
  /** Moved by `Batched` and by the barrier: how much of a batch is waste does not depend on their number. */
  readonly batched: number;
  readonly barrier: number;
  /** Managed Deployments in all, of which the rest moves not at all. */
  readonly managed: number;
}

export const sizes = {
  whole: { moved: 300, batched: 40, barrier: 150, managed: 1000 },
  small: { moved: 40, batched: 20, barrier: 20, managed: 100 },
} as const satisfies Readonly<Record<string, Sizes>>;

/** Rollouts at once, for every contestant. */
const bound = 10;
/** For a whole part, ms. */
const patienceMs = 900_000;

interface Parts {
  readonly window: Part;
  readonly batched: Part;
  readonly loop: Part;
  readonly barrier: Part;
  readonly still: Part;
}

function makeParts({ moved, batched, barrier, managed }: Sizes): Parts {
  return {
    window: makePart("window", moved),
    batched: makePart("batched", batched),
    loop: makePart("loop", moved, { managed: false, labelOn: "namespace" }),
    barrier: makePart("barrier", barrier, { managed: false }),
    still: makePart("still", managed - moved - batched),
  };
}

/** CPU seconds and memory of the executor and of kube-controller-manager now. */
function readUse({ cluster, fleet }: Bed): { readonly own: ProcessUse; readonly controllers: ProcessUse } {
  return {
    own: readProcessUse(fleet.findPid("executor")),
    controllers: readProcessUse(cluster.findPid("kube-controller-manager")),
  };
}

/** What 20 s without any change cost the executor, cores. */
async function measureIdle(bed: Bed): Promise<number> {
  const seconds = 20;
  const from = readUse(bed).own.cpuSeconds;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return (readUse(bed).own.cpuSeconds - from) / seconds;
}

/** Window, the shell loop and the barrier at the same time, each on Deployments of its own: what disturbs one disturbs all. */
async function moveAll(bed: Bed, { kube }: BenchPrograms, parts: Parts): Promise<Readings["use"]> {
  const { cluster, client, fleet } = bed;
  await fleet.merge({ "meshroll.yml": settings("Window", bound) });
  const [from, began] = [readUse(bed), performance.now()];
  const ours = async () => {
    await fleet.merge({ "rollouts.yml": file(frontPrefix, "window") });
    await fleet.untilRunEnds(2, patienceMs);
    return { to: readUse(bed), seconds: (performance.now() - began) / 1000 };
  };
  const [{ to, seconds }] = await Promise.all([
    ours(),
    runShellLoop(cluster, kube, parts.loop, bound),
    runBarrier(client, parts.barrier, bound),
  ]);
  return {
    residentMb: to.own.residentMb,
    peakMb: to.own.peakMb,
    cores: (to.own.cpuSeconds - from.own.cpuSeconds) / seconds,
    controllersCores: (to.controllers.cpuSeconds - from.controllers.cpuSeconds) / seconds,
    controllersMb: to.controllers.residentMb,
  };
}

async function moveBatches({ fleet }: Bed): Promise<void> {
  await fleet.merge({ "meshroll.yml": settings("Batched", bound) });
  await fleet.merge({ "rollouts.yml": file(frontPrefix, "window", "batched") });
  await fleet.untilRunEnds(3, patienceMs);
}

interface Rolled {
  readonly ours: Tally;
  readonly naive: Tally;
  /** Replica-seconds below the floor of the front: by us, and by the naive one. */
  readonly floors: readonly [number, number];
}

/** A real Envoy under load: while meshroll moves the Deployment behind it, and while all of its pods are deleted at once. */
async function rollFront({ cluster, client, fleet, floor }: Bed, { envoy }: BenchPrograms): Promise<Rolled> {
  const bench = await RollingBench.open(cluster, client, envoy);
  try {
    const start = floor.read(frontPrefix);
    const ours = await bench.loadDuring(async () => {
      await fleet.merge({ "rollouts.yml": file(frontPrefix) });
      await fleet.untilRunEnds(1, patienceMs);
    });
    const revisions = `jsonpath={.items[*].metadata.annotations.istio\\.io/rev}`;
    const injected = cluster.kubectl(["-n", frontNamespace, "get", "pods", "-o", revisions]).trim().split(" ");
    if (injected.some((each) => each !== after)) throw new Error(`the front runs ${injected.join(", ")}`);
    const middle = floor.read(frontPrefix);
    const naive = await bench.loadDuring(async () => bench.deleteAll());
    return { ours, naive, floors: [middle - start, floor.read(frontPrefix) - middle] };
  } finally {
    await bench.close();
  }
}

/** Runs everything, and judges it by the API server's audit log and watch. */
export async function measure(
  programs: BenchPrograms,
  size: Sizes,
  log: (line: string) => void,
): Promise<readonly Figure[]> {
  const parts = makeParts(size);
  const bed = await openBed(programs, Object.values(parts), log);
  try {
    const since = Date.now();
    log("Envoy in front of a rolling move ...");
    const rolled = await rollFront(bed, programs);
    log(`moved by meshroll: ${describeTally(rolled.ours)}`);
    log(`deleted at once: ${describeTally(rolled.naive)}`);
    const idleCores = await measureIdle(bed);
    log("Window, the shell loop and the barrier ...");
    const use = await moveAll(bed, programs, parts);
    log("Batched ...");
    await moveBatches(bed);
    const audit = readAudit(bed.cluster);
    const read = (part: Part) => ({
      ...readRollouts(audit, part.prefix, since),
      bound: findLowerBound(part, bound),
      count: part.deployments.length,
    });
    const { window, batched, loop, barrier } = parts;
    const floors = { ours: bed.floor.read("window") + bed.floor.read("batched") + rolled.floors[0] };
    const readings: Readings = {
      atOnce: bound,
      managed: size.managed,
      contestants: { window: read(window), batched: read(batched), loop: read(loop), barrier: read(barrier) },
      floors: { ...floors, naive: rolled.floors[1] },
      use,
      idleCores,
      requests: rolled,
    };
    return makeFigures(readings, log);
  } finally {
    await bed.end();
  }
}
