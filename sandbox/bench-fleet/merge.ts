import { setTimeout as sleep } from "node:timers/promises";

import { findFreePort } from "../../scripts/brokers/free-port.ts";
import { addApps, printRollouts, printSettings } from "./files.ts";
import { type Rig, startRig, until } from "./rig.ts";

/** The planner's default. */
const pollMs = 10_000;
const merges = 4;
const secret = "the-secret-of-a-webhook-of-a-bench";

/** Real ms from the server's answer to the push until the first patch, for each merge. */
export interface MergeReading {
  readonly pollMs: number;
  readonly firstPatchMs: readonly number[];
}

async function measureMerge(rig: Rig, percent: number): Promise<number> {
  const before = rig.patches.length;
  await rig.merge({ "rollouts.yml": printRollouts(percent) });
  const mergedAt = performance.now();
  await until("something moved", () => rig.patches.length > before);
  const { at } = rig.patches[before] ?? { at: Number.NaN };
  await until("it is through", () => isQuiet(rig));
  return at - mergedAt;
}

function isQuiet({ patches }: Rig): boolean {
  return performance.now() - (patches.at(-1)?.at ?? 0) > 1500;
}

/** Measures how soon after a merge the first workload is written, with a webhook or, without one, by polling. */
export async function measureMerges(hasWebhook: boolean): Promise<MergeReading> {
  const port = await findFreePort();
  const webhooks = [{ url: `http://127.0.0.1:${port}/webhooks/github`, secret }];
  const rig = await startRig({
    clusters: ["one"],
    factor: 10,
    fill: (model) => addApps(model, 200, 1000),
    files: { "rollouts.yml": printRollouts(0), "meshroll.yml": printSettings("batchSize: 50") },
    ...(hasWebhook ? { webhooks } : {}),
  });
  try {
    rig.startExecutor();
    rig.start("planner", { MESHROLL_GIT_POLL_SECONDS: String(pollMs / 1000) });
    if (hasWebhook) rig.start("api", { MESHROLL_API_PORT: String(port), MESHROLL_GITHUB_WEBHOOK_SECRET: secret });
    await until("the fleet is known", async () => (await rig.bus.bucket("status").get("fleet")) !== undefined);
    const firstPatchMs: number[] = [];
    for (let index = 1; index <= merges; index++) {
      // Spread over the time between two polls.
      await sleep((pollMs / merges / 4) * index);
      firstPatchMs.push(await measureMerge(rig, index * 20));
    }
    return { pollMs, firstPatchMs };
  } finally {
    await rig.stop();
  }
}
