import type {
  ClusterFacts,
  ControlPlanePlace,
  Namespace,
  NamespaceInventory,
  RolloutSeen,
  TemplateFacts,
  Workload,
  WorkloadRef,
} from "#libs/fleet";

/** What one write changes. A null value removes the key. Keys that are not named stay as they are. */
export interface Change {
  /** Annotations only, under the field manager `meshroll-record`, so that `managedFields` keeps the time of the last move. */
  readonly isRecord?: true;
  /** The API server refuses the write (409) when the object has another `resourceVersion` by now. */
  readonly resourceVersion: string;
  readonly annotations?: Readonly<Record<string, string | null>>;
  /** Labels of the object itself; used for namespaces only. */
  readonly labels?: Readonly<Record<string, string | null>>;
  /** The pod template. A change of it restarts the pods. */
  readonly template?: {
    readonly labels?: Readonly<Record<string, string | null>>;
    readonly annotations?: Readonly<Record<string, string | null>>;
  };
}

export type WriteOutcome =
  | { readonly kind: "written"; readonly resourceVersion: string }
  /** 409: the object changed since; decide again on what the watch brings. */
  | { readonly kind: "conflict" }
  /** 404: deleted. */
  | { readonly kind: "gone" }
  /** 403, 422: a person must fix something; `why` is the API server's message. */
  | { readonly kind: "refused"; readonly why: string }
  /**
   * 429, 5xx or no connection: the write may have been carried out, and the watch will show. `byWebhook`: an admission webhook
   * did not answer.
   */
  | { readonly kind: "unavailable"; readonly why: string; readonly retryAfterMs?: number; readonly byWebhook?: true };

/** What `kubectl describe` shows of a workload: an Event of events.k8s.io/v1 in its namespace. */
export interface WorkloadEvent {
  readonly ref: WorkloadRef;
  /** UID of the workload, so that the Event does not belong to a later one of the same name. */
  readonly uid: string;
  /** Id of what it reports. One Event is kept for each id, also when another process writes it again. */
  readonly id: string;
  readonly type: "Normal" | "Warning";
  /** One word in CamelCase. */
  readonly reason: string;
  /** What meshroll did or did not do, in one word. */
  readonly action: string;
  /** For people; cut at 1,024 bytes, which is what the API takes. */
  readonly note: string;
  /** Epoch ms. */
  readonly at: number;
}

/** What the ConfigMap `meshroll-admission` of a namespace holds; empty when there is none. */
export type AdmissionRead =
  | { readonly kind: "read"; readonly data: Readonly<Record<string, string>> }
  /** 403: a person must grant the right. */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "unavailable"; readonly why: string };

/** Whether the policies that read these ConfigMaps are in force. */
export type AdmissionPolicy =
  | { readonly kind: "bound" }
  /** One of their bindings is missing. */
  | { readonly kind: "unbound" }
  /** The API server serves no such policies; `version`: its own, where it says. */
  | { readonly kind: "unserved"; readonly version?: string }
  | { readonly kind: "unknown" };

/** What the policies give new pods of a workload; `hash` of the template that its live pods have, undefined where they have several. */
export type FindAdmitted = (
  namespace: Namespace,
  workload: Omit<Workload, "pods">,
  hash: string | undefined,
) => string | undefined;

/** What is seen of a workload's newest template and its pods, or why it could not be read. */
export type RolloutRead =
  | { readonly kind: "read"; readonly rollout: RolloutSeen }
  | { readonly kind: "unread"; readonly why: string };

/** What an executor sees of its cluster. One object that is always current. */
export interface ClusterView {
  readonly namespaces: ReadonlyMap<string, NamespaceInventory>;
  /**
   * The WorkloadEntries of a namespace by address; false = its condition `Healthy` is False, or its proxy is gone.
   * Absent: there is none of this address.
   */
  entriesOf(namespace: string): ReadonlyMap<string, boolean>;
  /** Facts of a workload's template that decide whether new pods are labelled; empty where the workload is not there. */
  templateOf(ref: WorkloadRef): TemplateFacts;
  /** The facts that the cluster itself provides; `serverAt` is now by the API server's clock. */
  facts(): Omit<ClusterFacts, "mode" | "problems">;
  /**
   * Real monotonic ms (Clock.monotonic) when the API server last answered or sent anything; while a collection cannot be
   * followed it stops, because the view is no newer than its oldest part. `facts().seenAt` is the same moment.
   */
  seenAtMonotonic(): number;
}

