import { addApps, printRollouts, printSettings } from "./files.ts";
import { startRig, until } from "./rig.ts";
import { wipeStores } from "./wipe-stores.ts";

const clusters = ["eu", "us", "ap", "sa"];
const workloads = 20_000;
const batchSize = 10;

/** A wipe in the middle of a run, real ms from when the brokers answer again. */
export interface WipeReading {
  readonly workloads: number;
  /** Until every cluster has patched more than a batch again. */
  readonly movesAgainMs: number;
}

/** Wipes Redis and NATS while a large fleet moves; none of our processes is restarted. */
export async function measureWipe(): Promise<WipeReading> {
  const rig = await startRig({
    clusters,
    factor: 10,
    fill: (model) => addApps(model, workloads / clusters.length, 20_000),
    files: { "rollouts.yml": printRollouts(0), "meshroll.yml": printSettings(`batchSize: ${batchSize}`) },
  });
  try {
    rig.startExecutor();
    rig.start("planner", { MESHROLL_GIT_POLL_SECONDS: "0.5" });
    await rig.merge({ "rollouts.yml": printRollouts(100) });
    await until("the fleet moves", () => rig.patches.length > 100, 120_000);
    await wipeStores(rig.brokers);
    const wipedAt = performance.now();
    const before = rig.patches.length;
    // The batch in hand may still be patched to its end, so only more patches than that prove a new batch.
    const movesAgain = (cluster: string) =>
      rig.patches.slice(before).filter((patch) => patch.cluster === cluster).length > batchSize;
    await until("all clusters move again", () => clusters.every(movesAgain), 120_000);
    return { workloads, movesAgainMs: performance.now() - wipedAt };
  } finally {
    await rig.stop();
  }
}
