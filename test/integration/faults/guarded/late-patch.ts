import { deepStrictEqual, strictEqual } from "node:assert/strict";

import type { RealFleet } from "../../fleet/real-fleet.ts";
import type { Fault, Stage } from "../passes/fault.ts";
import { untilExecutorReconciled, writeKubeconfig } from "./hold-batch.ts";
import { drawBetween } from "../passes/random.ts";
import { file, names, readEnd, readRevisions } from "../passes/shop.ts";
import { startSlowWire } from "../passes/slow-wire.ts";

const tenMinutes = 600_000;

/** Taking back is the next reconcile (half a second, idle); a machine under load gets much more, real ms. */
const overwrittenMs = 45_000;

/** Frozen with a patch on its way; main rolls back meanwhile, and for ten minutes no other executor is there. */
async function freezeAcrossRollback({ fleet }: Stage): Promise<() => void> {
  const thaw = fleet.freeze("executor");
  const before = fleet.writes.length;
  const from = fleet.clock.now();
  await fleet.merge({ "rollouts.yml": file(0) });
  await fleet.until("the rollback is recorded", async () => (await fleet.runs()).length === 2);
  await fleet.until("ten minutes of the clock have passed", () => fleet.clock.now() >= from + tenMinutes);
  deepStrictEqual(fleet.writes.length, before, "nothing moves while the only executor is frozen");
  return thaw;
}

/** The push of the ledger's newest commit has its answer, by which the auditor knows when a run was over. */
async function untilRecorded(fleet: RealFleet): Promise<void> {
  const { head } = await fleet.ledger();
  await fleet.until("the run's end is recorded", () => fleet.github.pushes.some(({ after }) => after === head));
}

/** Templates too: right after a patch its workload still has the pods of before. */
function isAllBack(fleet: RealFleet): boolean {
  const templates = names.map((name) =>
    fleet.model.templateOf({ namespace: `shop-${name}`, kind: "Deployment", name: "web" }),
  );
  const isAsked = templates.every(({ labels }) => labels["istio.io/rev"] === "old");
  return isAsked && Object.values(readRevisions(fleet)).every((each) => each === "old");
}

async function play(stage: Stage): Promise<void> {
  const { fleet, random } = stage;
  await stage.prepare("well");
  const wire = await startSlowWire(fleet.kube.url);
  try {
    await stage.startAll({ MESHROLL_KUBECONFIG: writeKubeconfig(stage, wire, "kubeconfig-over-slow-wire") });
    const stuck = wire.holdPatches(drawBetween(random, 1, 6));
    await fleet.merge({ "rollouts.yml": file(100) });
    const held = await stuck;
    const thaw = await freezeAcrossRollback(stage);
    // Another executor carries the rollback out. When the patch lands, both runs are over: none of them moves its workload.
    fleet.startService("executor", { as: "executor-2" });
    await fleet.untilRunEnds(2);
    await untilRecorded(fleet);
    const before = fleet.writes.length;
    held.release();
    await fleet.until("the patch in its hand lands", () => fleet.writes.length > before);
    stage.fixed();
    await fleet.until("all are back", () => isAllBack(fleet), overwrittenMs);

    const { length: sent } = wire.patches;
    thaw();
    await fleet.kill("executor-2");
    await untilExecutorReconciled(stage);
    deepStrictEqual(wire.patches.length, sent, "the executor that wakes sends nothing more");
    const { writes, runs } = await readEnd(fleet);
    const uneven = Object.entries(writes).filter(([, count]) => count !== 0 && count !== 2);
    deepStrictEqual(uneven, [], "each workload went there and back, or stayed");
    deepStrictEqual(runs, ["done", "done"]);
    const late = fleet.writes.slice(before).map(({ body }) => body);
    strictEqual(countMoves(late), 1, "the one patch in its hand");
  } finally {
    await wire.close();
  }
}

/** Bodies that move forward: what is rolled back names `new` only as what stood before. */
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
      "a patch in the hand of a frozen executor lands when a merged rollback is done: it is reverted, no other follows",
    factor: 60,
    // Its own patch, decided before the rollback: the only write that may be late.
    expected: [/^demanded: one \S+: moved to new while main/, /^rollbackHolds: one/, /^stoppedStands: one/],
    play,
  },
];
