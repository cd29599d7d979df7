// The auditor shares nothing with the product: it has its own reading of rollouts.yml, its own arithmetic and its own
// idea of a write. It judges what outside systems recorded: the API servers' audit logs, what became of the objects, and
// the repository with the times at which its server saw each push.

/** One request that wanted to change something, as an API server's audit log has it. */
export interface AuditedWrite {
  /** Epoch ms of the cluster's clock. */
  readonly at: number;
  /** The object's resourceVersion afterwards: the order of things, where clocks are too coarse. 0 = nothing was written. */
  readonly version: number;
  readonly verb: "patch" | "create" | "update" | "delete" | "deletecollection";
  /** Request path with its subresource, for example /apis/apps/v1/namespaces/a/deployments/web. */
  readonly path: string;
  readonly user: string;
  /** The query parameter `fieldManager`. */
  readonly fieldManager: string;
  /** Of a patch: which kind of patch. */
  readonly contentType?: string;
  /** HTTP status: only below 300 was anything written. */
  readonly status: number;
  /** The whole patch, or the object. */
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
  /** As many pods as asked for are available, of whatever template. */
  readonly available: boolean;
}

/** The pods of a workload, each time that what they run changed. */
export interface AuditedPods {
  readonly at: number;
  /** The workload's path. */
  readonly path: string;
  /** The revisions that injected them, each once; "none" is a pod without a sidecar. */
  readonly revisions: readonly string[];
}

/** A Kubernetes object, cut to what the auditor reads. */
export interface AuditedObject {
  readonly path: string;
  /** Absent where the log does not report it: then the path alone names the object. */
  readonly uid?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Only of workloads. */
  readonly template?: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly hostNetwork: boolean;
  };
  /** Pods that had a sidecar; unknown for an object that was just created. */
  readonly injectedPods: number | "unknown";
  /** Only of workloads: whether as many pods as asked for were available. */
  readonly available?: boolean;
}

/** An object that came while meshroll was at work: another one, though its path may have been there before. */
export interface CreatedObject extends AuditedObject {
  readonly at: number;
  /** Its resourceVersion when it came. */
  readonly version: number;
}

/** The ConfigMap `meshroll-system/meshroll-stop`: a person with kubectl stops a cluster by it. */
export interface KubectlStop {
  readonly at: number;
  /** Absent = it is there in the end. */
  readonly resumedAt?: number;
}

/** An object that went. */
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
  /** As it is in the end: what the log does not explain was written past it. */
  readonly after: readonly AuditedObject[];
}

/** One first-parent commit of the protected branch, when the git server saw it arrive. */
export interface AuditedCommit {
  readonly sha: string;
  readonly parent?: string;
  /** When it became main's head at the earliest, epoch ms of the clusters' clock: never what the commit says of itself. */
  readonly at: number;
  /** And at the latest; default the same moment. */
  readonly atLatest?: number;
  readonly author: string;
  /** The login that pushed or merged it. */
  readonly by: string;
  /** The head of the pull request that it merged, where it is a merge. */
  readonly merged?: string;
  /** A forced push made it main's head: what stood above its earlier place is gone. */
  readonly isForced?: boolean;
  readonly rollouts: string;
  readonly settings: string | undefined;
  /** Campaigns that are not over, by path. */
  readonly campaigns: Readonly<Record<string, string>>;
}

/** An approval of a pull request's head, when the SCM took it. */
export interface AuditedApproval {
  readonly head: string;
  readonly by: string;
  readonly at: number;
}

/** A branch other than main that moved, when the git server saw it. */
export interface AuditedPush {
  readonly branch: string;
  /** Absent = deleted. */
  readonly after?: string;
  readonly at: number;
  readonly atLatest: number;
  readonly by: string;
}

/** A stop as the history of the ledger branch tells it. */
export interface AuditedStop {
  readonly id: string;
  /** `all`, or `cluster/…`, `campaign/…`, `run/…`, `bucket/…`, `namespace/…`. */
  readonly scope: string;
  readonly strength: string;
  /** Who asked for it, as the record says. */
  readonly who: string;
  readonly cause?: string;
  /** The run that left it as its hold, where it is one. */
  readonly rollbackOf?: string;
  /** A rollback: the commit that its run's buckets are rolled back to; with `now` before main says so. */
  readonly revertTo?: string;
  readonly now?: boolean;
  /** The cluster whose ConfigMap asked for it: it holds in that cluster only. */
  readonly foundIn?: string;
  /** The server had it at the latest then, epoch ms of the clusters' clock. */
  readonly at: number;
  /** It was ended at the earliest then; absent = it stands. */
  readonly resumedAt?: number;
}

/** What a gate said, each time that the ledger says something else. */
export interface AuditedVerdict {
  readonly gate: string;
  readonly verdict: string;
  /** The server had it at the earliest and at the latest then. */
  readonly at: number;
  readonly atLatest: number;
}

/** A run as the ledger branch ends with it, and when it said so. */
export interface AuditedRun {
  readonly id: string;
  readonly state: string;
  /** When the server had its first record: at the earliest, and at the latest. */
  readonly startedFrom?: number;
  readonly startedAt?: number;
  /** When the server had the record of its end: at the earliest, and at the latest. */
  readonly endedAt?: number;
  readonly endedAtLatest?: number;
  /** Its earlier ends, each at the earliest, until a retry had opened it again, at the latest. */
  readonly earlierEnds?: readonly { readonly endedAt: number; readonly reopenedAt: number }[];
  /** `cluster:namespace/Kind/name` of each workload that it named as not there. */
  readonly skipped: readonly string[];
  /** All that any of its ends gave up: a retry opens a run again, and what was put back before was given up then. */
  readonly everSkipped?: readonly string[];
  /** By the same key, or `cluster:namespace/*`: so many tries were forgiven by a person's `retry`. */
  readonly retried: Readonly<Record<string, number>>;
  /** It came of a verb and not of a merge: the commit of main that it goes by. `retried` names all that it is about. */
  readonly convergesTo?: string;
  readonly campaign?: string;
  readonly stage?: string;
  /** By the same key: who moves, as its pull request listed them. */
  readonly list?: readonly string[];
  /** By the same key: each difference that its end names. */
  readonly differences?: readonly string[];
  /** The later run that took over what was left of it. */
  readonly takenOverBy?: string;
  /** When the server had the record that its wave opened in a cluster, at the latest; by the cluster's name. */
  readonly clusters?: Readonly<Record<string, number>>;
  /** Clusters that any of its records waits for. */
  readonly expected?: readonly string[];
  /** Clusters that its end names as looked at. */
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
  /** Absent = the SCM was not asked, or there was none. */
  readonly approvals?: readonly AuditedApproval[];
  readonly clusters: readonly AuditedCluster[];
  /** "none": the server has no such branch, so nothing may have been written. */
  readonly ledger: AuditedLedger | "none";
  /**
   * So long may a merge or a stop be on its way to an executor, ms of the clusters' clock: what it decided before is then
   * still in its hand. Default 0.
   */
  readonly graceMs?: number;
}

/** What must not have happened. */
export interface Violation {
  readonly rule: string;
  readonly cluster: string;
  readonly path: string;
  readonly what: string;
}

/** What a rule could not decide by this evidence: counted and shown, never passed over. */
export interface NotJudged {
  readonly rule: string;
  /** Why, without names: equal reasons are counted together. */
  readonly why: string;
  readonly count: number;
}
