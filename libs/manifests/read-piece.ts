import { scanBlock } from "./block/scan-block.ts";
import { scanJson } from "./json/scan-json.ts";
import type { ReadObjects, Span } from "./objects/manifest-object.ts";
import { readTree } from "./tree/read-tree.ts";

/** Which reader understood a piece: `tree` is the YAML library. */
export type Reader = "block" | "json" | "tree";

export type ReadPiece = ReadObjects & { readonly reader: Reader };

function findFirst(text: string, { start, end }: Span): number {
  let at = start;
  while (at < end && text.charCodeAt(at) <= 32) at++;
  return at;
}

/** Begins with `{"` or `[`: more likely JSON than a flow collection of YAML. */
function isLikelyJson(text: string, at: number): boolean {
  return /^(?:\{\s*["}]|\[)/.test(text.slice(at, at + 100));
}

/** The objects of one document, by the fastest reader that understands all of it. `isPlain`: its lines end in LF or CRLF. */
export function readPiece(text: string, piece: Span, isPlain: boolean): ReadPiece {
  const first = findFirst(text, piece);
  const code = text.charCodeAt(first);
  if (first < piece.end && (code === 123 || code === 91)) {
    const json = scanJson(text, first, piece.end);
    if (json.ok) return { ...json, reader: "json" };
    const tree = readTree(text, piece);
    return tree.ok || !isLikelyJson(text, first) ? { ...tree, reader: "tree" } : { ...json, reader: "json" };
  }
  const objects = isPlain ? scanBlock(text, piece) : undefined;
  if (objects !== undefined) return { ok: true, objects, reader: "block" };
  return { ...readTree(text, piece), reader: "tree" };
}
