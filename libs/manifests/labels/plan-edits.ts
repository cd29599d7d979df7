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
class Insertions {
  readonly #byPlace = new Map<MapPlace, Entry[]>();

  add(place: MapPlace, entry: Entry): void {
    const entries = this.#byPlace.get(place);
    if (entries === undefined) this.#byPlace.set(place, [entry]);
    else entries.push(entry);
  }

  render(text: string): readonly Edit[] {
    return Array.from(this.#byPlace, ([place, entries]) => renderEntries(text, place, entries));
  }
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
    const place = object.maps.get(name);
    if (place === undefined) pending = [[key, pending]];
    else {
      for (const entry of pending) insertions.add(place, entry);
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
): { readonly edits: readonly Edit[]; readonly missing: readonly Entry[] } {
  const edits: Edit[] = [];
  const missing: Entry[] = [];
  for (const [key, value] of wanted) {
    const scalar = known.get(key);
    if (scalar === undefined || scalar.start < 0) missing.push([key, value]);
    else edits.push({ start: scalar.start, end: scalar.end, text: quoteLike(text, scalar, value) });
  }
  return { edits, missing };
}

/** The changes of one object, in text order: the label of its pods, and the annotations about who wrote it. */
export function planEdits(
  text: string,
  object: ManifestObject,
  target: PodTarget,
  revision: string,
  stamp: Stamp,
): readonly Edit[] | undefined {
  const insertions = new Insertions();
  const label = replaceKnown(text, target.labels, [[istioKeys.revision, revision]]);
  const annotations = replaceKnown(text, object.annotations, listAnnotations(stamp, object));
  const isPlaced =
    (annotations.missing.length === 0 || insert(insertions, object, annotationMaps, annotations.missing)) &&
    (label.missing.length === 0 || insert(insertions, object, target.labelMaps, label.missing));
  if (!isPlaced) return undefined;
  return [...label.edits, ...annotations.edits, ...insertions.render(text)].toSorted((a, b) => a.start - b.start);
}
