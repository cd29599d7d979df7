import type { ClusterFacts, ControlPlanePlace, NamespaceInventory, TemplateFacts, WorkloadRef } from "#libs/fleet";

/** What one write changes. A null value removes the key. Keys that are not named stay as they are. */
export interface Change {
  /**
   * Only annotations, under a field manager of their own (`meshroll-record`): `managedFields` keeps the time of our last move.
   */
  readonly isRecord?: true;
  /** The write is refused when the object is at another one: what was decided on must still be true. */
  readonly resourceVersion: string;
  readonly annotations?: Readonly<Record<string, string | null>>;
  /** Labels of the object itself: only namespaces have theirs changed. */
  readonly labels?: Readonly<Record<string, string | null>>;
  /** The pod template; changing it is the restart. */
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
  /** 429, 5xx, no connection: nothing is known about the write; the watch will show. `byWebhook`: one that must admit it is silent. */
  | { readonly kind: "unavailable"; readonly why: string; readonly retryAfterMs?: number; readonly byWebhook?: true };

/** What `kubectl describe` shows of a workload: an Event of events.k8s.io/v1 in its namespace. */
export interface WorkloadEvent {
  readonly ref: WorkloadRef;
  /** UID of the workload: the Event is about this one, and about none that has its name later. */
  readonly uid: string;
  /** The effect that it tells of: one Event is kept of each id, also when another process writes it again. */
  readonly id: string;
  readonly type: "Normal" | "Warning";
  /** One word in CamelCase. */
  readonly reason: string;
  /** What meshroll did or left, one word. */
  readonly action: string;
  /** For people; cut at 1,024 bytes, which is what the API takes. */
  readonly note: string;
  /** Epoch ms. */
  readonly at: number;
}

/** What the ConfigMap `meshroll-admission` of a namespace holds; without one it holds nothing. */
export type AdmissionRead =
  | { readonly kind: "read"; readonly data: Readonly<Record<string, string>> }
  /** 403: a person must grant the right. */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "unavailable"; readonly why: string };

/** What an executor sees of its cluster right now; the same object all along, always current. */
export interface ClusterView {
  readonly namespaces: ReadonlyMap<string, NamespaceInventory>;
  /** What of a workload's template decides whether its new pods are labelled; empty where the workload is not there. */
  templateOf(ref: WorkloadRef): TemplateFacts;
  /** Everything of `ClusterFacts` that the cluster itself knows; `serverAt` is this very moment by the API server's clock. */
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
  /** What is refused is shown with the facts of the object (`refused`) until a write to it succeeds. */
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
   * Writes the Event; `conflict` = one of this id is there already. Nothing depends on it: Events have a rate of their own, and
   * what the API server says to one never slows a move.
   */
  recordEvent(event: WorkloadEvent): Promise<WriteOutcome>;
  readAdmission(namespace: string): Promise<AdmissionRead>;
  /** Makes the ConfigMap `meshroll-admission` of a namespace hold exactly this, by server-side apply: it is ours alone. */
  applyAdmission(namespace: string, data: Readonly<Record<string, string>>): Promise<WriteOutcome>;
  /** Whether the policy that reads these maps is bound; undefined = not known. */
  hasAdmissionPolicy(): Promise<boolean | undefined>;
  /** Sends the API server something cheap, so that a quiet cluster proves it is alive; updates `seenAtMonotonic`. */
  probe(): Promise<boolean>;
  /**
   * Asks every ready istiod, by the API server's proxy, for its version and its proxies. `view.facts()` shows what they said
   * until they are queried again; what they did not say is absent there, and `problems()` names what people can fix.
   */
  readIstiods(): Promise<void>;
  /**
   * Proves for each revision or tag that a new pod with its label gets that revision's sidecar: the pod is created in
   * `meshroll-system` as a server-side dry run, so that none is ever made. What was proven less than `maxAgeMs` ago is not tried
   * again. `view.facts().injection` has the answers, from the first call on; none of them is older than a minute.
   */
  proveInjection(labels: readonly string[], maxAgeMs: number): Promise<void>;
  /** Where main says that this cluster's control planes run; until then, and for what is absent, as Istio's chart has it. */
  locateControlPlane(place: ControlPlanePlace): void;
  /** What is wrong with reading this cluster right now (a forbidden list, expired credentials), in sentences for people. */
  problems(): readonly string[];
}
