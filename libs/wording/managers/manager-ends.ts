/** A field manager; the object may name none. */
export function nameManager(manager: string | undefined): string {
  return manager ?? "a manager without a name";
}

/** What its owner does so that the manager no longer overwrites a move; `end`: as `nameManagerEnd` says it. */
export function printManagerEnd(manager: string, end: string): string {
  return `what stops ${manager} from putting the label back: ${end}`;
}

const label = "/spec/template/metadata/labels/istio.io~1rev";

interface ManagerEnd {
  /** The managers with this name, or whose names begin so. */
  readonly names: readonly string[];
  /** Only the name itself. */
  readonly isWhole?: true;
  /** `path`: the JSON pointer of what it changed, or words for it. */
  readonly end: (path: string) => string;
}

/** By field manager, the first that fits: what its owner changes so that it no longer puts the label back. */
const ends: readonly ManagerEnd[] = [
  {
    names: ["argocd"],
    end: (path) =>
      `in Argo CD's Application: ignoreDifferences with ${path} in jsonPointers, and syncOptions [RespectIgnoreDifferences=true]`,
  },
  {
    names: ["kustomize-controller"],
    end: (path) =>
      `in Flux's Kustomization: spec.ignore with ${path} in paths (Flux 2.9 or newer), or a manifest that names the revision`,
  },
  {
    names: ["helm-controller"],
    end: () =>
      "in Flux's HelmRelease: the chart's value that sets the label, or a patch in spec.postRenderers (driftDetection.ignore ends none)",
  },
  {
    names: ["helm"],
    end: () => "in Helm: the chart's value that sets the label, or meshroll mutate on what the chart renders",
  },
  {
    // Seen on 1.36: `rollout undo` and `apply --server-side` name no other manager; `apply`, `edit` and `set` do.
    names: ["kubectl"],
    isWhole: true,
    end: () =>
      "kubectl rollout undo, or a forced apply --server-side, brought an older template back: deploy a manifest that names the revision",
  },
  {
    names: ["kubectl", "before-first-apply"],
    end: () => "a manifest that names the revision: meshroll mutate writes it where manifests are built",
  },
];

const anyEnd = "a manifest that names the revision, or a rule of that manager that ignores what it changed";

/** What ends it that this field manager puts the label back: for the owner of the workload. */
export function nameManagerEnd(manager: string | undefined, path = label): string {
  const isMeant = ({ names, isWhole }: ManagerEnd): boolean =>
    names.some((name) => manager === name || (isWhole !== true && manager?.startsWith(`${name}-`) === true));
  return ends.find(isMeant)?.end(path) ?? anyEnd;
}
