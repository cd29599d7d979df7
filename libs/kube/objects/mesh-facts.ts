import type { RevisionFacts } from "#libs/fleet";

import type { ApiMap, ApiObject } from "../api-types.ts";
import { projectPod } from "./project-pod.ts";

/** A MutatingWebhookConfiguration of Istio. */
export interface InjectorWebhook {
  readonly revision: string;
  /** Set: it makes a tag point at the revision. */
  readonly tag: string | undefined;
}

export interface Istiod {
  readonly revision: string;
  readonly ready: boolean;
}

/** One replica of an istiod: it knows only the proxies that are connected to it. */
export interface IstiodPod {
  readonly name: string;
  readonly uid: string;
  readonly revision: string;
  readonly ready: boolean;
}

/** Without the label, or with an empty one, which Kubernetes allows, it is the default. */
function readRevision({ "istio.io/rev": revision = "" }: ApiMap): string {
  return revision === "" ? "default" : revision;
}

/** Undefined: not Istio's, or one that `istioctl tag set default` switched off and left behind. */
export function projectWebhook({ metadata = {}, webhooks = [] }: ApiObject): InjectorWebhook | undefined {
  const { labels = {} } = metadata;
  const { "istio.io/rev": revision = "" } = labels;
  const deactivated = webhooks.some(
    ({ namespaceSelector }) => namespaceSelector?.matchLabels?.["istio.io/deactivated"] !== undefined,
  );
  return revision === "" || deactivated ? undefined : { revision, tag: labels["istio.io/tag"] };
}

/** Undefined: a Deployment that is no istiod. */
export function projectIstiod({ metadata = {}, status = {} }: ApiObject): Istiod | undefined {
  const { labels = {}, namespace } = metadata;
  if (namespace !== "istio-system" || labels["app"] !== "istiod") return undefined;
  return { revision: readRevision(labels), ready: (status.availableReplicas ?? 0) > 0 };
}

/** Undefined: a pod that is no istiod's, or that is ending. */
export function projectIstiodPod(object: ApiObject): IstiodPod | undefined {
  const { metadata: { name, namespace, uid = "", labels = {} } = {} } = object;
  if (namespace !== "istio-system" || labels["app"] !== "istiod" || name === undefined) return undefined;
  const facts = projectPod(object);
  if (facts === undefined) return undefined;
  return { name, uid, revision: readRevision(labels), ready: facts.ready };
}

/** Every revision that anything in the cluster names, sorted by name. */
export function listRevisions(
  webhooks: Iterable<InjectorWebhook>,
  istiods: Iterable<Istiod>,
): readonly RevisionFacts[] {
  const served = new Set<string>();
  for (const { revision, tag } of webhooks) if (tag === undefined) served.add(revision);
  const running = new Map<string, boolean>();
  for (const { revision, ready } of istiods) running.set(revision, ready || running.get(revision) === true);
  return [...new Set([...served, ...running.keys()])].toSorted().map((name) => {
    const ready = running.get(name);
    return { name, webhook: served.has(name), istiod: ready === undefined ? "missing" : ready ? "ready" : "unready" };
  });
}

/** Tag -> revision. */
export function listTags(webhooks: Iterable<InjectorWebhook>): Readonly<Record<string, string>> {
  const tags = new Map<string, string>();
  for (const { revision, tag } of webhooks) if (tag !== undefined) tags.set(tag, revision);
  return Object.fromEntries(tags);
}
