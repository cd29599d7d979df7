import { deepStrictEqual } from "node:assert/strict";

import type { Fault } from "../passes/fault.ts";
import { type HeldBatch, holdBatch } from "./hold-batch.ts";

/** An executor is frozen with a patch in its hand; the patch arrives when another executor has moved the workload long ago. */
async function playSecondExecutor({ stage, held, wire }: HeldBatch): Promise<void> {
  const { fleet } = stage;
  const thaw = fleet.freeze("executor");
  const { length: sent } = wire.patches;
  fleet.startService("executor", { as: "executor-2" });
  await fleet.untilRunEnds(1);
  const before = fleet.model.writes.length;
  held.release();
  const late = () => fleet.model.writes.slice(before).filter(({ path }) => held.path.startsWith(path));
  await fleet.until("the patch in its hand has its answer", () => late().length > 0);
  deepStrictEqual(
    late().map(({ status }) => status),
    [409],
    "a patch that was decided on an older object",
  );
  thaw();
  stage.fixed();
  deepStrictEqual(wire.patches.length, sent, "it sends nothing more");
}

export const overtakenPatchFaults: readonly Fault[] = [
  {
    name: "second-executor",
    shows:
      "an executor is frozen with a patch in its hand, another one takes its cluster, then the patch arrives: one write each",
    play: async (stage) => holdBatch(stage, playSecondExecutor),
  },
];