/**
 * One Kubernetes cluster: lists and watches namespaces, workloads, pods, PodDisruptionBudgets, webhook configurations,
 * istiods and our two ConfigMaps; writes with `fieldManager=meshroll` merge patches only.
 */
export interface Cluster {
  readonly name: string;
  readonly view: ClusterView;
  /**
   * Lists, then watches until `signal` aborts; resolves once everything was listed the first time. From then on
   * `onChange` gets the name of each namespace whose inventory changed (undefined: only cluster facts did), coalesced per
   * turn of the event loop.
   */
  start(onChange: (namespace: string | undefined) => void, signal: AbortSignal): Promise<void>;
  /** A refusal is shown with the facts of the object (`refused`) until a write to it succeeds. */
  patchWorkload(ref: WorkloadRef, change: Change): Promise<WriteOutcome>;
  patchNamespace(name: string, change: Change): Promise<WriteOutcome>;
  /**
   * Adds or removes (null) entries of the ConfigMap `meshroll-recorded-stops`, creating it as needed; `refused` where its
   * namespace is missing.
   */
  recordStops(entries: Readonly<Record<string, string | null>>): Promise<WriteOutcome>;
  /**
   * Makes the ConfigMap `meshroll-installation` with this id; `refused` where its namespace is missing, `conflict` = there is
   * one already.
   */
  claim(installation: string): Promise<WriteOutcome>;
  /**
   * Writes the Event; `conflict` = there is one with this id. No decision depends on it: Events have a rate of their own, and
   * an answer to one never delays a move.
   */
  recordEvent(event: WorkloadEvent): Promise<WriteOutcome>;
  /** Reads what a kubelet, the scheduler and the API server say of the rollout now. Never rejects, and no decision depends on it. */
  readRollout(ref: WorkloadRef): Promise<RolloutRead>;
  readAdmission(namespace: string): Promise<AdmissionRead>;
  /**
   * Applies the ConfigMap `meshroll-admission` of a namespace with exactly this content, by server-side apply. Only meshroll
   * writes it.
   */
  applyAdmission(namespace: string, data: Readonly<Record<string, string>>): Promise<WriteOutcome>;
  findAdmissionPolicy(): Promise<AdmissionPolicy>;
  /**
   * Shows in the facts of the namespace's workloads what the policies give their new pods (`admitted`); undefined: nothing, or it is not
   * known. The namespace counts as changed.
   */
  noteAdmission(namespace: string, findAdmitted: FindAdmitted | undefined): void;
  /** A cheap request, so that a quiet cluster shows that it is alive; updates `seenAtMonotonic`. */
  probe(): Promise<boolean>;
  /**
   * Asks every ready istiod for its version and its proxies, as `istioctl proxy-status` does. `view.facts()` shows what they said
   * until they are queried again; what they did not say is absent there, and `problems()` names what people can fix.
   */
  readIstiods(): Promise<void>;
  /**
   * Proves for each revision or tag that a new pod with its label gets that revision's sidecar: the pod is created in
   * `meshroll-system` as a server-side dry run, so that none is ever made. What was proven less than `maxAgeMs` ago is not tried
   * again. `view.facts().injection` has the answers, from the first call on; none of them is older than a minute.
   */
  proveInjection(labels: readonly string[], maxAgeMs: number): Promise<void>;
  /** Where this cluster's control planes run, by main's settings. Default: as in Istio's chart. */
  locateControlPlane(place: ControlPlanePlace): void;
  /** What is wrong with reading this cluster right now (a forbidden list, expired credentials), in sentences for people. */
  problems(): readonly string[];
}
