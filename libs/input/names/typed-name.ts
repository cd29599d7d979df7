import { isLabelName } from "../identifiers.ts";

/** A workload of the fleet by its parts. */
export interface NamedWorkload {
  readonly cluster: string;
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

/** Kinds with the words that kubectl takes for them. */
const kinds: readonly (readonly [kind: string, ...words: string[]])[] = [
  ["Deployment", "deployment", "deployments", "deploy"],
  ["StatefulSet", "statefulset", "statefulsets", "sts"],
  ["DaemonSet", "daemonset", "daemonsets", "ds"],
  ["WorkloadGroup", "workloadgroup", "workloadgroups", "wg"],
  ["ReplicaSet", "replicaset", "replicasets", "rs"],
  ["CronJob", "cronjob", "cronjobs", "cj"],
  ["Job", "job", "jobs"],
  ["Rollout", "rollout", "rollouts", "ro"],
  ["Pod", "pod", "pods", "po"],
];

/** `deploy`, `deployments.apps` and `DEPLOYMENT` are `Deployment`; undefined for a word that is no kind of ours. */
function findKind(word: string): string | undefined {
  const [first = ""] = word.toLowerCase().split(".", 1);
  return kinds.find(([, ...words]) => words.includes(first))?.[0];
}

/** What `-o name` prints before a name. */
const listed = /^(?:workload|drift|failure|skipped)\/(?=[a-z0-9-]+:)/u;
const around = /^["'`\u201c\u201d\u2018\u2019\s]+|["'`\u201c\u201d\u2018\u2019\s,;]+$/gu;

/**
 * A name as it is copied from a screen, a message or a comment: without quotes, a comma behind it, Markdown's escapes and the kind of a
 * listing. `cluster namespace/Kind/name` in two columns is one name.
 */
export function cleanName(text: string): string {
  const bare = text.replaceAll(around, "").replaceAll("\\", "").replace(listed, "");
  const columns = bare.split(/\s+/u);
  const [first = "", second = ""] = columns;
  return columns.length === 2 && isLabelName(first) && second.includes("/") ? `${first}:${second}` : bare;
}

interface Typed {
  readonly cluster?: string;
  /** Of what follows the cluster: one to three parts. */
  readonly parts: readonly string[];
}

function split(text: string): Typed {
  const clean = cleanName(text);
  const colon = clean.indexOf(":");
  const parts = clean.slice(colon + 1).split("/");
  return colon < 0 ? { parts } : { cluster: clean.slice(0, colon), parts };
}

function isKind(word: string, kind: string): boolean {
  return word.toLowerCase() === kind.toLowerCase() || findKind(word) === kind;
}

/** Whether the text names this workload: `namespace/Kind/name`, `namespace/name`, `Kind/name` or `name`, perhaps after `cluster:`. */
export function namesWorkload(text: string, { cluster, namespace, kind, name }: NamedWorkload): boolean {
  const { cluster: place = cluster, parts } = split(text);
  const last = parts.at(-1);
  if (place !== cluster || last !== name) return false;
  const [first, second] = parts.slice(0, -1);
  if (first === undefined) return true;
  if (second === undefined) return first === namespace || isKind(first, kind);
  return parts.length === 3 && first === namespace && isKind(second, kind);
}

/** A namespace, perhaps in one cluster. */
export interface NamedNamespace {
  readonly cluster?: string;
  readonly namespace: string;
}

function placeIn(cluster: string | undefined, namespace: string | undefined): NamedNamespace | undefined {
  if (namespace === undefined || !isLabelName(namespace)) return undefined;
  if (cluster === undefined) return { namespace };
  return isLabelName(cluster) ? { cluster, namespace } : undefined;
}

/** The namespace that a text names: `namespace`, `namespace/*` or `namespace/NAME`, perhaps after `cluster:`; undefined for others. */
export function readNamespaceName(text: string): NamedNamespace | undefined {
  const { cluster, parts } = split(text);
  const [first, second] = parts;
  if (parts.length === 1 || (parts.length === 2 && second === "*")) return placeIn(cluster, first);
  if (parts.length === 2 && (first === "namespace" || first === "namespaces")) return placeIn(cluster, second);
  return undefined;
}

/** The namespace in the name of a workload, `namespace/Kind/name` or `namespace/name`; undefined for other texts. */
export function readNamespaceOfWorkload(text: string): NamedNamespace | undefined {
  const { cluster, parts } = split(text);
  const [first = ""] = parts;
  if (parts.length !== 3 && parts.length !== 2) return undefined;
  return parts.length === 2 && findKind(first) !== undefined ? undefined : placeIn(cluster, first);
}

/** `cluster:namespace/Kind/name` with the kind as Kubernetes writes it, or `cluster:namespace/*`; undefined for a shorter name. */
export function completeName(text: string): string | undefined {
  const place = readNamespaceName(text);
  if (place !== undefined) return place.cluster === undefined ? undefined : `${place.cluster}:${place.namespace}/*`;
  const { cluster, namespace } = readNamespaceOfWorkload(text) ?? {};
  const [, word = "", name = ""] = split(text).parts;
  if (cluster === undefined || name === "" || !/^[A-Za-z][\w.]*$/u.test(word)) return undefined;
  return `${cluster}:${namespace}/${findKind(word) ?? word}/${name}`;
}
