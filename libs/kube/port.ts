import type { ClusterFacts, NamespaceInventory, WorkloadRef } from "#libs/fleet";

/** What one write changes. A null value removes the key. Keys that are not named stay as they are. */
export interface Change {
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
  /** 429, 5xx, no connection: nothing is known about the write; the watch will show. */
  | { readonly kind: "unavailable"; readonly why: string; readonly retryAfterMs?: number };

/** What an executor sees of its cluster right now; the same object all along, always current. */
export interface ClusterView {
  readonly namespaces: ReadonlyMap<string, NamespaceInventory>;
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
  patchWorkload(ref: WorkloadRef, change: Change): Promise<WriteOutcome>;
  patchNamespace(name: string, change: Change): Promise<WriteOutcome>;
  /** Adds or removes (null) entries of the ConfigMap `meshroll-recorded-stops`, creating namespace and map as needed. */
  recordStops(entries: Readonly<Record<string, string | null>>): Promise<WriteOutcome>;
  /** Makes the ConfigMap `meshroll-installation` with this id, and the namespace as needed; `conflict` = there is one already. */
  claim(installation: string): Promise<WriteOutcome>;
  /** Sends the API server something cheap, so that a quiet cluster proves it is alive; updates `seenAtMonotonic`. */
  probe(): Promise<boolean>;
  /**
   * Asks every ready istiod, by the API server's proxy, for its version and its proxies. `view.facts()` shows what they said
   * until they are queried again; what they did not say is absent there, and `problems()` names what people can fix.
   */
  readIstiods(): Promise<void>;
  /** What is wrong with reading this cluster right now (a forbidden list, expired credentials), in sentences for people. */
  problems(): readonly string[];
}
