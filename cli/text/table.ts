import { columns, cutText } from "./wrap-text.ts";

/** Between two columns. */
const gap = 2;

function measure(header: readonly string[], rows: readonly (readonly string[])[]): number[] {
  return header.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? "")].map((cell) => Array.from(cell).length)),
  );
}

/**
 * Takes columns from the widest cells until the row fits, of equal ones from the last, and from names only then; none gets
 * narrower than its title or eight letters.
 */
function narrow(widths: readonly number[], header: readonly string[], width: number): readonly number[] {
  const fitted = [...widths];
  const least = header.map((title, column) => Math.min(widths[column] ?? 0, Math.max(title.length, 8)));
  for (;;) {
    const total = fitted.reduce((sum, each) => sum + each, 0) + gap * (fitted.length - 1);
    if (total <= width) return fitted;
    const spare = fitted.map((each, column) => each - (least[column] ?? 0));
    const others = Math.max(0, ...spare.slice(1));
    const widest = others > 0 ? spare.lastIndexOf(others) : 0;
    if ((spare[widest] ?? 0) <= 0) return fitted;
    fitted[widest] = (fitted[widest] ?? 0) - Math.min(spare[widest] ?? 0, total - width);
  }
}

/**
 * Columns as kubectl prints them: titles in capitals, NAME first, no blank within a cell of ours. Cut to `width` columns;
 * without one (`-o wide`, or a pipe) every cell is whole.
 */
export function printTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number = columns,
): readonly string[] {
  const widths = narrow(measure(header, rows), header, width);
  return [header, ...rows].map((row) =>
    row
      .map((cell, column) => {
        const cut = cutText(cell, widths[column] ?? 0);
        return cut + " ".repeat(Math.max(0, (widths[column] ?? 0) - Array.from(cut).length));
      })
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}
