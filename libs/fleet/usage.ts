/** How an object of a cluster depends on a revision. */
export type Use =
  /** Live pods that its istiod injected. */
  | "pods"
  /** Its next pod will ask for the revision. */
  | "template"
  /** The namespace's label gives the revision to new pods. */
  | "namespace"
  /** A tag that points to it. */
  | "tag"
  /** A webhook of Istio that validates configuration by the revision's istiod. */
  | "validatingWebhook"
  /** A webhook that injects by the revision's istiod, and is neither the revision's own nor a tag's. */
  | "mutatingWebhook"
  /** A VM, or a WorkloadGroup, with the revision's label; or a WorkloadGroup whose VMs shall run it. */
  | "machine"
  /** VMs of a group whose agents said last that they run it; those that are off too. */
  | "vms"
  /** An object of Istio's that only this revision reads. */
  | "config"
  /** Proxies connected to the revision's istiod. */
  | "connected";

/** One object that depends on the revision. */
export interface RevisionUse {
  readonly as: Use;
  /** `namespace/Kind/name`, or `Kind/name` without a namespace; `namespace/Kind/…` = several of that kind. */
  readonly what: string;
  /** Pods, VMs or proxies; 1 for all else. */
  readonly count: number;
}

/** What installed an object, and so takes it away again. */
export type Installer =
  /** Sail's operator, for this IstioRevision. */
  | { readonly kind: "sail"; readonly istioRevision: string }
  | { readonly kind: "helm"; readonly release: string; readonly namespace: string }
  /** `istioctl install`, by the labels that `istioctl uninstall --revision` looks for. */
  | { readonly kind: "istioctl" }
  /** Nothing says so: by kubectl, or by what applies manifests. */
  | { readonly kind: "manifest" };

/** An object of a revision's control plane. */
export interface InstalledObject {
  /** As kubectl takes it: `deployments.apps`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
  readonly by: Installer;
}
