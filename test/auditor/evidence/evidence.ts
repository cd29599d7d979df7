// The auditor shares no code with the product: it has its own parser of rollouts.yml, its own arithmetic and its own
// definition of a write. It judges what outside systems recorded: the API servers' audit logs, the objects in the end, and
// the repository with the times at which its server saw each push.

/** A request that would change something, as an API server's audit log has it. */
export interface AuditedWrite {
  /** Epoch ms of the cluster's clock. */
  readonly at: number;
  /** The object's resourceVersion afterwards. Orders events where clocks are too coarse. 0 = nothing was written. */
  readonly version: number;
  readonly verb: "patch" | "create" | "update" | "delete" | "deletecollection";
  /** Request path with its subresource, for example /apis/apps/v1/namespaces/a/deployments/web. */
  readonly path: string;
  readonly user: string;
  /** The query parameter `fieldManager`. */
  readonly fieldManager: string;
  /** Of a patch: which kind of patch. */
  readonly contentType?: string;
  /** HTTP status: something was written only below 300. */
  readonly status: number;
  /** The whole patch, or the object. */
  readonly body: unknown;
}

/** A workload's status at one moment. */
export interface AuditedStatus {
  readonly at: number;
  /** The object's resourceVersion. */
  readonly version: number;
  readonly path: string;
  /** Every pod has the newest template and is available. */
  readonly settled: boolean;
  /** As many pods are available as asked for, of any template. */
  readonly available: boolean;
}

/** Which revisions the pods of a workload run: one entry for each change. */
export interface AuditedPods {
  readonly at: number;
  /** The workload's path. */
  readonly path: string;
  /** The revisions that injected them, each once; "none" stands for a pod without a sidecar. */
  readonly revisions: readonly string[];
}

/** A Kubernetes object, cut to what the auditor reads. */
export interface AuditedObject {
  readonly path: string;
  /** Absent where the log does not report it: then only the path identifies the object. */
  readonly uid?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Only of workloads. */
  readonly template?: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly hostNetwork: boolean;
  };
  /** How many pods had a sidecar; unknown for an object that was just created. */
  readonly injectedPods: number | "unknown";
  /** Only of workloads: whether as many pods as asked for were available. */
  readonly available?: boolean;
}

/** An object that was created while meshroll was running. It is a new one, even if its path was used before. */
export interface CreatedObject extends AuditedObject {
  readonly at: number;
  /** Its resourceVersion when it was created. */
  readonly version: number;
}

/** The ConfigMap `meshroll-system/meshroll-stop`, by which a person with kubectl stops a cluster. */
export interface KubectlStop {
  readonly at: number;
  /** Absent = it still exists at the end. */
  readonly resumedAt?: number;
}

/** An object that was deleted. */
export interface DeletedObject {
  readonly at: number;
  readonly version: number;
  readonly path: string;
}

export interface AuditedCluster {
  readonly name: string;
  /** As it was before meshroll began. */
  readonly before: readonly AuditedObject[];
  readonly created: readonly CreatedObject[];
  readonly deleted: readonly DeletedObject[];
  readonly writes: readonly AuditedWrite[];
  readonly statuses: readonly AuditedStatus[];
  readonly pods: readonly AuditedPods[];
  readonly kubectlStops: readonly KubectlStop[];
  /** The objects at the end. A difference from what the log explains was written without an entry in the log. */
  readonly after: readonly AuditedObject[];
}

/** One first-parent commit of the protected branch, with the time at which the git server saw it arrive. */
export interface AuditedCommit {
  readonly sha: string;
  readonly parent?: string;
  /** The earliest time at which it became main's head, epoch ms of the clusters' clock. Never taken from the commit itself. */
  readonly at: number;
  /** The latest such time; default the same moment. */
  readonly atLatest?: number;
  readonly author: string;
  /** The login that pushed or merged it. */
  readonly by: string;
  /** The head of the pull request that it merged, where it is a merge. */
  readonly merged?: string;
  /** A forced push made it main's head: commits after its earlier place are gone. */
  readonly isForced?: boolean;
  readonly rollouts: string;
  readonly settings: string | undefined;
  /** Campaigns that are not over, by path. */
  readonly campaigns: Readonly<Record<string, string>>;
}

/** An approval of a pull request's head, with the time at which the SCM recorded it. */
export interface AuditedApproval {
  readonly head: string;
  readonly by: string;
  readonly at: number;
}

