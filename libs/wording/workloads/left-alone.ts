/** The sentence of a workload's reason, and the ISO times in it. */
export interface WorkloadWording {
  /** Where it is not the reason's own: the code in an annotation on the object. */
  readonly code?: string;
  readonly message: string;
  readonly at?: string;
  /** ISO, when it ends by itself. */
  readonly until?: string;
}

export function say(message: string) {
  return (): WorkloadWording => ({ message });
}

function repeat({ why }: { readonly why: string }): WorkloadWording {
  return { message: why };
}

/** Not managed: never counted, never written. */
export const unmanaged = {
  Namespace: repeat,
  /** `namespace`: by its label; absent = by the pods' own. */
  InjectionOff: ({ namespace }: { readonly namespace?: string }): WorkloadWording => ({
    message:
      namespace === undefined
        ? "sidecar.istio.io/inject turns injection off"
        : `namespace ${namespace} has istio-injection=disabled`,
  }),
  HostNetwork: say("its pods use the host's network: never injected"),
  Gateway: say("it is a gateway: moved only where meshroll.yml says gateways: move"),
  NotInMesh: say("no pod has a sidecar, and no label would give it one"),
};

/** A sidecar that its owner pins, next to the istiod of the revision; absent = the version is not known. */
interface PinSkew {
  readonly image: string;
  readonly by: "sidecar.istio.io/proxyImage" | "container istio-proxy";
  readonly revision: string;
  readonly proxy?: string;
  readonly istiod?: string;
}

function wordProxySkew({ image, by, revision, proxy, istiod }: PinSkew): WorkloadWording {
  const own = proxy === undefined ? "whose version its tag does not tell" : `of version ${proxy}`;
  const other = istiod === undefined ? "of an unknown version" : istiod;
  const isKnown = proxy !== undefined && istiod !== undefined;
  const apart = isKnown ? "more than one minor from" : "which must be within one minor of";
  return {
    message:
      `its sidecar is ${image} (${by} of its template), ${own}, ${apart} istiod ${other} of ${revision}: ` +
      "remove that, or name an image whose tag is a version within one minor of that istiod",
  };
}

/** Never written: it would do harm, is impossible, or excluded by its owner. */
export const refused = {
  UnreadableAnnotation: repeat,
  Terminating: ({ namespace }: { readonly namespace: string }): WorkloadWording => ({
    message: `namespace ${namespace} is being deleted`,
  }),
  ContradictoryLabels: repeat,
  SelectsRevision: say(
    "its selector asks for istio.io/rev in matchLabels: pods with another label would be created endlessly (istio#33237); " +
      "take the label out of the selector",
  ),
  ManagedByRollout: say(
    "an Argo Rollout takes its template (workloadRef): set istio.io/rev in the template yourself, and the Rollout brings it to its pods",
  ),
  TemplateElsewhere: ({ templateOf }: { readonly templateOf: string }): WorkloadWording => ({
    message:
      `its template is that of ${templateOf} (workloadRef), which is its owner's: set istio.io/rev there, and the Rollout brings it ` +
      "to its pods by its own steps",
  }),
  OnDelete: say("its updateStrategy is OnDelete: no write restarts it; set RollingUpdate"),
  NoSite: repeat,
  ProxySkew: wordProxySkew,
  /** `where`: the workload or its namespace; `said`: the owner's reason. */
  OptedOut: (reason: {
    readonly where: string;
    readonly annotation: string;
    readonly said?: string;
  }): WorkloadWording => ({
    message: `${reason.where} has ${reason.annotation}${reason.said === undefined ? "" : `: ${reason.said}`}`,
  }),
  Pinned: ({ where, pin }: { readonly where: string; readonly pin: string }): WorkloadWording => ({
    message: `${where} is pinned to ${pin}`,
  }),
};
