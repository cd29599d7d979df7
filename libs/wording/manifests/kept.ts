import type { CasesOf } from "../cases.ts";

/** The sentence of one reason, and the owner's fix. */
interface ManifestWording {
  readonly message: string;
  /** For a workload of the mesh that is not moved although its owner can change that. */
  readonly fix?: string;
}

function say(message: string) {
  return (): ManifestWording => ({ message });
}

const layouts = {
  duplicateKey: "a key on the path to its label is there twice",
  sharedAnchor: "its labels or annotations are in a YAML anchor that others use too",
  layout: "its labels or annotations are written in a form that no line can be added to",
  notText: "the place of its label is not a map of strings",
};

/** Why the manifest of a workload stays as it is. */
const kept = {
  InjectionOff: say("sidecar.istio.io/inject turns injection off"),
  HostNetwork: say("its pods use the host's network: never injected"),
  Gateway: say("it is a gateway: moved only where meshroll.yml says gateways: move"),
  OptedOut: ({ why }: { readonly why: string }): ManifestWording => ({ message: `its owner opted out: ${why}` }),
  Tag: ({ tag }: { readonly tag: string }): ManifestWording => ({ message: `its label is the revision tag ${tag}` }),
  Unmanaged: ({ why }: { readonly why: string }): ManifestWording => ({ message: why }),
  NamespaceDecides: ({
    namespace,
    label,
    isTwice,
  }: {
    readonly namespace: string;
    readonly label: string;
    /** The template has a label of its own, which Istio ignores. */
    readonly isTwice: boolean;
  }): ManifestWording => ({
    message: `the label ${label} of namespace ${namespace} decides`,
    ...(isTwice ? { fix: "remove istio.io/rev from the template: Istio ignores it" } : {}),
  }),
  NoNamespace: (): ManifestWording => ({
    message: "it names no namespace, so its revision is unknown",
    fix: "say which one it will be: --namespace NAME",
  }),
  SelectsRevision: ({
    selector,
    revision,
  }: {
    readonly selector: string;
    readonly revision: string;
  }): ManifestWording => ({
    message: `its selector asks for istio.io/rev=${selector} in matchLabels: with ${revision} it would select none of its pods`,
    fix: "take the label out of the selector (istio#33237)",
  }),
  SelectsByExpression: (): ManifestWording => ({
    message: "an expression of its selector is about istio.io/rev: with another label it might select none of its pods",
    fix: "take the expression out of the selector (istio#33237)",
  }),
  UnreadableAnnotation: ({
    annotation,
    why,
  }: {
    readonly annotation: string;
    readonly why: string;
  }): ManifestWording => ({
    message: `${annotation}: ${why}`,
    fix: "correct the annotation, or remove it",
  }),
  Unclear: ({ why }: { readonly why: keyof typeof layouts }): ManifestWording => ({
    message: layouts[why],
    fix: "write metadata.labels and metadata.annotations as plain maps",
  }),
};

export type ManifestReason = CasesOf<typeof kept>;

/** The sentence of why a manifest stays as it is; `fix` where its owner can change that. */
export function renderManifestReason(reason: ManifestReason): ManifestWording {
  const word = kept[reason.code] as (fields: ManifestReason) => ManifestWording;
  return word(reason);
}
