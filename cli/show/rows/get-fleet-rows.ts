import { readRunning, type Workload } from "#libs/fleet";
import { type NamedWorkload, namesWorkload, readNamespaceName } from "#libs/input";
import { findUnservedPods, isInPlace, isOfMesh, type JudgedWorkload, type UnservedPods } from "#libs/plan";
import { printUnserved, printWorkloadReason, renderWorkloadReason } from "#libs/wording";

import type { Listing, Row } from "../listing.ts";
import type { FleetWorkloads } from "./narrow-view.ts";

function* listManaged({ evaluation, snapshot }: FleetWorkloads): Generator<JudgedWorkload, undefined> {
  for (const [cluster, index] of evaluation.judged) {
    const facts = snapshot.clusters.get(cluster)?.facts;
    for (const each of index) {
      if (each.state.kind !== "unmanaged" || (facts !== undefined && isOfMesh(each, facts))) yield each;
    }
  }
}

const noSidecar = "no-sidecar";

/** The revisions that its pods run, the most frequent first. */
export function nameRunning(workload: Workload): string {
  const running = readRunning(workload);
  switch (running.kind) {
    case "all":
      return running.revision;
    case "mixed":
      return [
        ...Object.entries(running.revisions)
          .toSorted((a, b) => b[1] - a[1])
          .map(([revision]) => revision),
        ...(running.bare > 0 ? [noSidecar] : []),
      ].join(",");
    case "none":
      return noSidecar;
    case "empty":
      return "no-pods";
  }
}

/** The state for readers who look for deviations from the file. */
function nameState({ state, desired, workload, run }: JudgedWorkload, unserved: UnservedPods | undefined): string {
  const isAtWork = run !== undefined && !isInPlace(state) && state.kind !== "unmanaged";
  if (unserved !== undefined && !isAtWork) return "unserved";
  if (state.kind === "idle") return state.kind;
  if (state.kind !== "migrated") return run === undefined ? "drift" : state.kind;
  const running = nameRunning(workload);
  return running === desired || running === "no-pods" ? "ok" : "migrated";
}

function nameReason({ state }: JudgedWorkload, unserved: UnservedPods | undefined): string {
  const own =
    state.kind === "migrating"
      ? [state.progress]
      : "reason" in state
        ? [printWorkloadReason(renderWorkloadReason(state.reason))]
        : [];
  const pods = unserved === undefined ? [] : [printUnserved(unserved.bare, unserved.left)];
  const all = [...own, ...pods];
  return all.length === 0 ? "-" : all.join("; ");
}

/** Its pods that no control plane of the cluster serves. */
function findPods({ snapshot }: FleetWorkloads, { cluster, workload }: JudgedWorkload): UnservedPods | undefined {
  const facts = snapshot.clusters.get(cluster)?.facts;
  return facts === undefined ? undefined : findUnservedPods(workload, facts);
}

/** `ok` goes last: people look for deviations. */
function sortByDistance<T extends { readonly state: string }>(all: readonly T[]): readonly T[] {
  return all.toSorted((a, b) => Number(a.state === "ok") - Number(b.state === "ok"));
}

interface NamedIn {
  readonly cluster: string;
  readonly workload: Omit<NamedWorkload, "cluster">;
}

/** A workload is named by its namespace, `Kind/name`, its name, or all of these, in any form that screens print. */
export function isNamed({ cluster, workload }: NamedIn, text: string): boolean {
  const place = readNamespaceName(text);
  const isInNamed = place?.namespace === workload.namespace && (place.cluster ?? cluster) === cluster;
  return isInNamed || namesWorkload(text, { cluster, ...workload });
}

/** `name`: a namespace, or a workload. */
export function listWorkloads(view: FleetWorkloads, name: string | undefined): Listing {
  const all = [...listManaged(view)].filter((each) => name === undefined || isNamed(each, name));
  const stated = all.map((each) => {
    const pods = findPods(view, each);
    return { each, state: nameState(each, pods), reason: nameReason(each, pods) };
  });
  const rows = sortByDistance(stated).map(({ each, state, reason }): Row => {
    const { cluster, desired, workload, bucket, key, run } = each;
    const running = nameRunning(workload);
    const ready = `${workload.available}/${workload.replicas}`;
    const item = {
      cluster,
      workload: key,
      bucket,
      desired,
      running,
      state,
      ready,
      reason,
      run: run?.id,
    };
    return {
      name: `${cluster}:${key}`,
      cells: [key, cluster, desired, running, ready, state],
      wide: [bucket, run?.id ?? "-", reason],
      item,
    };
  });
  const header = ["NAME", "CLUSTER", "DESIRED", "RUNNING", "READY", "STATE"];
  const spare = ["READY", "DESIRED", "RUNNING"];
  return { kind: "WorkloadList", prefix: "workload", header, spare, wideHeader: ["BUCKET", "RUN", "REASON"], rows };
}

interface NamespaceEntry {
  readonly namespace: string;
  readonly bucket: string;
  readonly desired: string;
  readonly running: Set<string>;
  readonly clusters: Set<string>;
  workloads: number;
  pods: number;
  others: number;
}

function collectNamespaces(view: FleetWorkloads): readonly NamespaceEntry[] {
  const entries = new Map<string, NamespaceEntry>();
  for (const each of listManaged(view)) {
    const { workload, bucket, desired, cluster } = each;
    const { namespace } = workload;
    const entry = entries.get(namespace) ?? {
      namespace,
      bucket,
      desired,
      running: new Set<string>(),
      clusters: new Set<string>(),
      workloads: 0,
      pods: 0,
      others: 0,
    };
    entries.set(namespace, entry);
    entry.running.add(nameRunning(workload));
    entry.clusters.add(cluster);
    entry.workloads += 1;
    entry.pods += workload.replicas;
    if (nameState(each, findPods(view, each)) !== "ok") entry.others += 1;
  }
  return [...entries.values()].toSorted((a, b) => (a.namespace < b.namespace ? -1 : 1));
}

export function listNamespaces(view: FleetWorkloads, name: string | undefined): Listing {
  const all = collectNamespaces(view).filter(({ namespace }) => name === undefined || namespace === name);
  const stated = all.map((entry) => ({ entry, state: entry.others === 0 ? "ok" : `${entry.others}-differ` }));
  const rows = sortByDistance(stated).map(({ entry, state }): Row => {
    const { namespace, bucket, desired, running, clusters, workloads, pods } = entry;
    const item = { namespace, bucket, desired, running: [...running], clusters: [...clusters], workloads, pods, state };
    return {
      name: namespace,
      cells: [namespace, bucket, desired, [...running].join(","), String(workloads), state],
      wide: [String(pods), [...clusters].join(",")],
      item,
    };
  });
  const header = ["NAME", "BUCKET", "DESIRED", "RUNNING", "WORKLOADS", "STATE"];
  const spare = ["BUCKET", "WORKLOADS", "DESIRED"];
  return { kind: "NamespaceList", prefix: "namespace", header, spare, wideHeader: ["PODS", "CLUSTERS"], rows };
}
