/**
 * Where a namespace stands over all its clusters: the first of these that one of its workloads is in. `Moving`: written by us and not
 * through. `Skipped`: given up without a failure of ours. `OnTrack`: all run what main requests.
 */
export const namespaceStates = ["Failed", "Moving", "Waiting", "Pending", "Skipped", "OnTrack"] as const;

/**
 * One managed namespace over the fleet, in short form: there are ten thousand of them. Revisions, buckets and clusters are places in
 * the lists of the table.
 */
export type NamespaceRow = readonly [
  name: string,
  bucket: number,
  /** Percent of the bucket's `to` above which it moves, two decimals; null where its bucket names no two revisions. */
  movesAt: number | null,
  /** What main requests for it. */
  requested: number,
  /** What all its workloads run; -1 = several, or an unknown one. */
  actual: number,
  /** Place in `namespaceStates`. */
  state: number,
  /** Managed ones. */
  workloads: number,
  /** Of them, those that lack pods now, whatever the cause is. */
  unhealthy: number,
  clusters: readonly number[],
];

/** One bucket and the way that it goes. */
export interface TableBucket {
  readonly bucket: string;
  readonly shares: readonly { readonly revision: string; readonly asked: number }[];
  /** The revision whose share grows: a campaign's target, else the second of two; absent where there are not two. */
  readonly to?: string;
}

/** Managed workloads of one cluster by revision. */
export interface ClusterRevision {
  readonly revision: string;
  /** Main requests it for so many. */
  readonly requested: number;
  /** All pods of so many run it. */
  readonly actual: number;
  /** Of `actual`, those that lack no pods. */
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
  /** The commit of main that requests it. */
  readonly head: string;
  readonly revisions: readonly string[];
  readonly states: readonly string[];
  readonly buckets: readonly TableBucket[];
  readonly clusters: readonly TableCluster[];
  readonly rows: readonly NamespaceRow[];
}
