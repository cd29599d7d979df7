import type { ManifestObject, MapName, MapPlace, Scalar } from "../objects/manifest-object.ts";

/** The field that has the pod template; a Pod is its own template. */
type Below = "spec" | "jobTemplate" | "itself";

interface Kind {
  /** The core group has no name. */
  readonly groups: readonly string[];
  readonly below: Below;
}

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["Deployment", { groups: ["apps", "extensions"], below: "spec" }],
  ["StatefulSet", { groups: ["apps"], below: "spec" }],
  ["DaemonSet", { groups: ["apps", "extensions"], below: "spec" }],
  ["ReplicaSet", { groups: ["apps", "extensions"], below: "spec" }],
  ["Job", { groups: ["batch"], below: "spec" }],
  ["CronJob", { groups: ["batch"], below: "jobTemplate" }],
  ["Rollout", { groups: ["argoproj.io"], below: "spec" }],
  ["Pod", { groups: [""], below: "itself" }],
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

/** The group is `apps` in `apps/v1`. */
function findBelow(apiVersion: string, kind: string): Below | undefined {
  const known = kinds.get(kind);
  const group = apiVersion.slice(0, Math.max(0, apiVersion.indexOf("/")));
  return known?.groups.includes(group) === true ? known.below : undefined;
}

/** Undefined for kinds without a pod template of their own. */
export function findTarget(object: ManifestObject): PodTarget | undefined {
  const { apiVersion, kind, templateBelow, maps } = object;
  if (apiVersion === undefined || kind === undefined || maps.metadata === undefined) return undefined;
  const below = findBelow(apiVersion, kind);
  if (below === undefined) return undefined;
  if (below === "itself") return { labels: object.labels, annotations: object.annotations, labelMaps: podMaps };
  if (below !== templateBelow || isEmptyPlace(maps.template)) return undefined;
  return { labels: object.templateLabels, annotations: object.templateAnnotations, labelMaps: templateMaps };
}

function isEmptyPlace(place: MapPlace | undefined): boolean {
  return place === undefined || place.form === "empty" || place.form === "value";
}

const noValues: Readonly<Record<string, string>> = {};

/** The values without their places. */
export function readValues(scalars: ReadonlyMap<string, Scalar>): Readonly<Record<string, string>> {
  if (scalars.size === 0) return noValues;
  return Object.fromEntries(Array.from(scalars, ([key, { value }]) => [key, value]));
}
