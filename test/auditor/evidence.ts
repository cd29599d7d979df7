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

/** A Kubernetes object as it was before meshroll began, cut to what the auditor reads. */
export interface AuditedObject {
  readonly path: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Only of workloads. */
  readonly template?: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly hostNetwork: boolean;
  };
  /** Pods that had a sidecar. */
  readonly injectedPods: number;
}

export interface AuditedCluster {
  readonly name: string;
  readonly before: readonly AuditedObject[];
  readonly writes: readonly AuditedWrite[];
  readonly statuses: readonly AuditedStatus[];
}

/** One first-parent commit of the protected branch. */
export interface AuditedCommit {
  readonly sha: string;
  /** When it became main's head, epoch ms of the clusters' clock. */
  readonly at: number;
  readonly author: string;
  readonly rollouts: string;
  readonly settings: string | undefined;
}

export interface Evidence {
  /** Oldest first. */
  readonly main: readonly AuditedCommit[];
  readonly clusters: readonly AuditedCluster[];
  /** Ids of runs that the ledger branch names. */
  readonly ledgerRuns: readonly string[];
}

export interface Violation {
  readonly rule: string;
  readonly cluster: string;
  readonly path: string;
  readonly what: string;
}
