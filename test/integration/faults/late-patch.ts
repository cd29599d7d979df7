import { deepStrictEqual, ok } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Fault, Stage } from "./fault.ts";
import { drawBetween } from "./random.ts";
import { file, readEnd, readRevisions } from "./shop.ts";
import { startSlowWire } from "./slow-wire.ts";

const tenMinutes = 600_000;

async function play(stage: Stage): Promise<void> {
  const { fleet, random } = stage;
  await stage.prepare("well");
  const wire = await startSlowWire(fleet.kube.url);
  const kubeconfig = join(fleet.folder, "kubeconfig-over-slow-wire");
  writeFileSync(kubeconfig, fleet.kube.kubeconfig().replaceAll(fleet.kube.url, wire.url));
  try {
    await stage.startAll({ MESHROLL_KUBECONFIG: kubeconfig });
    const stuck = wire.holdPatches(drawBetween(random, 1, 6));
    await fleet.merge({ "rollouts.yml": file(100) });
    const held = await stuck;
    const thaw = fleet.freeze("executor");
    const before = fleet.writes.length;
    const from = fleet.clock.now();
    await fleet.merge({ "rollouts.yml": file(0) });
    await fleet.until("the return is recorded", async () => (await fleet.runs()).length === 2);
    await fleet.until("ten minutes of the clock have passed", () => fleet.clock.now() >= from + tenMinutes);
    deepStrictEqual(fleet.writes.length, before, "nobody moves while the only executor is frozen");

    held.release();
    await fleet.until("the patch in its hand lands", () => fleet.writes.length > before);
    thaw();
    stage.mended();
    await fleet.untilRunEnds(2);
    await fleet.until("all are back", () => Object.values(readRevisions(fleet)).every((each) => each === "old"));

    const { writes, runs } = await readEnd(fleet);
    const uneven = Object.entries(writes).filter(([, count]) => count !== 0 && count !== 2);
    deepStrictEqual(uneven, [], "each workload went there and back, or stayed");
    deepStrictEqual(runs, ["done", "done"]);
    const late = fleet.writes.slice(before).map(({ body }) => body);
    ok(countMoves(late) <= 1, "at most the one patch in its hand");
  } finally {
    await wire.close();
  }
}

/** Bodies that move forward: what goes back names `new` only as what stood before. */
function countMoves(bodies: readonly unknown[]): number {
  const labels = bodies.map((body) => {
    const patch = body as { spec?: { template?: { metadata?: { labels?: Record<string, unknown> } } } };
    return patch.spec?.template?.metadata?.labels?.["istio.io/rev"];
  });
  return labels.filter((label) => label === "new").length;
}

/** What a process decided before it was frozen. */
export const latePatchFaults: readonly Fault[] = [
  {
    name: "late-patch",
    shows:
      "an executor frozen for ten minutes across a merged rollback lands at most the one patch in its hand, which goes back",
    factor: 60,
    // Its own patch, decided before the return: the only write that may be late.
    expected: [/^demanded: one \S+: moved to new while main/, /^returnHolds: one/, /^stoppedStands: one/],
    play,
  },
];
