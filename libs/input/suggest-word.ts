/** Edits (insert, delete, replace, swap of neighbours) that turn one word into the other. */
function countEdits(a: string, b: string): number {
  const table: number[][] = [];
  const read = (row: number, column: number): number => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  const fill = (row: number, column: number): number => {
    if (row === 0 || column === 0) return row + column;
    const replaced = read(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
    const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    const swapped = isSwap ? read(row - 2, column - 2) + 1 : replaced;
    return Math.min(read(row - 1, column) + 1, read(row, column - 1) + 1, replaced, swapped);
  };
  for (let row = 0; row <= a.length; row++) {
    const line: number[] = [];
    table.push(line);
    for (let column = 0; column <= b.length; column++) line.push(fill(row, column));
  }
  return read(a.length, b.length);
}

/** Letters only, lower case: `batch_size`, `batch-size` and `BatchSize` are one word to the person who typed it. */
function simplify(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** The one of `known` that was probably meant: at most a third of its letters differ. */
export function suggestWord(word: string, known: readonly string[]): string | undefined {
  // A word far longer than any field is no typo; measuring it would cost its length squared.
  if (word.length > 60) return undefined;
  const ranked = known
    .map((candidate) => ({ candidate, edits: countEdits(simplify(word), simplify(candidate)) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(candidate.length / 3)))
    .toSorted((a, b) => a.edits - b.edits);
  return ranked[0]?.candidate;
}
