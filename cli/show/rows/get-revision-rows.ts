import type { Workload } from "#libs/fleet";
import type { ClusterSnapshot } from "#libs/plan";

import type { Listing } from "../listing.ts";
import type { FleetWorkloads } from "./narrow-view.ts";

interface RevisionEntry {
  readonly revision: string;
  readonly namespaces: Set<string>;
  readonly users: Set<string>;
  readonly offered: Set<string>;
  readonly versions: Set<string>;
  workloads: number;
  pods: number;
  isReady: boolean;
}

function makeEntry(revision: string): RevisionEntry {
  return {
    revision,
    namespaces: new Set(),
    users: new Set(),
    offered: new Set(),
    versions: new Set(),
    workloads: 0,
    pods: 0,
    isReady: true,
  };
}

type Entries = Map<string, RevisionEntry>;

function openEntry(entries: Entries, revision: string): RevisionEntry {
  const entry = entries.get(revision) ?? makeEntry(revision);
  entries.set(revision, entry);
  return entry;
}

function addOffered(entries: Entries, { name: cluster, facts }: ClusterSnapshot): void {
  for (const { name, webhook, istiod, version } of facts.revisions) {
    const entry = openEntry(entries, name);
    entry.offered.add(cluster);
    if (version !== undefined) entry.versions.add(version);
    if (!webhook || istiod !== "ready") entry.isReady = false;
  }
}

function addUsers(entries: Entries, cluster: string, { namespace, pods }: Workload): void {
  for (const { revision, count } of pods) {
    if (revision === undefined || count === 0) continue;
    const entry = openEntry(entries, revision);
    entry.namespaces.add(namespace);
    entry.users.add(cluster);
    entry.workloads += 1;
    entry.pods += count;
  }
}

/** By what pods really run, and by what control planes offer. */
function collectRevisions({ snapshot, evaluation }: FleetWorkloads): Entries {
  const entries: Entries = new Map();
  for (const cluster of snapshot.clusters.values()) addOffered(entries, cluster);
  for (const [cluster, index] of evaluation.judged)
    for (const { workload } of index) addUsers(entries, cluster, workload);
  return entries;
}

/** A revision is in use, offered, or both: who would lose their control plane is seen here. */
function nameState({ pods, offered, users, isReady }: RevisionEntry): string {
  if ([...users].some((cluster) => !offered.has(cluster))) return "orphaned";
  if (!isReady) return "not-ready";
  return pods === 0 ? "unused" : "in-use";
}

/** Who is on which revision, over all clusters: what Istio's own command showed for one. */
export function listRevisions(view: FleetWorkloads, name: string | undefined): Listing {
  const all = [...collectRevisions(view).values()]
    .filter(({ revision }) => name === undefined || revision === name)
    .toSorted((a, b) => b.pods - a.pods);
  const rows = all.map((entry) => {
    const { revision, namespaces, users, offered, versions, workloads, pods } = entry;
    const state = nameState(entry);
    return {
      name: revision,
      cells: [revision, String(namespaces.size), String(workloads), String(pods), String(offered.size), state],
      wide: [[...versions].join(",") || "-", [...users].join(",") || "-", [...offered].join(",") || "-"],
      item: {
        revision,
        namespaces: namespaces.size,
        workloads,
        pods,
        state,
        versions: [...versions],
        usedIn: [...users],
        offeredIn: [...offered],
      },
    };
  });
  const header = ["NAME", "NAMESPACES", "WORKLOADS", "PODS", "CLUSTERS", "STATE"];
  return { kind: "RevisionList", prefix: "revision", header, wideHeader: ["VERSION", "USED-IN", "OFFERED-IN"], rows };
}
