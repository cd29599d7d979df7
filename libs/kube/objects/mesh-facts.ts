import type { ControlPlanePlace, RevisionFacts } from "#libs/fleet";
import { lookUp } from "#libs/input";

import type { ApiMap, ApiObject, ApiPodSpec } from "../api-types.ts";
import { projectPod } from "./project-pod.ts";

/** A MutatingWebhookConfiguration of Istio. */
export interface InjectorWebhook {
  readonly revision: string;
  /** Set when the webhook makes a tag point at the revision. */
  readonly tag: string | undefined;
  /** Namespace of the Service that it calls. */
  readonly namespace: string | undefined;
  /** Host of the URL that it calls instead of a Service. */
  readonly host: string | undefined;
  /** How the API server knows the istiod that it calls. */
  readonly trust: IstiodTrust;
}

/** Whom an istiod's certificate must name, and who must have signed it. */
export interface IstiodTrust {
  readonly serverName: string;
  /** PEM; undefined: the authorities that this machine trusts. */
  readonly authority: string | undefined;
}

/** Namespace of an istiod's Deployment or pod. */
interface Placed {
  readonly namespace: string;
  readonly labels: ApiMap;
}

export interface Istiod extends Placed {
  readonly revision: string;
  readonly ready: boolean;
}

/** One replica of an istiod: it knows only the proxies that are connected to it. */
export interface IstiodPod extends Placed {
  readonly name: string;
  readonly uid: string;
  readonly revision: string;
  readonly ready: boolean;
}

const systemNamespace = "istio-system";
const usualLabel = "app=istiod";

/** A missing or empty label means the revision `default`. */
function readRevision({ "istio.io/rev": revision = "" }: ApiMap): string {
  return revision === "" ? "default" : revision;
}

type ClientConfig = NonNullable<NonNullable<ApiObject["webhooks"]>[number]["clientConfig"]>;

function readHost(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}

/** istiod serves its webhook and its proxies with one certificate. */
function readTrust({ url, service, caBundle }: ClientConfig): IstiodTrust {
  const ofUrl = url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
  return {
    serverName: ofUrl ?? `${service?.name ?? "istiod"}.${service?.namespace ?? systemNamespace}.svc`,
    authority: caBundle === undefined || caBundle === "" ? undefined : Buffer.from(caBundle, "base64").toString("utf8"),
  };
}

/** Undefined when it is not Istio's, or one that `istioctl tag set default` deactivated and left behind. */
export function projectWebhook({ metadata = {}, webhooks = [] }: ApiObject): InjectorWebhook | undefined {
  const { labels = {} } = metadata;
  const { "istio.io/rev": revision = "" } = labels;
  const deactivated = webhooks.some(
    ({ namespaceSelector }) => namespaceSelector?.matchLabels?.["istio.io/deactivated"] !== undefined,
  );
  if (revision === "" || deactivated) return undefined;
  const client = webhooks[0]?.clientConfig ?? {};
  const { url, service } = client;
  return {
    revision,
    tag: labels["istio.io/tag"],
    namespace: service?.namespace,
    host: readHost(url),
    trust: readTrust(client),
  };
}

/** Recognised by the label of Istio's chart, or by the container's name, which no installation changes. */
function isIstiod(labels: ApiMap, { containers = [] }: ApiPodSpec): boolean {
  return labels["app"] === "istiod" || containers.some(({ name }) => name === "discovery");
}

/** Undefined for a Deployment that is no istiod. Whether it is a control plane of this cluster is decided by its place. */
export function projectIstiod({ metadata = {}, spec = {}, status = {} }: ApiObject): Istiod | undefined {
  const { labels = {}, namespace = "" } = metadata;
  if (!isIstiod(labels, spec.template?.spec ?? {})) return undefined;
  return { namespace, labels, revision: readRevision(labels), ready: (status.availableReplicas ?? 0) > 0 };
}

/** Undefined: a pod that is no istiod's, or that is ending. */
export function projectIstiodPod(object: ApiObject): IstiodPod | undefined {
  const { metadata: { name, namespace = "", uid = "", labels = {} } = {}, spec = {} } = object;
  if (name === undefined || !isIstiod(labels, spec)) return undefined;
  const facts = projectPod(object);
  if (facts === undefined) return undefined;
  return { name, namespace, uid, labels, revision: readRevision(labels), ready: facts.ready };
}

/** A control-plane place without its cluster where that is the cluster itself. */
export function omitOwn({ cluster, ...place }: ControlPlanePlace, own: string): ControlPlanePlace {
  return cluster === undefined || cluster === own ? place : { cluster, ...place };
}

/** Namespace by revision: the one in main's settings, or that of the Service which the revision's webhook calls. */
function findNamespaces(webhooks: Iterable<InjectorWebhook>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { revision, tag, namespace } of webhooks)
    if (tag === undefined && namespace !== undefined) found.set(revision, namespace);
  return found;
}

/** How an istiod of the revision is known, by its own webhook, else by one of a tag; undefined: no webhook calls it. */
export function findTrust(webhooks: Iterable<InjectorWebhook>, name: string): IstiodTrust | undefined {
  const found = [...webhooks].filter(({ revision }) => revision === name);
  return (found.find(({ tag }) => tag === undefined) ?? found[0])?.trust;
}

/** Answers whether an istiod is a control plane of this cluster, by the place in main's settings. */
export function createPlaceCheck(
  webhooks: Iterable<InjectorWebhook>,
  place: ControlPlanePlace,
): (istiod: Placed & Pick<Istiod, "revision">) => boolean {
  const namespaces = findNamespaces(webhooks);
  const [key = "", value = ""] = (place.label ?? usualLabel).split("=");
  return ({ namespace, labels, revision }) =>
    place.cluster === undefined &&
    namespace === (place.namespace ?? namespaces.get(revision) ?? systemNamespace) &&
    lookUp(labels, key) === value;
}

/** Every revision that anything in the cluster names, sorted by name. */
export function listRevisions(
  webhooks: readonly InjectorWebhook[],
  istiods: Iterable<Istiod>,
  place: ControlPlanePlace,
): readonly RevisionFacts[] {
  const served = new Map<string, InjectorWebhook>();
  for (const webhook of webhooks) if (webhook.tag === undefined) served.set(webhook.revision, webhook);
  const isPlaced = createPlaceCheck(webhooks, place);
  const running = new Map<string, boolean>();
  for (const istiod of istiods) {
    const { revision, ready } = istiod;
    if (isPlaced(istiod)) running.set(revision, ready || running.get(revision) === true);
  }
  return [...new Set([...served.keys(), ...running.keys()])].toSorted().map((name) => {
    const ready = running.get(name);
    const host = served.get(name)?.host;
    return {
      name,
      webhook: served.has(name),
      istiod: ready === undefined ? "missing" : ready ? "ready" : "unready",
      ...(host === undefined ? {} : { injectorHost: host }),
    };
  });
}

/** Tag -> revision. */
export function listTags(webhooks: Iterable<InjectorWebhook>): Readonly<Record<string, string>> {
  const tags = new Map<string, string>();
  for (const { revision, tag } of webhooks) if (tag !== undefined) tags.set(tag, revision);
  return Object.fromEntries(tags);
}
