import type { ManifestObject, MapName, MapPlace, Scalar } from "../objects/manifest-object.ts";

/** The field that has the pod template; a Pod is its own template. */
type Below = "spec" | "jobTemplate" | "itself";

const kinds: ReadonlyMap<string, Below> = new Map<string, Below>([
  ["apps/Deployment", "spec"],
  ["apps/StatefulSet", "spec"],
  ["apps/DaemonSet", "spec"],
  ["apps/ReplicaSet", "spec"],
  ["extensions/Deployment", "spec"],
  ["extensions/DaemonSet", "spec"],
  ["extensions/ReplicaSet", "spec"],
  ["batch/Job", "spec"],
  ["batch/CronJob", "jobTemplate"],
  ["argoproj.io/Rollout", "spec"],
  ["/Pod", "itself"],
]);

/**
 * The pods that an object makes, or is: their labels and annotations for injection, and the maps that a label can be added to,
 * innermost first.
 */
export interface PodTarget {
  readonly labels: ReadonlyMap<string, Scalar>;
  readonly annotations: ReadonlyMap<string, Scalar>;
  readonly labelMaps: readonly (readonly [MapName, string])[];
}

const templateMaps = [
  ["templateLabels", "labels"],
  ["templateMetadata", "metadata"],
  ["template", "template"],
] as const;
const podMaps = [
  ["objectLabels", "labels"],
  ["metadata", "metadata"],
] as const;

/** `apps` of `apps/v1`; the core group has no name. */
function findBelow(apiVersion: string, kind: string): Below | undefined {
  const slash = apiVersion.indexOf("/");
  return kinds.get(`${apiVersion.slice(0, Math.max(0, slash))}/${kind}`);
}

/** Undefined for kinds without a pod template of their own. */
export function findTarget(object: ManifestObject): PodTarget | undefined {
  const { apiVersion, kind, templateBelow, maps } = object;
  if (apiVersion === undefined || kind === undefined || !maps.has("metadata")) return undefined;
  const below = findBelow(apiVersion, kind);
  if (below === undefined) return undefined;
  if (below === "itself") return { labels: object.labels, annotations: object.annotations, labelMaps: podMaps };
  if (below !== templateBelow || isEmptyPlace(maps.get("template"))) return undefined;
  return { labels: object.templateLabels, annotations: object.templateAnnotations, labelMaps: templateMaps };
}

function isEmptyPlace(place: MapPlace | undefined): boolean {
  return place === undefined || place.form === "empty" || place.form === "value";
}

/** The values without their places. */
export function readValues(scalars: ReadonlyMap<string, Scalar>): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(scalars, ([key, { value }]) => [key, value]));
}
