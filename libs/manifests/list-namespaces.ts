import { readValues } from "./labels/find-target.ts";
import type { NamespaceFacts } from "./labels/manifest-answer.ts";
import type { ManifestPiece } from "./read-manifests.ts";

/** The Namespace manifests of an input, by name. */
export function listNamespaces(pieces: readonly ManifestPiece[]): ReadonlyMap<string, NamespaceFacts> {
  const found = new Map<string, NamespaceFacts>();
  for (const { objects } of pieces) {
    for (const { apiVersion, kind, name, labels, annotations } of objects) {
      if (apiVersion !== "v1" || kind !== "Namespace" || name === undefined) continue;
      found.set(name, { labels: readValues(labels), annotations: readValues(annotations) });
    }
  }
  return found;
}
