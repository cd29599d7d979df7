/** A place in a file as Stryker counts it inside: lines and columns from 0. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** One change of one place of one file. */
export interface Mutant {
  /** Path from the root. */
  readonly file: string;
  readonly start: Place;
  readonly end: Place;
  /** Stryker's name for the kind of change. */
  readonly kind: string;
  readonly replacement: string;
}

/** What tells a mutant from all others, in this process and in those that Stryker starts. */
export function nameMutant({ file, start, end, replacement }: Omit<Mutant, "kind">): string {
  return JSON.stringify([file, start.line, start.column, end.line, end.column, replacement]);
}

/** Where `place` is in a text of these lines. */
function findOffset(lines: readonly string[], place: Place): number {
  return lines.slice(0, place.line).reduce((sum, line) => sum + line.length + 1, place.column);
}

/** The text that a mutant takes away. */
export function readOriginal(text: string, { start, end }: Mutant): string {
  const lines = text.split("\n");
  return text.slice(findOffset(lines, start), findOffset(lines, end));
}

/** The file's text with the mutant in it. */
export function applyMutant(text: string, mutant: Mutant): string {
  const lines = text.split("\n");
  return (
    text.slice(0, findOffset(lines, mutant.start)) + mutant.replacement + text.slice(findOffset(lines, mutant.end))
  );
}
