import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, makeClusters, nameShops, settingsOf } from "../shop.ts";

const map = ["meshroll-system", "meshroll-recorded-stops"] as const;
const names = ["one", "two"] as const;
const later = "2999-01-01T00:00:00.000Z";

/** Two clusters with three shops each; the attacker can write only the ConfigMaps of `one`. */
async function openTwo(): Promise<FleetFlow> {
  const flow = makeClusters(names, nameShops(["a", "b", "c"]), 2000);
  flow.whenMerged(file(0), settingsOf("batchSize: 2"));
  await flow.givenBaseline();
  return flow.startExecutor().startPlanner().pass(30_000);
}

/** Writes these entries into the stop ConfigMap of `one`. */
function plant(flow: FleetFlow, entries: Readonly<Record<string, object | string>>): void {
  const texts = Object.entries(entries).map(([id, entry]) => {
    const stop = { version: 1, id, strength: "move", at: "2026-01-01T00:00:00.000Z", who: "ana", why: "because" };
    return [id, typeof entry === "string" ? entry : JSON.stringify({ ...stop, ...entry })];
  });
  flow.model("one").setConfigMap(...map, Object.fromEntries(texts) as Record<string, string>);
}

/** How many of a cluster's workloads we wrote to with success. */
function countMoved(flow: FleetFlow, cluster: string): number {
  const ours = flow.model(cluster).writes.filter((write) => write.fieldManager === "meshroll" && write.status < 300);
  return new Set(ours.filter(({ path }) => path.includes("/deployments/")).map(({ path }) => path)).size;
}

async function told(flow: FleetFlow): Promise<string> {
  return JSON.stringify((await flow.status())?.clusters.map(({ problems }) => problems));
}

const narrowed = [
  { name: "on all", entry: { scope: "all" } },
  { name: "on a namespace that both have", entry: { scope: "namespace/shop-a" }, left: 2 },
  { name: "that cannot be read", entry: "stop, please" },
] as const;

test.each(narrowed)("a stop $name in the ConfigMap of one cluster holds that cluster only", async (stop) => {
  const flow = await openTwo();
  plant(flow, { "s-1": stop.entry });
  await flow.pass(5000);
  flow.whenMerged(file(100));
  await flow.pass(300_000);
  expect(names.map((name) => countMoved(flow, name))).toEqual(["left" in stop ? stop.left : 0, 3]);
  await flow.end();
});

test("an entry that asks for rollback --now stops its cluster, rolls nothing back, and is named by status", async () => {
  const flow = await openTwo();
  flow.whenMerged(file(100));
  const [run] = await flow.untilRunsEnd(1);
  const before = flow.model("two").writes.length;
  const scope = `run/${run?.id ?? ""}`;
  plant(flow, { "s-1": { scope, revertTo: run?.before, now: true, at: later } });
  await flow.pass(300_000);

  const writes = [...flow.model("one").writes, ...flow.model("two").writes.slice(before)];
  expect(writes.filter(({ body }) => JSON.stringify(body).includes('"istio.io/rev":"old"'))).toEqual([]);
  const stops = Object.values((await flow.ledger())?.stops ?? {});
  expect(stops.map((stop) => [stop.scope, stop.revertTo, stop.now])).toEqual([[scope, undefined, undefined]]);
  expect(await told(flow)).toContain("revertTo");
  await flow.end();
});

test("a thousand entries in one cluster stop it, are named in one sentence, and do not stop another cluster", async () => {
  const flow = await openTwo();
  const many = Array.from({ length: 1000 }, (_, n) => [`s-${n}`, "x"] as const);
  plant(flow, Object.fromEntries(many));
  await flow.pass(30_000);
  flow.whenMerged(file(100));
  await flow.pass(60_000);
  expect(names.map((name) => countMoved(flow, name))).toEqual([0, 3]);
  expect(Object.keys((await flow.ledger())?.stops ?? {}).length).toBeLessThanOrEqual(20);
  expect(await told(flow)).toContain("more entries");
  await flow.end();
});
