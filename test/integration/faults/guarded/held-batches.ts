import { deepStrictEqual } from "node:assert/strict";

import type { Fault } from "../passes/fault.ts";
import { startSlowWire } from "../passes/slow-wire.ts";
import { type HeldBatch, holdBatch, sendsNothing, writeKubeconfig } from "./hold-batch.ts";

/** A stop for all comes while a patch is on its way: the rest of the batch is not written. */
async function stopInBatch(batch: HeldBatch): Promise<void> {
  const { fleet } = batch.tools;
  await fleet.request({ verb: "stop", scope: "all" });
  await fleet.until("the executor has placed the stop in its cluster", () => fleet.hasRecordedStop());
  await sendsNothing(batch, "written although all is stopped");
  await fleet.request({ verb: "resume", scope: "all" });
  batch.tools.fixed();
}

/** The first executor is frozen with a patch on its way; another one has the batch when it wakes. */
async function loseLockInBatch(batch: HeldBatch): Promise<void> {
  const { tools } = batch;
  const { fleet } = tools;
  const thaw = fleet.freeze("executor");
  const second = await startSlowWire(fleet.kube.url);
  try {
    const taken = second.holdPatches(1);
    const env = { MESHROLL_KUBECONFIG: writeKubeconfig(tools, second, "kubeconfig-of-second") };
    fleet.startService("executor", { as: "executor-2", env });
    const heldBySecond = await taken;
    thaw();
    await sendsNothing(batch, "written by an executor whose lock another one has");
    deepStrictEqual(fleet.writes.length, 0, "nothing is written yet");
    heldBySecond.release();
    tools.fixed();
    await tools.endsUndisturbed("well");
    // It is terminated only now, because its patches go over the wire.
    await fleet.terminate("executor-2");
  } finally {
    await second.close();
  }
}

/** An executor is frozen with a patch on its way. The patch arrives long after another executor moved the workload. */
async function overtakeInBatch({ tools, held, wire }: HeldBatch): Promise<void> {
  const { fleet } = tools;
  const thaw = fleet.freeze("executor");
  const { length: sent } = wire.patches;
  fleet.startService("executor", { as: "executor-2" });
  await fleet.untilRunEnds(1);
  const before = fleet.model.writes.length;
  held.release();
  const late = () => fleet.model.writes.slice(before).filter(({ path }) => held.path.startsWith(path));
  await fleet.until("the held patch has its answer", () => late().length > 0);
  deepStrictEqual(
    late().map(({ status }) => status),
    [409],
    "a patch that was decided on an older object",
  );
  thaw();
  tools.fixed();
  deepStrictEqual(wire.patches.length, sent, "it sends nothing more");
}

/** What an executor must notice between two patches of one batch. */
export const heldBatchFaults: readonly Fault[] = [
  {
    name: "stopped-in-batch",
    shows: "a stop that comes while an executor's patch is on its way stops the rest of its batch",
    play: async (tools) => holdBatch(tools, stopInBatch),
  },
  {
    name: "lock-lost-in-batch",
    shows: "an executor whose batch another one took while it was frozen sends none of it when it wakes",
    play: async (tools) => holdBatch(tools, loseLockInBatch),
  },
  {
    name: "second-executor",
    shows:
      "an executor is frozen with a patch on its way, another one takes its cluster, then the patch arrives: one write each",
    play: async (tools) => holdBatch(tools, overtakeInBatch),
  },
];
