import type { Freeze, Window } from "../calendar/calendar.ts";
import type { Gate } from "./gate.ts";
import type { NamespaceSelector } from "./label-selector.ts";

/** A count, or a whole percentage (0..100) of the workloads in question. */
export type Amount = number | { readonly percent: number };

/** How one batch is made and judged. Durations in ms. */
export interface BatchSettings {
  /** Workloads of a cluster that move at once, at least 1. */
  readonly batchSize: number;
  /** Pause after a batch has settled; strategy `Window` has none. */
  readonly delayBetweenBatches: number;
  /** Time without any progress after which a workload counts as failed. */
  readonly readinessTimeout: number;
  /** Workloads of a cluster that may be unavailable at once, never 0; absent = only `batchSize` bounds it. */
  readonly maxUnavailable?: Amount;
  /** Consistent with `maxFailures`: `FailFast` never is next to a budget. */
  readonly failurePolicy: "FailFast" | "ContinueOnError";
  /** Failures that a run may have, over all clusters; one more stops it. Absent = as `failurePolicy` says. */
  readonly maxFailures?: Amount;
  /** Tries of one workload within its turn, before it is marked; at least 1. */
  readonly maxAttempts: number;
}

/** Who has to agree to a change before `meshroll/approvals` is green; a rollback that meshroll opens needs no approval. */
export interface ApprovalRule {
  /** Human approvals of the head as it is. */
  readonly required: number;
  /** `team:<slug>` or `user:<login>`; empty = everyone who may review. */
  readonly from: readonly string[];
  /** The author's own word counts too. */
  readonly allowAuthor: boolean;
}

/** What is rolled back by itself, and how far. */
export interface RollbackPolicy {
  /** Empty = only a person rolls back. */
  readonly on: readonly ("gateFailed" | "maxFailures")[];
  /** `stage`: what the run moved; `campaign`: the same buckets, to before its first run. */
  readonly scope: "stage" | "campaign";
  /** `pr`: by a pull request of ours; `now`: at once, the pull request follows. */
  readonly mode: "pr" | "now";
  /** What is written for returns alone; absent = nothing. `Settings.rollbackBatch` is this over `batch`. */
  readonly batch?: Partial<BatchSettings>;
}

/** Occasions that are told to the whole channel, not only in the run's thread. */
export type BroadcastOccasion = "failed" | "paused" | "approvalNeeded" | "completed";

/** Who is notified, beyond what a service is configured to tell. */
export interface NotifyRule {
  /** `#channel`; absent = the notifier's own. */
  readonly slack?: { readonly channel?: string; readonly broadcast: readonly BroadcastOccasion[] };
  readonly github: {
    /** One open issue labelled `meshroll` as dashboard. */
    readonly dashboardIssue: boolean;
    readonly deployments: boolean;
    /** Put on its pull requests next to `meshroll`. */
    readonly labels: readonly string[];
  };
}

/** `notify` as far as one level of a file says it. */
export interface NotifyFields {
  readonly slack?: Partial<Exclude<NotifyRule["slack"], undefined>>;
  readonly github?: Partial<NotifyRule["github"]>;
}

/** Where the control planes that serve a cluster run; what is absent is as Istio's chart has it. Never empty. */
export interface ControlPlaneSettings {
  /** Another cluster of the fleet, by its name. */
  readonly cluster?: string;
  /** Of the istiod Deployments. */
  readonly namespace?: string;
  /** `key=value` of the istiod Deployments and their pods. */
  readonly label?: string;
}

/** When a new pod gets its namespace's revision, whatever its manifest's label says. */
export interface AdmissionSettings {
  /** So long after its owner's last deploy a manifest keeps its own label, ms. */
  readonly minDeploymentAge: number;
}

/** How the VMs of a group are upgraded. */
export interface VmSettings {
  /** Of a group's VMs, that may be unavailable at once; at least one always may. */
  readonly maxUnavailable: Amount;
  /** From the move of the group until its last VM is due, ms; 0 = only `maxUnavailable` bounds it. A rollback has none. */
  readonly deadline: number;
}

/** What becomes of a workload that differs from main though no run moves it: told, or brought back by itself (ADR 47). */
export type DriftPolicy = "report" | "converge";

/** What becomes of drift, at three levels: the nearest one that says something counts. */
export interface DriftSettings {
  /** `defaults.drift`. */
  readonly fleet: DriftPolicy;
  /** `buckets.<pattern>.drift`, with the place of the pattern in the file. */
  readonly buckets: ReadonlyMap<
    string,
    { readonly policy: DriftPolicy; readonly place: { readonly line: number; readonly column: number } }
  >;
  /** `clusters.<name>.drift`. */
  readonly clusters: ReadonlyMap<string, DriftPolicy>;
}

