import type { BatchJob } from "#libs/events";
import { testInstallation } from "#libs/input";
import { openQueue } from "#libs/queue";
import { deepStrictEqual, ok } from "node:assert/strict";
import { Redis } from "ioredis";

import type { Fault, Stage } from "../passes/fault.ts";
import { names } from "../passes/shop.ts";
import { type HeldBatch, holdBatch } from "./hold-batch.ts";

async function flush({ lane }: Stage): Promise<void> {
  const redis = new Redis(lane.redis.url);
  try {
    await redis.flushall();
  } finally {
    redis.disconnect();
  }
}

/** Moves that began and have not arrived, at most at one time. */
function watchRolling({ fleet }: Stage): () => number {
  let most = 0;
  fleet.model.onEvent(() => {
    const rolling = names.filter((name) => {
      const ref = { namespace: `shop-${name}`, kind: "Deployment", name: "web" } as const;
      const isNew = fleet.model.templateOf(ref).labels["istio.io/rev"] === "new";
      const pods = fleet.model.podsOf(ref);
      return isNew && !(pods.length === 2 && pods.every((pod) => pod.revision === "new" && pod.ready));
    });
    most = Math.max(most, rolling.length);
  });
  return () => most;
}

/** A client that reaches Redis puts another job in the place of the one in hand. */
async function playForgedJob({ stage, held }: HeldBatch): Promise<void> {
  const { fleet, lane } = stage;
  const most = watchRolling(stage);
  const queue = openQueue<BatchJob>({ installation: testInstallation, url: lane.redis.urlOf("planner") });
  try {
    const open = await queue.inspect(fleet.cluster);
    ok(open !== undefined, "a batch is in hand");
    const thaw = fleet.freeze("planner");
    await flush(stage);
    deepStrictEqual(await queue.put(fleet.cluster, open.job), "added");
    held.refuse();
    thaw();
    stage.fixed();
    await stage.endsUndisturbed("well");
    ok(most() <= 2, `${most()} workloads rolled at once, batchSize is 2`);
  } finally {
    await queue.close();
  }
}

const asWindow =
  "defaults:\n  strategy: Window\n  batch: { batchSize: 2, delayBetweenBatches: 5s, readinessTimeout: 1h }\n";

export const forgedJobFaults: readonly Fault[] = [
  {
    name: "forged-job",
    shows: "a second job is put into the queue while a batch is in hand: batchSize and the delay are kept",
    play: async (stage) => holdBatch(stage, playForgedJob),
  },
  {
    name: "forged-job-in-window",
    shows: "the same where there is no delay between batches: what rolls is counted on the objects, not by jobs",
    play: async (stage) => holdBatch(stage, playForgedJob, () => ({ "meshroll.yml": asWindow })),
  },
];
