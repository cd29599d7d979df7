import type { RevisionUse } from "#libs/fleet";

import type { ApiMap, ApiObject } from "../api-types.ts";

const revisionLabel = "istio.io/rev";

interface Templated extends ApiObject {
  readonly spec?: {
    readonly template?: { readonly metadata?: { readonly labels?: ApiMap } };
    readonly jobTemplate?: Templated;
  };
}

interface Hook {
  readonly webhooks?: readonly {
    readonly clientConfig?: { readonly service?: { readonly name?: string }; readonly url?: string };
  }[];
}

/** Tags that point to the revision. */
export function listTags(injectors: readonly ApiObject[], revision: string): readonly string[] {
  return injectors.flatMap(({ metadata: { labels = {} } = {} }) => {
    const tag = labels["istio.io/tag"];
    return tag !== undefined && labels[revisionLabel] === revision ? [tag] : [];
  });
}

/** Whether the revision has an injector of its own, next to those of tags. */
export function hasInjector(injectors: readonly ApiObject[], revision: string): boolean {
  return injectors.some(({ metadata: { labels = {} } = {} }) => {
    return labels["istio.io/tag"] === undefined && labels[revisionLabel] === revision;
  });
}

/** By its service, or by an address of it, as where istiod is outside of the cluster. */
function asksIstiod(webhook: ApiObject, revision: string): boolean {
  const service = revision === "default" ? "istiod" : `istiod-${revision}`;
  return ((webhook as Hook).webhooks ?? []).some(({ clientConfig: { service: named, url = "" } = {} }) => {
    const host = URL.parse(url)?.hostname ?? "";
    return named?.name === service || host === service || host.startsWith(`${service}.`);
  });
}

/** Webhooks of Istio's that ask this revision's istiod, but for the revision's own, which goes with it. */
export function listValidators(validators: readonly ApiObject[], revision: string): readonly RevisionUse[] {
  return validators.flatMap((each) => {
    const { name = "", labels = {} } = each.metadata ?? {};
    if (name.startsWith(`istio-validator-${revision}-`)) return [];
    return asksIstiod(each, revision) || labels[revisionLabel] === revision
      ? [{ as: "validatingWebhook", what: `ValidatingWebhookConfiguration/${name}`, count: 1 }]
      : [];
  });
}

/** Webhooks that inject by this revision's istiod, and carry no label that says so: the revision's own and those of tags have one. */
export function listInjectors(injectors: readonly ApiObject[], revision: string): readonly RevisionUse[] {
  return injectors.flatMap((each) => {
    const { name = "", labels = {} } = each.metadata ?? {};
    return asksIstiod(each, revision) && labels[revisionLabel] !== revision
      ? [{ as: "mutatingWebhook", what: `MutatingWebhookConfiguration/${name}`, count: 1 }]
      : [];
  });
}

/** Namespaces whose label gives their new pods to one of these names: the revision, or a tag that points to it. */
export function listNamespaces(namespaces: readonly ApiObject[], names: readonly string[]): readonly RevisionUse[] {
  return namespaces.flatMap(({ metadata: { name = "", labels = {} } = {} }) => {
    const asked = labels[revisionLabel] ?? (labels["istio-injection"] === "enabled" ? "default" : undefined);
    return asked !== undefined && names.includes(asked)
      ? [{ as: "namespace", what: `Namespace/${name}`, count: 1 }]
      : [];
  });
}

/** Namespaces that leave their pods without a word: there a pod's own wish gets the default revision. */
export function listSilent(namespaces: readonly ApiObject[]): ReadonlySet<string> {
  const silent = namespaces.filter(({ metadata: { labels = {} } = {} }) => {
    return labels[revisionLabel] === undefined && labels["istio-injection"] === undefined;
  });
  return new Set(silent.map(({ metadata: { name = "" } = {} }) => name));
}

function findPodLabels({ spec }: Templated): ApiMap {
  const template = spec?.jobTemplate?.spec?.template ?? spec?.template;
  return template?.metadata?.labels ?? {};
}

/** What the next pod of a workload asks for. An istiod carries the label of what it serves, and is what is retired. */
function findAsked(workload: Templated, silent: ReadonlySet<string>): string | undefined {
  const { namespace = "" } = workload.metadata ?? {};
  const labels = findPodLabels(workload);
  if (labels["app"] === "istiod") return undefined;
  const isWish = labels["sidecar.istio.io/inject"] === "true" && silent.has(namespace);
  return labels[revisionLabel] ?? (isWish ? "default" : undefined);
}

/** What makes no more pods of itself: its owner has the next template, or it is a Job that is over. */
function makesNone(kind: string, { metadata, status }: ApiObject): boolean {
  if (kind === "ReplicaSet" || kind === "ReplicationController")
    return metadata?.ownerReferences?.some(({ controller }) => controller === true) === true;
  return (
    kind === "Job" &&
    (status?.conditions ?? []).some(
      ({ type, status: is }) => is === "True" && (type === "Complete" || type === "Failed"),
    )
  );
}

/** Workloads whose next pod asks for one of these names. */
export function listTemplates(
  kind: string,
  workloads: readonly ApiObject[],
  names: readonly string[],
  silent: ReadonlySet<string>,
): readonly RevisionUse[] {
  return workloads.flatMap((each) => {
    const asked = findAsked(each as Templated, silent);
    if (asked === undefined || !names.includes(asked) || makesNone(kind, each)) return [];
    const { namespace, name } = each.metadata ?? {};
    return [{ as: "template", what: `${namespace}/${kind}/${name}`, count: 1 }];
  });
}
