import { addWorkload } from "./add-workload.ts";
import { createInjectorRules } from "../objects/injector-rules.ts";
import type { ModelWebhook } from "../objects/objects.ts";
import { publish, type State } from "../state/state.ts";

export interface IstiodOptions {
  readonly replicas?: number;
  /** False: only the Deployment, no webhook configuration. */
  readonly webhook?: boolean;
  /** What it reports; default: what the revision's name means (`1-25-2`), else `unknown`, as a build without a stamp does. */
  readonly version?: string;
  /** True: it lets our ServiceAccount read nothing, as one whose root namespace is another. */
  readonly refuses?: boolean;
}

/** Installs a revision: the istiod Deployment and its MutatingWebhookConfiguration, labelled as Istio's chart does. */
export function addIstiod(state: State, revision: string, options: IstiodOptions = {}): void {
  const { replicas = 1, webhook = true, version = readVersion(revision), refuses = false } = options;
  state.istiods.set(revision, { version, refuses });
  const labels = { app: "istiod", "istio.io/rev": revision };
  addWorkload(state, "Deployment", {
    ns: "istio-system",
    name: nameIstiod(revision),
    replicas,
    selector: labels,
    labels: { ...labels, "sidecar.istio.io/inject": "false" },
    objectLabels: { ...labels, istio: "pilot" },
    image: `docker.io/istio/pilot:${revision.replaceAll("-", ".")}`,
  });
  if (webhook) addWebhook(state, revision);
}

export function setIstiodVersion(state: State, revision: string, version: string): void {
  const known = state.istiods.get(revision);
  if (known === undefined) throw new Error(`no istiod of ${revision}`);
  state.istiods.set(revision, { ...known, version });
}

function readVersion(revision: string): string {
  return /^\d+-\d+-\d+$/.test(revision) ? revision.replaceAll("-", ".") : "unknown";
}

/** The default revision has no suffix. */
export function nameIstiod(revision: string): string {
  return revision === "default" ? "istiod" : `istiod-${revision}`;
}

export function nameWebhook(revision: string): string {
  return revision === "default" ? "istio-sidecar-injector" : `istio-sidecar-injector-${revision}`;
}

function addWebhook(state: State, revision: string): void {
  const labels = { app: "sidecar-injector", "istio.io/rev": revision };
  putWebhook(state, nameWebhook(revision), labels, revision, createInjectorRules(revision));
}

/** Points the tag at the revision, making it when it is new. The tag `default` serves `istio-injection=enabled`. */
export function addTag(state: State, tag: string, revision: string): void {
  const labels = { app: "sidecar-injector", "istio.io/rev": revision, "istio.io/tag": tag };
  putWebhook(state, `istio-revision-tag-${tag}`, labels, revision, createInjectorRules(tag));
}

/** Changes who answers the webhooks of a configuration, or what becomes of pods while it does not. */
export function changeWebhook(
  state: State,
  name: string,
  change: Pick<Partial<ModelWebhook>, "elsewhere" | "failurePolicy">,
): void {
  const webhook = state.webhooks.get(name);
  if (webhook === undefined) throw new Error(`there is no webhook configuration ${name}`);
  Object.assign(webhook, change);
  publish(state, "MODIFIED", webhook);
}

/** One more configuration, called last, that gives pods of `label` to another revision. */
export function addOverlap(state: State, label: string, revision: string): void {
  const labels = { app: "sidecar-injector", "istio.io/rev": revision };
  putWebhook(state, `zzz-overlaps-${label}`, labels, revision, createInjectorRules(label));
}

/** Takes a webhook configuration away: pods of its revision are created without a sidecar, silently. */
export function removeWebhook(state: State, name: string): void {
  const webhook = state.webhooks.get(name);
  if (webhook === undefined) throw new Error(`there is no webhook configuration ${name}`);
  state.webhooks.delete(name);
  publish(state, "DELETED", webhook);
}

/** Who signed the istiods' certificates, as their webhooks say. For before the cluster is read: no watch hears of it. */
export function trustAuthority(state: State, pem: string): void {
  state.authority = pem;
  for (const webhook of state.webhooks.values()) webhook.authority = pem;
}

function putWebhook(
  state: State,
  name: string,
  labels: ModelWebhook["labels"],
  revision: string,
  rules: ModelWebhook["rules"],
): void {
  const known = state.webhooks.get(name);
  if (known !== undefined) {
    Object.assign(known, { labels, revision, rules });
    publish(state, "MODIFIED", known);
    return;
  }
  const webhook: ModelWebhook = {
    resource: "mutatingwebhookconfigurations",
    name,
    uid: state.uid(),
    createdAt: state.clock.now(),
    rv: 0,
    deleted: false,
    labels,
    revision,
    rules,
    authority: state.authority,
  };
  state.webhooks.set(name, webhook);
  publish(state, "ADDED", webhook);
}
