import type { RevisionUse } from "#libs/fleet";

import type { ApiMap, ApiObject } from "../api-types.ts";
import { revisionLabel } from "./revision-label.ts";

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

/** Whether the revision has an injector webhook of its own, besides those of tags. */
export function hasInjector(injectors: readonly ApiObject[], revision: string): boolean {
  return injectors.some(({ metadata: { labels = {} } = {} }) => {
    return labels["istio.io/tag"] === undefined && labels[revisionLabel] === revision;
  });
}

/** Whether a webhook calls this revision's istiod, by its Service or by a URL, as with an external istiod. */
function asksIstiod(webhook: ApiObject, revision: string): boolean {
  const service = revision === "default" ? "istiod" : `istiod-${revision}`;
  return ((webhook as Hook).webhooks ?? []).some(({ clientConfig: { service: named, url = "" } = {} }) => {
    const host = URL.parse(url)?.hostname ?? "";
    return named?.name === service || host === service || host.startsWith(`${service}.`);
  });
}

/** Istio's validating webhooks that call this revision's istiod, except the revision's own, which is removed with it. */
export function listValidators(validators: readonly ApiObject[], revision: string): readonly RevisionUse[] {
  return validators.flatMap((each) => {
    const { name = "", labels = {} } = each.metadata ?? {};
    if (name.startsWith(`istio-validator-${revision}-`)) return [];
    return asksIstiod(each, revision) || labels[revisionLabel] === revision
      ? [{ as: "validatingWebhook", what: `ValidatingWebhookConfiguration/${name}`, count: 1 }]
      : [];
  });
}

/** Webhooks that inject by this revision's istiod without a label that says so, unlike the revision's own and those of tags. */
export function listInjectors(injectors: readonly ApiObject[], revision: string): readonly RevisionUse[] {
  return injectors.flatMap((each) => {
    const { name = "", labels = {} } = each.metadata ?? {};
    return asksIstiod(each, revision) && labels[revisionLabel] !== revision
      ? [{ as: "mutatingWebhook", what: `MutatingWebhookConfiguration/${name}`, count: 1 }]
      : [];
  });
}

/** Namespaces whose label gives new pods to the revision, or to a tag that points to it. */
export function listNamespaces(namespaces: readonly ApiObject[], names: readonly string[]): readonly RevisionUse[] {
  return namespaces.flatMap(({ metadata: { name = "", labels = {} } = {} }) => {
    const asked = labels[revisionLabel] ?? (labels["istio-injection"] === "enabled" ? "default" : undefined);
    return asked !== undefined && names.includes(asked)
      ? [{ as: "namespace", what: `Namespace/${name}`, count: 1 }]
      : [];
  });
}

/** Namespaces without an injection label: there a pod's own `sidecar.istio.io/inject` asks for the default revision. */
export function listUnlabelledNamespaces(namespaces: readonly ApiObject[]): ReadonlySet<string> {
  const unlabelled = namespaces.filter(({ metadata: { labels = {} } = {} }) => {
    return labels[revisionLabel] === undefined && labels["istio-injection"] === undefined;
  });
  return new Set(unlabelled.map(({ metadata: { name = "" } = {} }) => name));
}

function findPodLabels({ spec }: Templated): ApiMap {
  const template = spec?.jobTemplate?.spec?.template ?? spec?.template;
  return template?.metadata?.labels ?? {};
}

/**
 * The revision that the workload's next pod asks for. istiod's own pods are left out: they carry the label of the revision that
 * they serve.
 */
function findAsked(workload: Templated, unlabelled: ReadonlySet<string>): string | undefined {
  const { namespace = "" } = workload.metadata ?? {};
  const labels = findPodLabels(workload);
  if (labels["app"] === "istiod") return undefined;
  const injectsDefault = labels["sidecar.istio.io/inject"] === "true" && unlabelled.has(namespace);
  return labels[revisionLabel] ?? (injectsDefault ? "default" : undefined);
}

/** Objects that make no pods by themselves: a ReplicaSet with an owner, or a Job that is over. */
function createsNoPods(kind: string, { metadata, status }: ApiObject): boolean {
  if (kind === "ReplicaSet" || kind === "ReplicationController")
    return metadata?.ownerReferences?.some(({ controller }) => controller === true) === true;
  return (
    kind === "Job" &&
    (status?.conditions ?? []).some(
      ({ type, status: is }) => is === "True" && (type === "Complete" || type === "Failed"),
    )
  );
}

/** Workloads whose next pod asks for one of these revisions or tags. */
export function listTemplates(
  kind: string,
  workloads: readonly ApiObject[],
  names: readonly string[],
  unlabelled: ReadonlySet<string>,
): readonly RevisionUse[] {
  return workloads.flatMap((each) => {
    const asked = findAsked(each as Templated, unlabelled);
    if (asked === undefined || !names.includes(asked) || createsNoPods(kind, each)) return [];
    const { namespace, name } = each.metadata ?? {};
    return [{ as: "template", what: `${namespace}/${kind}/${name}`, count: 1 }];
  });
}
