import { annotationKeys, istioKeys } from "#libs/fleet";
import { lookUp } from "#libs/input";

type Values = Record<string, unknown>;

/** The values written to one object. */
export interface Written {
  readonly revision: string;
  readonly mutatedAt: string;
  readonly specCommit?: string;
}

function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The map under a key, created where it is missing or null. */
function openMap(parent: Values, key: string): Values {
  const found = lookUp(parent, key);
  if (isValues(found)) return found;
  const made: Values = {};
  Reflect.set(parent, key, made);
  return made;
}

function findPodMetadata(object: Values): Values {
  if (object["kind"] === "Pod") return openMap(object, "metadata");
  const spec = openMap(object, "spec");
  const owner = object["kind"] === "CronJob" ? openMap(openMap(spec, "jobTemplate"), "spec") : spec;
  return openMap(openMap(owner, "template"), "metadata");
}

/** Makes the same change on the parsed object, by other code than the edits. */
export function applyExpected(object: unknown, { revision, mutatedAt, specCommit }: Written): void {
  if (!isValues(object)) return;
  const metadata = openMap(object, "metadata");
  const annotations = openMap(metadata, "annotations");
  annotations[annotationKeys.mutatedAt] = mutatedAt;
  if (specCommit !== undefined) annotations[annotationKeys.specCommit] = specCommit;
  else if (annotations[annotationKeys.specCommit] !== undefined) annotations[annotationKeys.specCommit] = "unknown";
  openMap(findPodMetadata(object), "labels")[istioKeys.revision] = revision;
}

/** The objects of a parsed document, in the readers' order. */
export function listObjects(value: unknown): readonly unknown[] {
  if (!isValues(value)) return [];
  const items = Object.hasOwn(value, "items") ? value["items"] : undefined;
  return [value, ...(Array.isArray(items) ? items.flatMap((item) => listObjects(item)) : [])];
}
