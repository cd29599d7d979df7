import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Mutant, readOriginal } from "./mutant.ts";
import type { Score } from "./score.ts";

/** A piece of code on one line, cut where it is long. */
function shorten(code: string): string {
  const line = code.replaceAll(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 57)}...` : line || "nothing";
}

function printSurvivor(root: string, mutant: Mutant, status: string): string {
  const original = readOriginal(readFileSync(join(root, mutant.file), "utf8"), mutant);
  const place = `${mutant.file}:${mutant.start.line + 1}:${mutant.start.column + 1}`;
  const note = status === "NoCoverage" ? " (no test comes here)" : "";
  return `    ${place}  ${shorten(original)}  ->  ${shorten(mutant.replacement)}${note}`;
}

/** The lines for one lib: its figures, and each change that nobody noticed. */
export function printScore(root: string, lib: string, counts: { all: number; drawn: number }, score: Score): string {
  const counted = score.killed + score.survived.length;
  const left = counts.drawn - counted;
  const head = `${lib.padEnd(10)} ${score.percent.toFixed(1)} %`;
  const figures = `${score.killed} of ${counted} killed; ${counts.all} there are, ${counts.drawn} drawn, ${left} that do not compile`;
  const lines = score.survived
    .toSorted((a, b) =>
      a.mutant.file === b.mutant.file
        ? a.mutant.start.line - b.mutant.start.line
        : a.mutant.file < b.mutant.file
          ? -1
          : 1,
    )
    .map(({ mutant, status }) => printSurvivor(root, mutant, status));
  return [`${head}  ${figures}`, ...lines].join("\n");
}
