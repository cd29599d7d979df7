import { deepStrictEqual } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { nameNamespaceKey } from "#libs/events";

import type { PassTools } from "../passes/fault.ts";
import { file, names } from "../passes/shop.ts";
import { type HeldPatches, type SlowWire, startSlowWire } from "../passes/slow-wire.ts";

/** A batch of two that an executor carries out: its first patch is held on its way, and nothing was written yet. */
export interface HeldBatch {
  readonly tools: PassTools;
  readonly wire: SlowWire;
  readonly held: HeldPatches;
}

/** A kubeconfig whose API server is reached over the wire. */
export function writeKubeconfig({ fleet }: PassTools, wire: SlowWire, name: string): string {
  const path = join(fleet.folder, name);
  writeFileSync(path, fleet.kube.kubeconfig().replaceAll(fleet.kube.url, wire.url));
  return path;
}

/** Merges every workload to `new`, and holds the batch at its first patch. */
export async function holdBatch(tools: PassTools, play: (batch: HeldBatch) => Promise<void>): Promise<void> {
  const { fleet } = tools;
  await tools.prepare("well");
  const wire = await startSlowWire(fleet.kube.url);
  try {
    await tools.startAll({ MESHROLL_KUBECONFIG: writeKubeconfig(tools, wire, "kubeconfig-over-wire") });
    const stuck = wire.holdPatches(1);
    await fleet.merge({ "rollouts.yml": file(100) });
    await play({ tools, wire, held: await stuck });
    await tools.endsUndisturbed("well");
  } finally {
    await wire.close();
  }
}

/** Waits until the executor has published three changes of its cluster, one after the other: it had every occasion to write. */
async function untilExecutorReconciled({ fleet }: PassTools): Promise<void> {
  const namespace = `shop-${names.at(-1) ?? ""}`;
  const key = nameNamespaceKey(fleet.cluster, namespace);
  for (let time = 1; time <= 3; time += 1) {
    const mark = `look-${Math.round(performance.now() * 1000)}`;
    fleet.model.ownerPatchNamespace(namespace, { labels: { reconciled: mark } });
    await fleet.until("the executor has seen a change", async () => {
      const entry = await fleet.bus.bucket("inventory").get(key);
      return entry?.value?.includes(mark) === true;
    });
  }
}

/** The held patch is refused, and the executor sends no other PATCH although it reconciles. */
export async function sendsNothing({ tools, wire, held }: HeldBatch, why: string): Promise<void> {
  const before = wire.patches.length;
  held.refuse();
  await untilExecutorReconciled(tools);
  deepStrictEqual(wire.patches.slice(before), [], why);
}
