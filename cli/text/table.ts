import { columns } from "./wrap-text.ts";

/** Blanks between two columns. */
const gap = 2;

function measure(text: string): number {
  return Array.from(text).length;
}

/** Cells may be broken after these, so that names stay whole. */
const breaks = /(?<=[ /,+@])/u;

/** Cells up to this length are one word: a count such as 12/29, a time, an id. */
const oneWord = 12;

/** A longer piece is broken at the column's end. */
const longestPiece = 24;

function splitCell(cell: string): readonly string[] {
  if (measure(cell) <= oneWord) return [cell];
  return cell.split(breaks).flatMap((piece) => {
    const letters = Array.from(piece);
    const parts = Math.ceil(letters.length / longestPiece);
    return Array.from({ length: parts }, (_, at) => letters.slice(at * longestPiece, (at + 1) * longestPiece).join(""));
  });
}

/** Length of its longest piece. */
function measurePiece(cell: string): number {
  return Math.max(0, ...splitCell(cell).map((piece) => measure(piece.trimEnd())));
}

/** The widest cell of each column, by the given measure. */
function measureColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  of: (cell: string) => number,
): readonly number[] {
  // Without a spread: a fleet has more rows than a call takes arguments.
  return header.map((title, column) =>
    rows.reduce((most, row) => Math.max(most, of(row[column] ?? "")), measure(title)),
  );
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, each) => total + each, 0) + gap * (widths.length - 1);
}

/**
 * Narrows the widest columns until the row fits, of equal ones the last, the name last of all; none below its title or its
 * longest piece.
 */
function narrow(widths: readonly number[], least: readonly number[], width: number): readonly number[] {
  const fitted = [...widths];
  for (;;) {
    const total = sum(fitted);
    if (total <= width) return fitted;
    const spare = fitted.map((each, column) => each - (least[column] ?? 0));
    const others = Math.max(0, ...spare.slice(1));
    const widest = others > 0 ? spare.lastIndexOf(others) : 0;
    if ((spare[widest] ?? 0) <= 0) return fitted;
    fitted[widest] = (fitted[widest] ?? 0) - Math.min(spare[widest] ?? 0, total - width);
  }
}

/** A cell as lines of at most `width` letters; a longer piece has a line of its own. */
function breakCell(cell: string, width: number): readonly string[] {
  if (measure(cell) <= width) return [cell];
  const lines: string[] = [];
  let line = "";
  for (const piece of splitCell(cell)) {
    if (line !== "" && measure(line + piece.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = piece;
    } else line += piece;
  }
  return [...lines, line.trimEnd()];
}

function printRow(row: readonly string[], widths: readonly number[]): readonly string[] {
  const cells = row.map((cell, column) => breakCell(cell, widths[column] ?? 0));
  const height = Math.max(1, ...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, at) =>
    cells
      .map((lines, column) => {
        const text = lines[at] ?? "";
        return text + " ".repeat(Math.max(0, (widths[column] ?? 0) - measure(text)));
      })
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}

/**
 * Columns as in kubectl: titles in capitals, NAME first, no blanks in our cells. Nothing is cut: where a row is wider than
 * `width`, its longest cells continue on the next line. Without a width (`-o wide`, or a pipe) each row is one line.
 */
export function printTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number = columns,
): readonly string[] {
  const whole = measureColumns(header, rows, measure);
  const isFitting = sum(whole) <= width;
  const widths = isFitting ? whole : narrow(whole, measureColumns(header, rows, measurePiece), width);
  return [header, ...rows].flatMap((row) => printRow(row, widths));
}
