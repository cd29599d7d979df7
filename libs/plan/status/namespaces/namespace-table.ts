/**
 * A namespace's state over all its clusters: the first of these that applies to one of its workloads. `Moving`: written by us
 * and not complete. `Skipped`: given up without a failure. `OnTrack`: all run what main wants.
 */
export const namespaceStates = ["Failed", "Moving", "Waiting", "Pending", "Skipped", "OnTrack"] as const;

/**
 * One managed namespace in a compact form, because there are ten thousand. Revisions, buckets and clusters are indexes into the
 * table's lists.
 */
export type NamespaceRow = readonly [
  name: string,
  bucket: number,
  /** Percent of the bucket's `to` above which it moves, two decimals; null where its bucket has no two revisions. */
  movesAt: number | null,
  /** The revision in main. */
  requested: number,
  /** The revision of all its workloads; -1 = several, or unknown. */
  actual: number,
  /** Index in `namespaceStates`. */
  state: number,
  /** Managed ones. */
  workloads: number,
  /** Of these, the ones that lack pods now, for any reason. */
  unhealthy: number,
  clusters: readonly number[],
  /** Its state in each of these clusters, in their order; absent where it is `state` in all of them. */
  states?: readonly number[],
];

/** One bucket and its way. */
export interface TableBucket {
  readonly bucket: string;
  readonly shares: readonly { readonly revision: string; readonly requested: number }[];
  /** The revision whose share grows: a campaign's target, else the second of two; absent where there are not two. */
  readonly to?: string;
}

/** Managed workloads of one cluster by revision. */
export interface ClusterRevision {
  readonly revision: string;
  /** Workloads for which main wants it. */
  readonly requested: number;
  /** Workloads whose pods all run it. */
  readonly actual: number;
  /** Of `actual`, those without missing pods. */
  readonly healthy: number;
}

export interface TableCluster {
  readonly name: string;
  readonly revisions: readonly ClusterRevision[];
  /** Managed workloads whose pods run several revisions, or none. */
  readonly mixed: number;
}

/** Every managed namespace of the fleet at one instant, by name. */
export interface NamespaceTable {
  readonly apiVersion: "meshroll.dev/v1";
  readonly kind: "NamespaceTable";
  readonly at: string;
  /** The commit of main. */
  readonly head: string;
  readonly revisions: readonly string[];
  readonly states: readonly string[];
  readonly buckets: readonly TableBucket[];
  readonly clusters: readonly TableCluster[];
  readonly rows: readonly NamespaceRow[];
}
