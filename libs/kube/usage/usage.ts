/** What of a cluster needs a revision, or names it. */
export type Use =
  /** Live pods that its istiod injected. */
  | "pods"
  /** The next pod that it makes asks for the revision. */
  | "template"
  /** The namespace's label gives new pods to it. */
  | "namespace"
  /** A tag that points to it. */
  | "tag"
  /** A webhook of Istio's that checks configuration by its istiod. */
  | "validatingWebhook"
  /** A webhook that injects by its istiod, and is neither the revision's own nor a tag's. */
  | "mutatingWebhook"
  /** A VM, or a group of them, that carries its label. */
  | "machine"
  /** An object of Istio's that holds for this revision alone, and stops applying without it. */
  | "config"
  /** Proxies that its istiod says are connected to it. */
  | "connected";

/** One user of the revision. */
export interface RevisionUse {
  readonly as: Use;
  /** `namespace/Kind/name`, or `Kind/name` of what has no namespace. */
  readonly what: string;
  /** Pods or proxies; 1 for all else. */
  readonly count: number;
}

/** Who uses a revision in one cluster, as its API server and its istiods said just now. */
export interface RevisionUsage {
  /** UID of `kube-system`: it distinguishes clusters. */
  readonly uid: string;
  /** Epoch ms by the API server's clock. */
  readonly readAt: number | undefined;
  /** It has an injector webhook of its own there: what is retired. */
  readonly isInstalled: boolean;
  /** Sorted by use and name. */
  readonly uses: readonly RevisionUse[];
  /** Completed and failed pods: nothing of theirs runs, and they go with their owner. */
  readonly ended: readonly RevisionUse[];
  /** What could not be read, in sentences: what is there is not known. */
  readonly unread: readonly string[];
}