export type GatewayPolicy = "move" | "hold";

/** `meshroll.yml` after parsing, nothing left open: what the file does not say has its built-in value. Also what holds for one stage. */
export interface Settings {
  /** Seed of the assignment `wrh1`. */
  readonly seed: string;
  /** Absent = every namespace but `kube-*`, `istio-system` and `meshroll-system`. */
  readonly selector?: NamespaceSelector;
  /** `OnDeploy`: owners' deploys and replaced pods move workloads; after `deadline` the rest moves as with `Batched`. */
  readonly strategy: "Batched" | "Window" | "OnDeploy";
  /** Strategy `OnDeploy`: from a cluster's wave until what is left there is restarted, ms. */
  readonly deadline: number;
  readonly batch: BatchSettings;
  /** `revert` puts the previous label back; `leave` only marks. */
  readonly onWorkloadFailure: "revert" | "leave";
  /** How a rollback moves: `defaults.rollback.batch` over `batch`. It never heeds `maxUnavailable`, and fails nothing (rules 2.3). */
  readonly rollbackBatch: BatchSettings;
  readonly approvals: ApprovalRule;
  /** Healthy time of a run before it is done, ms (rules 6.2). */
  readonly bake: number;
  /** So many workloads of a run must have migrated before its bake and its gates prove anything; 0 = none has to. */
  readonly minWorkloads: number;
  readonly gates: readonly Gate[];
  /** The stage merges itself `notice` ms after its head came; absent = a person merges it. */
  readonly autoMerge?: { readonly notice: number };
  /** Of a stage: those of the campaign or its own; those of `meshroll.yml` bind next to them (rules 1.4). */
  readonly windows: readonly Window[];
  readonly freezes: readonly Freeze[];
  readonly rollback: RollbackPolicy;
  readonly notify: NotifyRule;
  /** Clusters that runs do not wait for, by `clusters.<name>.excluded: true` (rules 6.1). */
  readonly excludedClusters: readonly string[];
  /** By `clusters.<name>.controlPlane`. A cluster that is not named has its own. */
  readonly controlPlanes: Readonly<Record<string, ControlPlaneSettings>>;
  readonly drift: DriftSettings;
  /**
   * What becomes of gateways: `hold`: they are not moved, and a namespace whose label would give one to another revision waits;
   * `move`: they move as any workload.
   */
  readonly gateways: GatewayPolicy;
  /** How new pods are labelled when they are admitted (ADR 55); absent = they are not. */
  readonly admission?: AdmissionSettings;
  readonly vms: VmSettings;
}

/** Names and values of the batch are the Sail proposal's; failing fast is ours. */
const builtInBatch: BatchSettings = {
  batchSize: 1,
  delayBetweenBatches: 30_000,
  readinessTimeout: 300_000,
  failurePolicy: "FailFast",
  maxAttempts: 1,
};

const builtInGate = { onFail: "pause", onNoData: "hold" } as const;

/**
 * They hold until a file writes a gate of the same kind, and both can say no. Each reads what the executors publish, so that it always
 * has a value. Proxies are not among them: an istiod that wants a login, as every one does by default, has no data for their gate.
 */
export const builtInGates: readonly Gate[] = [
  {
    ...builtInGate,
    name: "restart-health",
    when: "during",
    kind: "restartHealth",
    maxFailureRatio: 0.1,
    minSamples: 10,
  },
  { ...builtInGate, name: "revision-match", when: "after", kind: "revisionMatch", minRatio: 1 },
];

/** What an empty `admission: {}` means. */
export const builtInAdmission: AdmissionSettings = { minDeploymentAge: 14 * 86_400_000 };

/** Two weeks: VMs have no deploys in which a proxy could change unnoticed, so they are not hurried. */
export const builtInVms: VmSettings = { maxUnavailable: { percent: 10 }, deadline: 14 * 86_400_000 };

/** What holds without a `meshroll.yml`. */
export const builtInSettings: Settings = {
  seed: "",
  strategy: "Batched",
  deadline: 28 * 86_400_000,
  batch: builtInBatch,
  onWorkloadFailure: "revert",
  rollbackBatch: builtInBatch,
  approvals: { required: 1, from: [], allowAuthor: false },
  bake: 0,
  minWorkloads: 1,
  gates: builtInGates,
  windows: [],
  freezes: [],
  rollback: { on: [], scope: "stage", mode: "pr" },
  notify: { github: { dashboardIssue: false, deployments: true, labels: [] } },
  excludedClusters: [],
  controlPlanes: {},
  drift: { fleet: "report", buckets: new Map(), clusters: new Map() },
  gateways: "hold",
  vms: builtInVms,
};
