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

/** A table, and the titles of the columns that the terminal has no room for. */
export interface FittedTable {
  readonly lines: readonly string[];
  readonly hidden: readonly string[];
}

export interface TableRoom {
  /** Columns of the terminal; infinite in a pipe. */
  readonly width: number;
  /** Titles of columns that a narrow terminal goes without, the least important first. */
  readonly spare?: readonly string[];
}

/** Of `spare` as many, from its begin, as have to go so that the row fits. */
function chooseHidden(header: readonly string[], widths: readonly number[], room: TableRoom): readonly string[] {
  const { width, spare = [] } = room;
  const measureWithout = (hidden: readonly string[]): number =>
    sum(widths.filter((_, column) => !hidden.includes(header[column] ?? "")));
  const present = spare.filter((title) => header.includes(title));
  const enough = [...present.keys()].find((count) => measureWithout(present.slice(0, count)) <= width);
  return present.slice(0, enough ?? present.length);
}

/**
 * Columns as in kubectl: titles in capitals, NAME first, no blanks in our cells. No cell is cut: where a row is wider than the
 * terminal, whole columns are left out, the least important first; where that is not enough, the longest cells of the others
 * continue on the next line.
 */
export function fitTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  room: TableRoom,
): FittedTable {
  const whole = measureColumns(header, rows, measure);
  const hidden = chooseHidden(header, whole, room);
  const pick = <T>(cells: readonly T[]): readonly T[] =>
    hidden.length === 0 ? cells : cells.filter((_, column) => !hidden.includes(header[column] ?? ""));
  const [titles, shown, natural] = [pick(header), rows.map(pick), pick(whole)];
  const isFitting = sum(natural) <= room.width;
  const widths = isFitting ? natural : narrow(natural, measureColumns(titles, shown, measurePiece), room.width);
  return { lines: [titles, ...shown].flatMap((row) => printRow(row, widths)), hidden };
}

/** The same without a list of columns that may go: all are shown. */
export function printTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number = columns,
): readonly string[] {
  return fitTable(header, rows, { width }).lines;
}
