// The auditor shares nothing with the product: it has its own reading of rollouts.yml, its own arithmetic and its own
// idea of a write. It judges what outside systems recorded: the API servers' write logs and the git history.

/** One request that changed something, as an API server's audit log has it. */
export interface AuditedWrite {
  /** Epoch ms of the cluster's clock. */
  readonly at: number;
  /** The object's resourceVersion afterwards: the order of things, where clocks are too coarse. 0 = nothing was written. */
  readonly version: number;
  /** Request path, for example /apis/apps/v1/namespaces/a/deployments/web. */
  readonly path: string;
  readonly fieldManager: string;
  /** HTTP status: only below 300 was anything written. */
  readonly status: number;
  /** The merge patch or the object. */
  readonly body: unknown;
}

/** A moment in a workload's life, from its status. */
export interface AuditedStatus {
  readonly at: number;
  /** The object's resourceVersion. */
  readonly version: number;
  readonly path: string;
  /** Every pod is of the newest template and available. */
  readonly settled: boolean;
}

/** A Kubernetes object as it was before meshroll began, or when it was made, cut to what the auditor reads. */
export interface AuditedObject {
  readonly path: string;
  /** Absent where the log does not tell it: then the path alone names the object. */
  readonly uid?: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Only of workloads. */
  readonly template?: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly hostNetwork: boolean;
  };
  /** Pods that had a sidecar; of an object that has just been made nobody knows. */
  readonly injectedPods: number | "unknown";
}

/** An object that came while meshroll was at work: another one, though its path may have been there before. */
export interface CreatedObject extends AuditedObject {
  /** Its resourceVersion when it came. */
  readonly version: number;
}

export interface AuditedCluster {
  readonly name: string;
  readonly before: readonly AuditedObject[];
  /** Absent where only a write log is there: then what is made again counts as the same. */
  readonly created?: readonly CreatedObject[];
  readonly writes: readonly AuditedWrite[];
  readonly statuses: readonly AuditedStatus[];
}

/** One first-parent commit of the protected branch. */
export interface AuditedCommit {
  readonly sha: string;
  /** When it became main's head at the earliest, epoch ms of the clusters' clock. */
  readonly at: number;
  /** And at the latest, where the clock that stamped it is coarse; default the same moment. */
  readonly atLatest?: number;
  readonly author: string;
  readonly rollouts: string;
  readonly settings: string | undefined;
  /** Campaigns that are not over, by path. */
  readonly campaigns?: Readonly<Record<string, string>>;
}

/** A stop as the history of the ledger branch tells it. */
export interface AuditedStop {
  readonly id: string;
  /** `all`, or `cluster/…`, `run/…`, `bucket/…`, `namespace/…`. */
  readonly scope: string;
  readonly strength: string;
  /** The run that left it as its hold, where it is one. */
  readonly returnOf?: string;
  /** It was recorded at the latest then, epoch ms of the clusters' clock. */
  readonly at: number;
  /** It was lifted at the earliest then; absent = it stands. */
  readonly liftedAt?: number;
}

/** A run as the ledger branch ends with it. */
export interface AuditedRun {
  readonly id: string;
  readonly state: string;
  /** `cluster:namespace/Kind/name` of each workload that it named as not there. */
  readonly aside: readonly string[];
  /** By the same key, or `cluster:namespace/*`: so many tries were forgiven by a person's `retry`. */
  readonly retried: Readonly<Record<string, number>>;
  readonly campaign?: string;
  readonly stage?: string;
  /** By the same key: who moves, as its pull request listed them. */
  readonly list?: readonly string[];
  /** By the same key: each difference that its end names. */
  readonly differences?: readonly string[];
}

export interface AuditedLedger {
  readonly stops: readonly AuditedStop[];
  readonly runs: readonly AuditedRun[];
}

export interface Evidence {
  /** Oldest first. */
  readonly main: readonly AuditedCommit[];
  readonly clusters: readonly AuditedCluster[];
  /** Ids of runs that the ledger branch names. */
  readonly ledgerRuns: readonly string[];
  /** Absent: stops, holds and retries are not judged, and no retry is excused. */
  readonly ledger?: AuditedLedger;
  /**
   * So long may a merge or a stop be on its way to an executor, ms of the clusters' clock: what it decided before is then
   * still in its hand. Default 0.
   */
  readonly graceMs?: number;
}

export interface Violation {
  readonly rule: string;
  readonly cluster: string;
  readonly path: string;
  readonly what: string;
}