/** A push to a branch other than main, with the time at which the git server saw it. */
export interface AuditedPush {
  readonly branch: string;
  /** Absent = deleted. */
  readonly after?: string;
  readonly at: number;
  readonly atLatest: number;
  readonly by: string;
}

/** A stop, from the history of the ledger branch. */
export interface AuditedStop {
  readonly id: string;
  /** `all`, or `cluster/…`, `campaign/…`, `run/…`, `bucket/…`, `namespace/…`. */
  readonly scope: string;
  readonly strength: string;
  /** Who asked for it, as the record says. */
  readonly who: string;
  readonly cause?: string;
  /** If the stop is the hold that a rollback left: the run that left it. */
  readonly rollbackOf?: string;
  /** Of a rollback: the commit to which its run's buckets are rolled back. With `now`, this happens before main says so. */
  readonly revertTo?: string;
  readonly now?: boolean;
  /** The cluster whose ConfigMap asked for it: it applies in that cluster only. */
  readonly foundIn?: string;
  /** The latest time at which the server had it, epoch ms of the clusters' clock. */
  readonly at: number;
  /** The earliest time at which it was ended; absent = it was not. */
  readonly resumedAt?: number;
}

/** A gate's verdict, one entry for each change in the ledger. */
export interface AuditedVerdict {
  readonly gate: string;
  readonly verdict: string;
  /** The earliest and the latest time at which the server had it. */
  readonly at: number;
  readonly atLatest: number;
}

/** A run as the ledger branch has it at the end, with the times of its records. */
export interface AuditedRun {
  readonly id: string;
  readonly state: string;
  /** When the server had its first record: the earliest and the latest time. */
  readonly startedFrom?: number;
  readonly startedAt?: number;
  /** When the server had the record of its end: the earliest and the latest time. */
  readonly endedAt?: number;
  readonly endedAtLatest?: number;
  /** Earlier ends that a retry undid: the earliest time of each end, and the latest time at which the run was open again. */
  readonly earlierEnds?: readonly { readonly endedAt: number; readonly reopenedAt: number }[];
  /** `cluster:namespace/Kind/name` of each workload that it named as not moved to its target. */
  readonly skipped: readonly string[];
  /**
   * All workloads that any of its ends named as skipped. A retry opens a run again, and what was undone before was skipped
   * then.
   */
  readonly everSkipped?: readonly string[];
  /** By the same key, or `cluster:namespace/*`: how many more tries a person's `retry` allowed. */
  readonly retried: Readonly<Record<string, number>>;
  /**
   * Of a converging run (started by a verb, not by a merge): the commit of main that it converges to. `retried` names all its
   * workloads.
   */
  readonly convergesTo?: string;
  readonly campaign?: string;
  readonly stage?: string;
  /** By the same key: the workloads that move, as its pull request listed them. */
  readonly list?: readonly string[];
  /** By the same key: each difference from that list that its end names. */
  readonly differences?: readonly string[];
  /** The later run that took over its remaining workloads. */
  readonly takenOverBy?: string;
  /** The latest time at which the server had the record that its wave opened in a cluster; by the cluster's name. */
  readonly clusters?: Readonly<Record<string, number>>;
  /** Clusters that any of its records waits for. */
  readonly expected?: readonly string[];
  /** Clusters that its end names as seen. */
  readonly seen?: readonly string[];
  readonly verdicts?: readonly AuditedVerdict[];
}

export interface AuditedLedger {
  readonly stops: readonly AuditedStop[];
  readonly runs: readonly AuditedRun[];
}

export interface Evidence {
  /** Oldest first. */
  readonly main: readonly AuditedCommit[];
  /** Of all other branches, oldest first. */
  readonly pushes: readonly AuditedPush[];
  /** Absent = the SCM was not asked, or there were none. */
  readonly approvals?: readonly AuditedApproval[];
  readonly clusters: readonly AuditedCluster[];
  /** "none": the server has no such branch, so nothing may have been written to a cluster. */
  readonly ledger: AuditedLedger | "none";
  /**
   * How long a merge or a stop may take to reach an executor, ms of the clusters' clock. Writes that it decided on before are
   * allowed until then. Default 0.
   */
  readonly graceMs?: number;
}

/** A breach of a rule. */
export interface Violation {
  readonly rule: string;
  readonly cluster: string;
  readonly path: string;
  readonly what: string;
}

/** What a rule could not decide by this evidence. It is counted and shown, never dropped. */
export interface NotJudged {
  readonly rule: string;
  /** The reason, without names: equal reasons are counted together. */
  readonly why: string;
  readonly count: number;
}
