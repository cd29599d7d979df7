import type { InstalledObject, Installer } from "#libs/fleet";
import { lookUp } from "#libs/input";

import type { ApiObject } from "../api-types.ts";
import type { Send } from "../requests/api-call.ts";
import { readAll } from "./read-all.ts";
import { revisionLabel } from "./revision-label.ts";

/** Kinds of Istio's chart in the order in which they are deleted: webhooks first, so that none asks an istiod that is gone. */
const webhooks = [
  "mutatingwebhookconfigurations.admissionregistration.k8s.io",
  "validatingwebhookconfigurations.admissionregistration.k8s.io",
] as const;

const resources: readonly (readonly [resource: string, path: string])[] = [
  ["horizontalpodautoscalers.autoscaling", "/apis/autoscaling/v2/horizontalpodautoscalers"],
  ["poddisruptionbudgets.policy", "/apis/policy/v1/poddisruptionbudgets"],
  ["deployments.apps", "/apis/apps/v1/deployments"],
  ["services", "/api/v1/services"],
  ["configmaps", "/api/v1/configmaps"],
  ["networkpolicies.networking.k8s.io", "/apis/networking.k8s.io/v1/networkpolicies"],
  ["rolebindings.rbac.authorization.k8s.io", "/apis/rbac.authorization.k8s.io/v1/rolebindings"],
  ["roles.rbac.authorization.k8s.io", "/apis/rbac.authorization.k8s.io/v1/roles"],
  ["serviceaccounts", "/api/v1/serviceaccounts"],
  ["clusterrolebindings.rbac.authorization.k8s.io", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"],
  ["clusterroles.rbac.authorization.k8s.io", "/apis/rbac.authorization.k8s.io/v1/clusterroles"],
];

/** Objects of any of these kinds, by either of the labels that the chart and istioctl write. */
const selectors = [`${revisionLabel}=`, "app in (istiod,istio-reader)"] as const;

const componentLabel = "operator.istio.io/component";
/** What `app` says on objects of a control plane. A gateway has another one. */
const apps: readonly (string | undefined)[] = ["istiod", "istio-reader", "sidecar-injector"];

interface Candidate {
  readonly resource: string;
  readonly object: ApiObject;
}

/** Labelled with the revision, and a control plane's: neither a gateway's, nor configuration of people. */
function isLabelled({ object: { metadata: { labels = {} } = {} } }: Candidate, revision: string): boolean {
  const isPlane =
    apps.includes(labels["app"]) || labels[componentLabel] === "Pilot" || labels["app.kubernetes.io/name"] === "istiod";
  return labels[revisionLabel] === revision && isPlane;
}

/** Names that the chart gives to accounts and rights, which have no label of their revision. */
function listNames(revision: string, namespaces: ReadonlySet<string>): ReadonlySet<string> {
  const suffix = revision === "default" ? "" : `-${revision}`;
  const inCluster = ["istiod-clusterrole", "istio-reader-clusterrole", "istiod-gateway-controller"];
  return new Set([...namespaces].flatMap((namespace) => inCluster.map((name) => `${name}${suffix}-${namespace}`)));
}

function isNamed(
  { object: { metadata: { name = "", namespace, labels = {} } = {} } }: Candidate,
  revision: string,
  namespaces: ReadonlySet<string>,
): boolean {
  // Of another revision, whatever its name.
  if (labels[revisionLabel] !== undefined || !apps.includes(labels["app"])) return false;
  if (namespace === undefined) return listNames(revision, namespaces).has(name);
  return namespaces.has(namespace) && name === (revision === "default" ? "istiod" : `istiod-${revision}`);
}

const helm = { release: "meta.helm.sh/release-name", namespace: "meta.helm.sh/release-namespace" } as const;

/** Sail installs by Helm's library, so its owner reference is asked first. */
function findInstaller({ metadata: { annotations, labels = {}, ownerReferences = [] } = {} }: ApiObject): Installer {
  const owner = ownerReferences.find(({ kind }) => kind === "IstioRevision");
  if (owner?.name !== undefined) return { kind: "sail", istioRevision: owner.name };
  const [release, namespace] = [lookUp(annotations, helm.release), lookUp(annotations, helm.namespace)];
  if (release !== undefined && namespace !== undefined) return { kind: "helm", release, namespace };
  const isPruned = labels[componentLabel] !== undefined && labels[revisionLabel] !== undefined;
  return { kind: isPruned ? "istioctl" : "manifest" };
}

function describe({ resource, object }: Candidate): InstalledObject {
  const { name = "", namespace } = object.metadata ?? {};
  return { resource, ...(namespace === undefined ? {} : { namespace }), name, by: findInstaller(object) };
}

async function readOne(send: Send, resource: string, path: string, revision: string) {
  const found = new Map<string, Candidate>();
  const unread: string[] = [];
  for (const selector of selectors) {
    const asked = selector.endsWith("=") ? `${selector}${revision}` : selector;
    const read = await readAll(send, `${path}?labelSelector=${encodeURIComponent(asked)}`);
    if (read.kind === "unread") unread.push(`${resource}: ${read.why}`);
    if (read.kind !== "read") continue;
    for (const object of read.items) {
      const { namespace = "", name = "" } = object.metadata ?? {};
      found.set(`${namespace}/${name}`, { resource, object });
    }
  }
  return { found: [...found.values()], unread: unread.slice(0, 1) };
}

/** Webhook configurations of the cluster, which are read anyway. */
interface Webhooks {
  readonly injectors: readonly ApiObject[];
  readonly validators: readonly ApiObject[];
}

/** What is there of the revision's control plane, by any installer; its namespaces are those of what has its label. */
export async function listInstalled(
  send: Send,
  revision: string,
  { injectors, validators }: Webhooks,
): Promise<{ readonly installed: readonly InstalledObject[]; readonly unread: readonly string[] }> {
  const read = await Promise.all(resources.map(async ([resource, path]) => readOne(send, resource, path, revision)));
  const candidates = [
    ...injectors.map((object) => ({ resource: webhooks[0], object })),
    ...validators.map((object) => ({ resource: webhooks[1], object })),
    ...read.flatMap(({ found }) => found),
  ];
  const labelled = candidates.filter((each) => isLabelled(each, revision));
  const found = new Set(labelled.flatMap(({ object }) => object.metadata?.namespace ?? []));
  const namespaces = found.size === 0 ? new Set(["istio-system"]) : found;
  const own = candidates.filter((each) => isLabelled(each, revision) || isNamed(each, revision, namespaces));
  return { installed: own.map(describe), unread: read.flatMap(({ unread }) => unread) };
}
