import { annotationKeys, istioKeys } from "#libs/fleet";

import type { ManifestObject, MapName, MapPlace, Scalar } from "../objects/manifest-object.ts";
import type { PodTarget } from "./find-target.ts";
import type { Stamp } from "./manifest-answer.ts";
import type { Edit } from "./edit.ts";
import { type Entry, renderEntries } from "./render-entries.ts";
import { quoteLike } from "./quote-like.ts";

/** Written where the spec's commit is not known, so that an older commit does not stay there. */
const unknownCommit = "unknown";

/** New entries by map, so that several for one map become one edit. */
type Insertions = { readonly place: MapPlace; entries: readonly Entry[] }[];

function add(insertions: Insertions, place: MapPlace, entries: readonly Entry[]): void {
  const same = insertions.find((insertion) => insertion.place === place);
  if (same === undefined) insertions.push({ place, entries });
  else same.entries = [...same.entries, ...entries];
}

/** Adds the entries to the innermost existing map, with the missing maps around them. False: there is no place. */
function insert(
  insertions: Insertions,
  object: ManifestObject,
  maps: readonly (readonly [MapName, string])[],
  entries: readonly Entry[],
): boolean {
  let pending = entries;
  for (const [name, key] of maps) {
    const place = object.maps[name];
    if (place === undefined) pending = [[key, pending]];
    else {
      add(insertions, place, pending);
      return true;
    }
  }
  return false;
}

const annotationMaps = [
  ["annotations", "annotations"],
  ["metadata", "metadata"],
] as const;

function listAnnotations(
  { mutatedAt, specCommit }: Stamp,
  object: ManifestObject,
): readonly (readonly [string, string])[] {
  const commit = specCommit ?? (object.annotations.has(annotationKeys.specCommit) ? unknownCommit : undefined);
  return [
    [annotationKeys.mutatedAt, mutatedAt],
    ...(commit === undefined ? [] : [[annotationKeys.specCommit, commit] as const]),
  ];
}

/** Replaces the entries that exist, and returns the others. */
function replaceKnown(
  text: string,
  known: ReadonlyMap<string, Scalar>,
  wanted: readonly (readonly [string, string])[],
  edits: Edit[],
): readonly Entry[] {
  return wanted.filter(([key, value]) => {
    const scalar = known.get(key);
    if (scalar === undefined || scalar.start < 0) return true;
    edits.push({ start: scalar.start, end: scalar.end, text: quoteLike(text, scalar, value) });
    return false;
  });
}

/** The changes of one object, in text order: the label of its pods, and the annotations about who wrote it. */
export function planEdits(
  text: string,
  object: ManifestObject,
  target: PodTarget,
  revision: string,
  stamp: Stamp,
): readonly Edit[] | undefined {
  const edits: Edit[] = [];
  const insertions: Insertions = [];
  const label = replaceKnown(text, target.labels, [[istioKeys.revision, revision]], edits);
  const annotations = replaceKnown(text, object.annotations, listAnnotations(stamp, object), edits);
  const isPlaced =
    (annotations.length === 0 || insert(insertions, object, annotationMaps, annotations)) &&
    (label.length === 0 || insert(insertions, object, target.labelMaps, label));
  if (!isPlaced) return undefined;
  for (const { place, entries } of insertions) edits.push(renderEntries(text, place, entries));
  return edits.sort((a, b) => a.start - b.start);
}
