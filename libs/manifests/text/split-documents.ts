import type { Span } from "../objects/manifest-object.ts";

/** A line that ends a document: the text is cut before `---`, and `...` stays with what it ends. */
function isMarkerEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || code === 10 || code === 13 || code === 32 || code === 9;
}

function findMarker(text: string, from: number): number {
  let at = text.indexOf("\n---", from);
  while (at !== -1 && !isMarkerEnd(text, at + 4)) at = text.indexOf("\n---", at + 4);
  return at;
}

/** A directive (`%YAML 1.1`) speaks of the document behind the next `---`: the two stay together. */
function endsInDirective(piece: string): boolean {
  const at = piece.startsWith("%") ? 0 : piece.indexOf("\n%") + 1;
  if (piece.charCodeAt(at) !== 37) return false;
  return piece
    .slice(at)
    .split("\n")
    .every((line) => /^(?:%.*|\s*|\s*#.*)$/.test(line));
}

/**
 * Cuts a stream into pieces of one document each; together they are the whole text. A byte order mark belongs to none. A piece
 * may hold no document: what stands before the first `---`.
 */
export function splitDocuments(text: string): readonly Span[] {
  const pieces: Span[] = [];
  let start = text.charCodeAt(0) === 0xfe_ff ? 1 : 0;
  let from = start;
  // Looked for once: hardly a stream has one, and each piece would be searched again.
  const hasDirectives = text.startsWith("%", start) || text.includes("\n%");
  for (let at = findMarker(text, from); at !== -1; at = findMarker(text, from)) {
    from = at + 4;
    const piece = { start, end: at + 1 };
    if (hasDirectives && endsInDirective(text.slice(start, at + 1))) continue;
    pieces.push(piece);
    start = at + 1;
  }
  pieces.push({ start, end: text.length });
  return pieces;
}
