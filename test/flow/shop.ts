import { createModel, fakeCluster, type KubeModel, type ModelClock, type WriteRecord } from "#fakes/kube";
import type { Workload, WorkloadRef } from "#libs/fleet";
import type { Change } from "#libs/kube";

import { FleetFlow } from "./fleet-flow.ts";

/** `rollouts.yml` with this percent on `new`, the rest on `old`. */
export const file = (percent: number): string => `production:\n  old: ${100 - percent}\n  new: ${percent}\n`;

/** `meshroll.yml` whose batch has these fields and a short delay. */
export function settingsOf(batch: string, more = ""): string {
  return `defaults:\n  batch: { delayBetweenBatches: 10s, ${batch} }\n${more}`;
}

const names = ["a", "b", "c", "d", "e", "f"];

export interface ShopOptions {
  /** Namespaces `shop-<name>`, each with a Deployment `web` of two pods; default: a to f. */
  readonly names?: readonly string[];
  readonly settings?: string;
  /** Time until a pod is ready: fixed, or drawn between the two. */
  readonly readyMs?: number | readonly [number, number];
  readonly percent?: number;
  /** The API server's clock, if it is not the flow's. */
  readonly clock?: (flow: FleetFlow) => ModelClock;
  /** Adds further objects before the first reconcile. */
  readonly prepare?: (model: KubeModel) => void;
}

export const refOf = (name: string): WorkloadRef => ({ namespace: `shop-${name}`, kind: "Deployment", name: "web" });

/** Creates both revisions, and in each of these namespaces a Deployment `web` of two pods on `old`. */
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

/** Clusters with these names, each filled in the same way; no commit on main, no process. */
export function makeClusters(clusters: readonly string[], namespaces: readonly string[], readyMs = 5000): FleetFlow {
  const flow = new FleetFlow();
  for (const name of clusters)
    flow.givenCluster(name, fill(createModel({ clock: flow.clock, seed: name }), namespaces, readyMs));
  return flow;
}

/** One cluster `one` on `old`, the first commit, and its baseline; no process runs yet. */
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

/** A shop with one planner and one executor that have read everything. */
export async function openShop(options: ShopOptions = {}): Promise<FleetFlow> {
  const flow = await makeShop(options);
  return flow.startExecutor().startPlanner().pass(30_000);
}

/** Revisions that a workload's live pods run. */
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

/** Requests to the API server, oldest first, without those that only record that a move is complete. */
export function listChanges(model: KubeModel): readonly WriteRecord[] {
  return model.writes.filter(({ fieldManager }) => fieldManager !== "meshroll-record");
}

/** Paths of meshroll's successful writes to workloads, oldest first. */
export function listMovedPaths(flow: FleetFlow): readonly string[] {
  const ours = flow.model("one").writes.filter((write) => write.fieldManager === "meshroll" && write.status < 300);
  // The executor also writes stops to a ConfigMap, which restarts nothing.
  const moves = ours.filter(({ verb, path }) => verb === "patch" && !path.includes("/meshroll-system/"));
  return moves.map(({ path }) => path.split("/namespaces/")[1] ?? path);
}

/** How many Deployments roll now. */
export function countRolling(flow: FleetFlow, of: readonly string[] = names): number {
  return of.filter((name) => {
    const pods = flow.model("one").podsOf(refOf(name));
    return pods.length !== 2 || pods.some((pod) => !pod.ready) || running(flow, refOf(name)).length > 1;
  }).length;
}

/** Codes of what status says the fleet waits for. */
export async function listWaits(flow: FleetFlow): Promise<readonly string[]> {
  return (await flow.status())?.waiting.map(({ code }) => code) ?? [];
}

/** Labels and annotations of the pod template that injection reads, as the API server has them. */
export async function templateOf(flow: FleetFlow, ref: WorkloadRef): Promise<Workload["template"] | undefined> {
  const cluster = fakeCluster(flow.model("one"), "one");
  const stop = new AbortController();
  await cluster.start(() => undefined, stop.signal);
  const inventory = cluster.view.namespaces.get(ref.namespace);
  stop.abort();
  return inventory?.workloads.find((each) => each.kind === ref.kind && each.name === ref.name)?.template;
}

/** A write as by an executor that was cut off: it arrives now, no matter what main wants by now. */
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

/** The annotations and the label of a late move from `old` to `target`. */
export function lateMove(run: string, target = "new"): Omit<Change, "resourceVersion"> {
  return {
    annotations: {
      "meshroll.dev/run": `${run} ${target}`,
      "meshroll.dev/previous": JSON.stringify({ template: { labels: { "istio.io/rev": "old" } } }),
    },
    template: { labels: { "istio.io/rev": target } },
  };
}
