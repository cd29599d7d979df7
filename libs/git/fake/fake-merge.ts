/** A range of lines of the base, and what one side put in its place. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

function splitLines(text: string): readonly string[] {
  return text.split(/(?<=\n)/);
}

/** All changes of one side as one hunk: it finds more conflicts than git where a side changed several places, never fewer. */
function findHunk(base: readonly string[], side: readonly string[]): Hunk {
  const most = Math.min(base.length, side.length);
  let start = 0;
  while (start < most && base[start] === side[start]) start += 1;
  let tail = 0;
  while (tail < most - start && base[base.length - 1 - tail] === side[side.length - 1 - tail]) tail += 1;
  return { start, end: base.length - tail, lines: side.slice(start, side.length - tail) };
}

/** Three-way merge of a text: changes that touch or overlap are a conflict (undefined), as in git. */
export function mergeTexts(base: string, ours: string, theirs: string): string | undefined {
  const old = splitLines(base);
  const [mine, other] = [findHunk(old, splitLines(ours)), findHunk(old, splitLines(theirs))];
  const [first, second] = mine.start <= other.start ? [mine, other] : [other, mine];
  if (first.end >= second.start) return undefined;
  return [
    ...old.slice(0, first.start),
    ...first.lines,
    ...old.slice(first.end, second.start),
    ...second.lines,
    ...old.slice(second.end),
  ].join("");
}
