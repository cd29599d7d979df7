import type { Malformed, ManifestObject, Span } from "./objects/manifest-object.ts";
import { type Reader, readPiece } from "./read-piece.ts";
import { splitDocuments } from "./text/split-documents.ts";

/** One document of the text, with its objects. */
export interface ManifestPiece extends Span {
  readonly reader: Reader;
  readonly objects: readonly ManifestObject[];
}

/** A stream of manifests: YAML of any number of documents, JSON, Lists. */
export type ReadManifests =
  | { readonly ok: true; readonly text: string; readonly pieces: readonly ManifestPiece[] }
  | { readonly ok: false; readonly malformed: Malformed };

/** Reads the whole text. If one place is malformed, nothing of it is used. */
export function readManifests(text: string): ReadManifests {
  const pieces: ManifestPiece[] = [];
  // A lone carriage return ends a line too; rare enough for the library.
  const isPlain = !text.includes("\r") || !/\r(?!\n)/.test(text);
  for (const { start, end } of splitDocuments(text)) {
    const read = readPiece(text, { start, end }, isPlain);
    if (!read.ok) return read;
    if (read.objects.length > 0) pieces.push({ start, end, reader: read.reader, objects: read.objects });
  }
  return { ok: true, text, pieces };
}
