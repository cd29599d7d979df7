import { lookUp } from "#libs/input";
import {
  type ClusterFacts,
  isUnlabelled,
  istioKeys,
  type Namespace,
  type PodTemplate,
  type Workload,
} from "#libs/fleet";

/** The part of a cluster that decides injection. */
export type ControlPlane = Pick<ClusterFacts, "revisions" | "tags">;

/** The label that decides, when one does; `admission`: the label that the admission policy gives the pod. */
export type Decider = "namespaceInjection" | "namespaceRevision" | "templateRevision" | "templateInject" | "admission";

/** What a pod made from this template in this namespace would get now. */
export interface EffectiveRevision {
  readonly injected: boolean;
  /** The label that decides; absent = none selects an injector. Set also where no control plane serves its name. */
  readonly by?: Decider;
  /** The name in that label: a revision or a tag; `default` for labels without a name. */
  readonly name?: string;
  /** The revision that would be injected. */
  readonly revision?: string;
  /** The name is a revision tag. */
  readonly viaTag?: string;
  /** Why no sidecar. */
  readonly why?: string;
}

/** Istio's name for the revision or tag of labels that name none. */
export const defaultName = "default";

/** Istio's injector ignores these namespaces, whatever their labels. */
const ignoredNamespaces: ReadonlySet<string> = new Set([
  "kube-system",
  "kube-public",
  "kube-node-lease",
  "local-path-storage",
]);

const off = /^(?:false|n|no|off)$/i;

/** `sidecar.istio.io/inject` says no; the label overrules the older annotation. */
export function isInjectionOff(template: PodTemplate): boolean {
  const said = template.labels[istioKeys.inject] ?? template.annotations[istioKeys.inject];
  return said !== undefined && off.test(said);
}

/** The revision of a tag. Own keys only: a label may be called `constructor`. */
export function readTag(cluster: ControlPlane, name: string): string | undefined {
  return Object.hasOwn(cluster.tags, name) ? lookUp(cluster.tags, name) : undefined;
}

/** A revision of this name has an injector webhook here. */
export function isServed(cluster: ControlPlane, name: string): boolean {
  return cluster.revisions.some((revision) => revision.name === name && revision.webhook);
}

interface Selection {
  readonly by?: Decider;
  readonly name?: string;
}

/**
 * The label that decides. Istio's webhooks check the namespace's `istio-injection`, then its `istio.io/rev`; the pod's label
 * counts only in a namespace with neither. With an `istio-injection` other than `enabled` no other label counts.
 */
function selectLabel(namespace: Namespace, template: PodTemplate): Selection {
  if (template.isVms === true) return selectOfVms(template);
  const injection = namespace.labels[istioKeys.injection];
  if (injection === "enabled") return { by: "namespaceInjection", name: defaultName };
  if (injection !== undefined) return {};
  const onNamespace = namespace.labels[istioKeys.revision];
  if (onNamespace !== undefined) return { by: "namespaceRevision", name: onNamespace };
  const onTemplate = template.labels[istioKeys.revision];
  if (onTemplate !== undefined) return { by: "templateRevision", name: onTemplate };
  return template.labels[istioKeys.inject] === "true" ? { by: "templateInject", name: defaultName } : {};
}

/** VMs have no webhook, so no label of their namespace counts. */
function selectOfVms({ labels }: PodTemplate): Selection {
  const name = labels[istioKeys.revision];
  return name === undefined ? {} : { by: "templateRevision", name };
}

/** Revisions or tags in the namespace's own labels, also in one that does not count because of another. */
export function listAskedByNamespace({ labels }: Pick<Namespace, "labels">): readonly string[] {
  const revision = labels[istioKeys.revision];
  const said = revision === undefined || revision === "" ? [] : [revision];
  return labels[istioKeys.injection] === "enabled" ? [defaultName, ...said] : said;
}

/** The name in the template's label, where its namespace has none. */
export function findAskedByTemplate(namespace: Namespace, template: PodTemplate): string | undefined {
  const { by, name } = selectLabel(namespace, template);
  if (by !== "templateRevision" && by !== "templateInject") return undefined;
  return explainRefusal(namespace, template) === undefined ? name : undefined;
}

function explainUninjected(namespace: Namespace): string {
  const injection = namespace.labels[istioKeys.injection];
  if (injection === undefined) return "no label selects an injector";
  return `namespace label istio-injection=${injection} keeps every injector away`;
}

function explainRefusal(namespace: Namespace, template: PodTemplate): string | undefined {
  if (template.isVms === true) return undefined;
  if (isInjectionOff(template)) return "sidecar.istio.io/inject turns injection off";
  if (template.hostNetwork) return "the pods use the host's network";
  return ignoredNamespaces.has(namespace.name) ? `Istio never injects in ${namespace.name}` : undefined;
}

/** The label of the pod as the admission policy leaves it: it changes only those of pods whose own label decides. */
function selectAdmitted(namespace: Namespace, { template, admitted }: Admitted): Selection {
  const selected = selectLabel(namespace, template);
  if (admitted === undefined) return selected;
  const isChanged = selected.by === "templateRevision" || isUnlabelled(namespace, { template });
  return isChanged ? { by: "admission", name: admitted } : selected;
}

type Admitted = Pick<Workload, "template" | "admitted">;

/** Predicts what Istio injects into the next pod, from labels, webhooks and what the admission policy gives it. */
export function effectiveRevision(namespace: Namespace, workload: Admitted, cluster: ControlPlane): EffectiveRevision {
  return predict(namespace, workload.template, cluster, selectAdmitted(namespace, workload));
}

/** As `effectiveRevision`, without the admission policy: by the labels that the objects have. */
export function labelledRevision(
  namespace: Namespace,
  { template }: Pick<Workload, "template">,
  cluster: ControlPlane,
): EffectiveRevision {
  return predict(namespace, template, cluster, selectLabel(namespace, template));
}

function predict(
  namespace: Namespace,
  template: PodTemplate,
  cluster: ControlPlane,
  { by, name }: Selection,
): EffectiveRevision {
  if (by === undefined || name === undefined) return { injected: false, why: explainUninjected(namespace) };
  const refusal = explainRefusal(namespace, template);
  if (refusal !== undefined) return { injected: false, by, name, why: refusal };
  const pointsTo = readTag(cluster, name);
  if (pointsTo !== undefined) return { injected: true, by, name, revision: pointsTo, viaTag: name };
  if (isServed(cluster, name)) return { injected: true, by, name, revision: name };
  // Kubernetes calls no webhook and reports nothing: the pod starts without a sidecar.
  return { injected: false, by, name, why: `no injector webhook serves ${JSON.stringify(name)} in this cluster` };
}

/** The revision that pods of a target carry: the target itself, or the tag's revision where `rollouts.yml` names tags. */
export function resolveTarget(cluster: ControlPlane, target: string): string {
  return readTag(cluster, target) ?? target;
}
