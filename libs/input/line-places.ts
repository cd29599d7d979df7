/** Offsets (UTF-16) at which lines begin; a byte order mark belongs to no line. */
export type Lines = readonly number[];

/** Line starts, in one pass. */
export function indexLines(text: string): Lines {
  const starts = [text.startsWith("\uFEFF") ? 1 : 0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Line and column of an offset, both from 1, columns in UTF-16 units; one before the first line counts as its start. */
export function locateOffset(lines: Lines, at: number): { readonly line: number; readonly column: number } {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(0, at - (lines[low] ?? 0)) + 1 };
}

/** The line ending whose `\n` is at this offset; `\n` where there is none (-1). */
export function readLineEnding(text: string, newline: number): "\n" | "\r\n" {
  return newline > 0 && text[newline - 1] === "\r" ? "\r\n" : "\n";
}
