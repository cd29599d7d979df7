import type { Key } from "./keys.ts";

/** Lines of a page: fewer than any terminal shows, so that none is skipped. */
const page = 8;

const steps: Readonly<Partial<Record<Key, number>>> = { up: -1, down: 1, pageUp: -page, pageDown: page };

/** The first line after a key; it is limited when it is drawn. */
export function moveOffset(offset: number, key: Key): number {
  if (key === "top") return 0;
  if (key === "bottom") return Number.MAX_SAFE_INTEGER;
  return Math.max(0, offset + (steps[key] ?? 0));
}

/** The visible part of a list, and its actual offset. */
export interface Part {
  readonly lines: readonly string[];
  readonly offset: number;
}

function countLines(count: number, which: "above" | "more"): string {
  const lines = count === 1 ? "line" : "lines";
  return which === "above" ? `… ${count} ${lines} above` : `… ${count} more ${lines}`;
}

/** At most `rows` lines from the offset on; hidden lines above and below are counted. */
export function cutLines(lines: readonly string[], rows: number, offset = 0): Part {
  if (lines.length <= rows) return { lines, offset: 0 };
  if (rows <= 0) return { lines: [], offset: 0 };
  const last = Math.max(0, lines.length - rows + 1);
  const from = rows < 3 ? 0 : Math.min(offset, last);
  const above = from > 0 ? [countLines(from, "above")] : [];
  const room = rows - above.length;
  const isAtEnd = from > 0 && from >= last;
  const shown = lines.slice(from, from + (isAtEnd ? room : room - 1));
  const below = lines.length - from - shown.length;
  return { lines: [...above, ...shown, ...(below > 0 ? [countLines(below, "more")] : [])], offset: from };
}
