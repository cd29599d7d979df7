import type { RevisionUse } from "#libs/fleet";
import { listRevisionUsers, type RevisionUsers } from "#libs/injection";
import type { ClusterSnapshot } from "#libs/plan";

import { isWhollySeen } from "../../files/list-users.ts";
import type { Listing } from "../listing.ts";
import type { FleetWorkloads } from "./narrow-view.ts";

interface RevisionEntry {
  readonly revision: string;
  readonly namespaces: Set<string>;
  readonly users: Set<string>;
  readonly offered: Set<string>;
  readonly versions: Set<string>;
  workloads: number;
  /** Owners of live pods that are not workloads, or gone. */
  others: number;
  pods: number;
  completed: number;
  failed: number;
  /** Objects that would give it to new pods. */
  asks: number;
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
    others: 0,
    pods: 0,
    completed: 0,
    failed: 0,
    asks: 0,
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

function countPods(uses: readonly RevisionUse[]): number {
  return uses.reduce((sum, { count }) => sum + count, 0);
}

function addUsers(entry: RevisionEntry, cluster: string, users: RevisionUsers): void {
  for (const { namespace, isOther, count } of users.pods) {
    entry.namespaces.add(namespace);
    entry.users.add(cluster);
    entry[isOther ? "others" : "workloads"] += 1;
    entry.pods += count;
  }
  entry.completed += countPods(users.completed);
  entry.failed += countPods(users.failed);
  entry.asks += users.asks.length;
}

/** By what pods run with any owner, by what selects it, and by what control planes offer. */
function collectRevisions({ snapshot }: Pick<FleetWorkloads, "snapshot">): Entries {
  const entries: Entries = new Map();
  for (const cluster of snapshot.clusters.values()) {
    addOffered(entries, cluster);
    for (const [revision, users] of listRevisionUsers(cluster))
      addUsers(openEntry(entries, revision), cluster.name, users);
  }
  return entries;
}

/** All revisions that are offered, run or selected. */
export function nameRevisions(view: Pick<FleetWorkloads, "snapshot">): readonly string[] {
  return [...collectRevisions(view).keys()];
}

/** In use, offered, or both: a revision in use that is not offered is named. */
function nameState({ pods, asks, offered, users, isReady }: RevisionEntry): string {
  if ([...users].some((cluster) => !offered.has(cluster))) return "orphaned";
  if (offered.size === 0) return "missing";
  if (!isReady) return "not-ready";
  if (pods > 0) return "in-use";
  return asks > 0 ? "requested" : "unused";
}

/** Users of each revision, over all clusters. */
export function listRevisions(view: Pick<FleetWorkloads, "snapshot">, name: string | undefined): Listing {
  const all = [...collectRevisions(view).values()]
    .filter(({ revision }) => name === undefined || revision === name)
    .toSorted((a, b) => b.pods - a.pods);
  const rows = all.map((entry) => {
    const { revision, namespaces, users, offered, versions, isReady: _, ...counts } = entry;
    const { workloads, others, pods, completed, failed, asks } = counts;
    const state = nameState(entry);
    const places = [versions, users, offered].map((each) => [...each].join(",") || "-");
    return {
      name: revision,
      cells: [revision, String(namespaces.size), String(workloads), String(pods), String(offered.size), state],
      wide: [...[others, completed, failed, asks].map(String), ...places],
      item: {
        revision,
        namespaces: namespaces.size,
        ...counts,
        state,
        versions: [...versions],
        usedIn: [...users],
        offeredIn: [...offered],
      },
    };
  });
  const header = ["NAME", "NAMESPACES", "WORKLOADS", "PODS", "CLUSTERS", "STATE"];
  const wideHeader = ["OTHERS", "COMPLETED", "FAILED", "ASKS", "VERSION", "USED-IN", "OFFERED-IN"];
  const unseen = [...view.snapshot.clusters.values()].filter((cluster) => !isWhollySeen(cluster));
  const notes = unseen.map(
    ({ name: cluster }) => `! ${cluster} was seen only in part: more may use these revisions there`,
  );
  const spare = ["CLUSTERS", "NAMESPACES", "WORKLOADS"];
  return { kind: "RevisionList", prefix: "revision", header, spare, wideHeader, rows, notes };
}
