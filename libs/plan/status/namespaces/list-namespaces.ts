import { readRunning } from "#libs/fleet";

import type { ClusterIndex } from "../../index/index.ts";
import type { Spec } from "../../records/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";
import { findWays } from "./bucket-ways.ts";
import { type NamespaceRow, namespaceStates, type NamespaceTable, type TableCluster } from "./namespace-table.ts";

/** The sums of one namespace over its clusters. */
interface Sum {
  readonly requested: string;
  readonly bucket: string;
  /** Undefined in it: several, or an unknown one. */
  readonly running: Set<string | undefined>;
  readonly clusters: number[];
  /** Its state in each of `clusters`. */
  readonly states: number[];
  state: number;
  workloads: number;
  unhealthy: number;
}

interface RevisionSum {
  requested: number;
  actual: number;
  healthy: number;
}

/** Numbers names in the order of their first use. */
class Places {
  readonly names: string[] = [];
  readonly #places = new Map<string, number>();

  of(name: string): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    this.#places.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

const kinds = {
  migrating: "Moving",
  waiting: "Waiting",
  pending: "Pending",
  migrated: "OnTrack",
  idle: "OnTrack",
} as const;

function nameState({ state }: JudgedWorkload): (typeof namespaceStates)[number] {
  if (state.kind === "unmanaged") return "OnTrack";
  if (state.kind === "skipped") return state.failureAnnotation === undefined ? "Skipped" : "Failed";
  return kinds[state.kind];
}

/** The revision of all its pods; for a workload without pods the one that they would get. */
function findRevision({ workload, desired }: JudgedWorkload): string | undefined {
  const running = readRunning(workload);
  if (running.kind === "all") return running.revision;
  return running.kind === "empty" ? desired : undefined;
}

class ClusterSum {
  readonly #byRevision = new Map<string, RevisionSum>();
  #mixed = 0;

  #of(revision: string): RevisionSum {
    const known = this.#byRevision.get(revision) ?? { requested: 0, actual: 0, healthy: 0 };
    this.#byRevision.set(revision, known);
    return known;
  }

  add({ desired, unavailable }: JudgedWorkload, revision: string | undefined): void {
    this.#of(desired).requested += 1;
    if (revision === undefined) {
      this.#mixed += 1;
      return;
    }
    const sum = this.#of(revision);
    sum.actual += 1;
    if (!unavailable) sum.healthy += 1;
  }

  describe(name: string): TableCluster {
    const revisions = [...this.#byRevision]
      .map(([revision, sum]) => ({ revision, ...sum }))
      .toSorted((a, b) => (a.revision < b.revision ? -1 : 1));
    return { name, revisions, mixed: this.#mixed };
  }
}

/** The first of `namespaceStates` that applies counts, in the cluster and over all. */
function noteState(sum: Sum, place: number, state: number): void {
  if (sum.clusters.at(-1) !== place) {
    sum.clusters.push(place);
    sum.states.push(state);
  }
  const last = sum.states.length - 1;
  sum.states[last] = Math.min(sum.states[last] ?? state, state);
  sum.state = Math.min(sum.state, state);
}

/** Adds up the fleet by namespace. */
class FleetSum {
  readonly namespaces = new Map<string, Sum>();

  #of(namespace: string, { desired, bucket }: JudgedWorkload): Sum {
    const known = this.namespaces.get(namespace);
    if (known !== undefined) return known;
    const state = namespaceStates.length - 1;
    const sum = {
      requested: desired,
      bucket,
      running: new Set<string>(),
      clusters: [],
      states: [],
      state,
      workloads: 0,
      unhealthy: 0,
    };
    this.namespaces.set(namespace, sum);
    return sum;
  }

  add(index: ClusterIndex, place: number): ClusterSum {
    const cluster = new ClusterSum();
    for (const namespace of index.tree.keys()) {
      for (const each of index.judge(namespace)) {
        if (each.state.kind === "unmanaged") continue;
        const revision = findRevision(each);
        cluster.add(each, revision);
        const sum = this.#of(namespace, each);
        sum.running.add(revision);
        noteState(sum, place, namespaceStates.indexOf(nameState(each)));
        sum.workloads += 1;
        sum.unhealthy += each.unavailable ? 1 : 0;
      }
    }
    return cluster;
  }
}

function findCommon(running: ReadonlySet<string | undefined>): string | undefined {
  const [only] = running;
  return running.size === 1 ? only : undefined;
}

/**
 * Every managed namespace of the fleet, by name, with the percentage at which it moves. It walks over the whole fleet, so it is
 * called every few seconds and not at each reconcile.
 */
export function listNamespaces(head: Spec, fleet: ReadonlyMap<string, ClusterIndex>, at: string): NamespaceTable {
  const ways = findWays(head);
  const [buckets, revisions, sum] = [[...ways.keys()], new Places(), new FleetSum()];
  const clusters = [...fleet].map(([name, index], place) => sum.add(index, place).describe(name));
  const rows = [...sum.namespaces].map(([name, each]): NamespaceRow => {
    const actual = findCommon(each.running);
    const isSame = each.states.every((state) => state === each.state);
    return [
      name,
      buckets.indexOf(each.bucket),
      ways.get(each.bucket)?.measure(name) ?? null,
      revisions.of(each.requested),
      actual === undefined ? -1 : revisions.of(actual),
      each.state,
      each.workloads,
      each.unhealthy,
      each.clusters,
      ...(isSame ? ([] as const) : ([each.states] as const)),
    ];
  });
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "NamespaceTable",
    at,
    head: head.commit,
    revisions: revisions.names,
    states: namespaceStates,
    buckets: [...ways.values()].map(({ described }) => described),
    clusters,
    rows: rows.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
}
