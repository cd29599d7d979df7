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
  /** `namespace/Kind/name`, or `Kind/name` of what has no namespace; `namespace/Kind/…` = several of that kind. */
  readonly what: string;
  /** Pods or proxies; 1 for all else. */
  readonly count: number;
}
