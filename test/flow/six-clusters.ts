import { createModel, type KubeModel } from "#fakes/kube";

import type { FleetFlow } from "./fleet-flow.ts";
import { file, fill, listChanges, makeClusters, nameShops, refOf, settingsOf } from "./shop.ts";

export const clusterNames = ["use1-a", "use1-b", "usw2-a", "euw1-a", "apne1-a", "stage"] as const;

const shops = ["a", "b", "c", "d"];

/** A cluster on `old` with four Deployments `shop-<a to d>/web` of two pods. */
export function makeCluster(flow: FleetFlow, name: string): KubeModel {
  return fill(createModel({ clock: flow.clock, seed: name }), nameShops(shops));
}

/** Six clusters on `old` with their baseline; no process runs yet. */
export async function makeSix(): Promise<FleetFlow> {
  const flow = makeClusters(clusterNames, nameShops(shops));
  flow.whenMerged(file(0), settingsOf("batchSize: 1"));
  return flow.givenBaseline();
}

/** Six clusters with one planner and one executor that have read everything. */
export async function openSix(): Promise<FleetFlow> {
  const flow = await makeSix();
  return flow.startExecutor().startPlanner().pass(30_000);
}

/** How many of a cluster's workloads run this revision with all their pods. */
export function countOn(flow: FleetFlow, cluster: string, revision: string): number {
  return shops.filter((shop) => {
    const pods = flow.model(cluster).podsOf(refOf(shop));
    return pods.length === 2 && pods.every((pod) => pod.revision === revision && pod.ready);
  }).length;
}

/** Number of our successful writes to the cluster's workloads. */
export function countMoves(flow: FleetFlow, cluster: string): number {
  return listChanges(flow.model(cluster)).filter(({ path, status }) => path.includes("/deployments/") && status < 300)
    .length;
}

/** Ms until all workloads of these clusters run `new`. */
export async function untilMigrated(flow: FleetFlow, clusters: readonly string[]): Promise<number> {
  const from = flow.clock.now();
  await flow.until(`${clusters.join(", ")} arrived`, () => clusters.every((name) => countOn(flow, name, "new") === 4));
  return flow.clock.now() - from;
}
