import { createModel, fakeCluster, type KubeModel, type ModelClock, type WriteRecord } from "#fakes/kube";
import type { Workload, WorkloadRef } from "#libs/fleet";
import type { Change } from "#libs/kube";

import { FleetFlow } from "./fleet-flow.ts";

/** `rollouts.yml` with so many percent on `new`, the rest on `old`. */
export const file = (percent: number): string => `production:\n  old: ${100 - percent}\n  new: ${percent}\n`;

/** `meshroll.yml` whose batch has these fields besides a short delay. */
export function settingsOf(batch: string, more = ""): string {
  return `defaults:\n  batch: { delayBetweenBatches: 10s, ${batch} }\n${more}`;
}

const names = ["a", "b", "c", "d", "e", "f"];

export interface ShopOptions {
  /** Namespaces `shop-<name>`, each with a Deployment `web` of two pods; default a to f. */
  readonly names?: readonly string[];
  readonly settings?: string;
  /** Until a pod is ready: fixed, or anything between the two. */
  readonly readyMs?: number | readonly [number, number];
  readonly percent?: number;
  /** The clock of the API server, where it is another one than the flow's. */
  readonly clock?: (flow: FleetFlow) => ModelClock;
  /** What else is there before the first reconcile. */
  readonly prepare?: (model: KubeModel) => void;
}

export const refOf = (name: string): WorkloadRef => ({ namespace: `shop-${name}`, kind: "Deployment", name: "web" });

/** Both revisions, and in each of these namespaces a Deployment `web` of two pods on `old`. */
export function fill(
  model: KubeModel,
  namespaces: readonly string[],
  readyMs: ShopOptions["readyMs"] = 5000,
): KubeModel {
  for (const revision of ["old", "new"]) model.addIstiod(revision);
  const labels = { "istio.io/rev": "old" };
  for (const ns of namespaces) model.addDeployment({ ns, name: "web", replicas: 2, labels, readyMs });
  return model;
}

export const nameShops = (of: readonly string[] = names): readonly string[] => of.map((name) => `shop-${name}`);

/** Clusters of these names, each filled like that; neither main nor a process is there yet. */
export function makeClusters(clusters: readonly string[], namespaces: readonly string[], readyMs = 5000): FleetFlow {
  const flow = new FleetFlow();
  for (const name of clusters)
    flow.givenCluster(name, fill(createModel({ clock: flow.clock, seed: name }), namespaces, readyMs));
  return flow;
}

/** One cluster `one` on `old`, its baseline, and the first commit that says so; no process runs yet. */
export async function makeShop(options: ShopOptions = {}): Promise<FleetFlow> {
  const flow = new FleetFlow();
  const model = createModel({ clock: options.clock?.(flow) ?? flow.clock });
  fill(model, nameShops(options.names), options.readyMs);
  options.prepare?.(model);
  flow
    .givenCluster("one", model)
    .whenMerged(file(options.percent ?? 0), options.settings ?? settingsOf("batchSize: 2"));
  return flow.givenBaseline();
}

/** The same with one planner and one executor that have seen everything. */
export async function openShop(options: ShopOptions = {}): Promise<FleetFlow> {
  const flow = await makeShop(options);
  return flow.startExecutor().startPlanner().pass(30_000);
}

/** Revisions that the live pods of a workload run. */
export function running(flow: FleetFlow, ref: WorkloadRef): readonly (string | undefined)[] {
  return [
    ...new Set(
      flow
        .model("one")
        .podsOf(ref)
        .map((pod) => pod.revision),
    ),
  ];
}

/** How many of the shops run this revision with all their pods. */
export function countOn(flow: FleetFlow, revision: string, of: readonly string[] = names): number {
  return of.filter((name) => running(flow, refOf(name)).join() === revision).length;
}

/** What was asked of the API server, oldest first, without what only records that a move is through. */
export function listChanges(model: KubeModel): readonly WriteRecord[] {
  return model.writes.filter(({ fieldManager }) => fieldManager !== "meshroll-record");
}

/** Paths that meshroll wrote to with success, oldest first. */
export function written(flow: FleetFlow): readonly string[] {
  const ours = flow.model("one").writes.filter((write) => write.fieldManager === "meshroll" && write.status < 300);
  // Stops that the executor records restart nothing.
  const moves = ours.filter(({ verb, path }) => verb === "patch" && !path.includes("/meshroll-system/"));
  return moves.map(({ path }) => path.split("/namespaces/")[1] ?? path);
}

/** How many Deployments roll right now. */
export function countRolling(flow: FleetFlow, of: readonly string[] = names): number {
  return of.filter((name) => {
    const pods = flow.model("one").podsOf(refOf(name));
    return pods.length !== 2 || pods.some((pod) => !pod.ready) || running(flow, refOf(name)).length > 1;
  }).length;
}

/** The pod template's labels and annotations that injection reads, as they are on the API server. */
export async function templateOf(flow: FleetFlow, ref: WorkloadRef): Promise<Workload["template"] | undefined> {
  const cluster = fakeCluster(flow.model("one"), "one");
  const stop = new AbortController();
  await cluster.start(() => undefined, stop.signal);
  const inventory = cluster.view.namespaces.get(ref.namespace);
  stop.abort();
  return inventory?.workloads.find((each) => each.kind === ref.kind && each.name === ref.name)?.template;
}

/** A write of ours by an executor that was away: it lands now, whatever main says by now. */
export async function writeLate(flow: FleetFlow, ref: WorkloadRef, change: Omit<Change, "resourceVersion">) {
  const cluster = fakeCluster(flow.model("one"), "one");
  const stop = new AbortController();
  await cluster.start(() => undefined, stop.signal);
  const inventory = cluster.view.namespaces.get(ref.namespace);
  const workload = inventory?.workloads.find((each) => each.kind === ref.kind && each.name === ref.name);
  const outcome = await cluster.patchWorkload(ref, { ...change, resourceVersion: workload?.resourceVersion ?? "" });
  stop.abort();
  return outcome.kind;
}

/** The marks and the label of a late move from `old` to `new`. */
export function lateMove(run: string, target = "new"): Omit<Change, "resourceVersion"> {
  return {
    annotations: {
      "meshroll.dev/run": `${run} ${target}`,
      "meshroll.dev/previous": JSON.stringify({ template: { labels: { "istio.io/rev": "old" } } }),
    },
    template: { labels: { "istio.io/rev": target } },
  };
}
