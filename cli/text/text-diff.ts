/** Larger comparisons are shown as all lines removed and all lines added. */
const mostCells = 4_000_000;

/** Lengths of the longest common subsequences of all suffixes. */
function measure(old: readonly string[], now: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const [row, below] = [rows[i], rows[i + 1]];
    if (row === undefined || below === undefined) continue;
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const longest = Math.max(below[j] ?? 0, row[j + 1] ?? 0);
      row[j] = old[i] === now[j] ? (below[j + 1] ?? 0) + 1 : longest;
    }
  }
  return rows;
}

/** Whether the next line is in both texts, removed or added. */
function judgeLine(old: readonly string[], now: readonly string[], rows: readonly Uint32Array[], i: number, j: number) {
  if (i >= old.length) return "new";
  if (j >= now.length) return "gone";
  if (old[i] === now[j]) return "same";
  return (rows[i + 1]?.[j] ?? 0) >= (rows[i]?.[j + 1] ?? 0) ? "gone" : "new";
}

/** Walks both texts by these lengths. */
function walk(old: readonly string[], now: readonly string[], rows: readonly Uint32Array[]): readonly string[] {
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const kind = judgeLine(old, now, rows, i, j);
    if (kind === "gone") lines.push(`-${old[i] ?? ""}`);
    if (kind === "new") lines.push(`+${now[j] ?? ""}`);
    if (kind !== "new") i += 1;
    if (kind !== "gone") j += 1;
  }
  return lines;
}

/** The lines that differ: `-` removed, `+` added. */
export function diffText(before: string, after: string): readonly string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  if (old.length * now.length > mostCells) return [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  return walk(old, now, measure(old, now));
}
