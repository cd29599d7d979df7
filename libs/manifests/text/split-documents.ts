import type { Span } from "../objects/manifest-object.ts";

/** Whether a line ends a document: the text is split before `---`, and `...` stays with the document that it ends. */
function isMarkerEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || code === 10 || code === 13 || code === 32 || code === 9;
}

function findMarker(text: string, from: number): number {
  let at = text.indexOf("\n---", from);
  while (at !== -1 && !isMarkerEnd(text, at + 4)) at = text.indexOf("\n---", at + 4);
  return at;
}

/** A directive (`%YAML 1.1`) belongs to the document after the next `---`. */
function endsInDirective(piece: string): boolean {
  const at = piece.startsWith("%") ? 0 : piece.indexOf("\n%") + 1;
  if (piece.charCodeAt(at) !== 37) return false;
  return piece
    .slice(at)
    .split("\n")
    .every((line) => /^(?:%.*|\s*|\s*#.*)$/.test(line));
}

/**
 * Splits a stream into documents, which together are the whole text. A byte order mark belongs to none. What precedes the first
 * `---` may be empty.
 */
export function splitDocuments(text: string): readonly Span[] {
  const pieces: Span[] = [];
  let start = text.charCodeAt(0) === 0xfe_ff ? 1 : 0;
  let from = start;
  // Checked once for the whole stream, because hardly any has directives.
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
