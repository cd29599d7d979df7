import { tabulate } from "./code-table.ts";

/** Escapes of a double-quoted scalar that stand for one character each; others are left to the library. */
const simpleEscapes = tabulate('"\\/bfnrt0');

/** The offset after the closing quote of the scalar that opens at `at`; -1 where the line has none. */
export function findDoubleEnd(text: string, at: number, stop: number): number {
  for (let here = at + 1; here < stop; here++) {
    const code = text.charCodeAt(here);
    if (code === 34) return here + 1;
    if (code !== 92) continue;
    here++;
    const escaped = here < stop ? text.charCodeAt(here) : 0;
    if (escaped >= 128 || simpleEscapes[escaped] !== 1) return -1;
  }
  return -1;
}

/** The same for single quotes, in which `''` is a quote. */
export function findSingleEnd(text: string, at: number, stop: number): number {
  for (let here = at + 1; here < stop; here++) {
    if (text.charCodeAt(here) !== 39) continue;
    if (here + 1 >= stop || text.charCodeAt(here + 1) !== 39) return here + 1;
    here++;
  }
  return -1;
}

/** Whether only blanks, and perhaps a comment, are left on the line. */
export function isRestEmpty(text: string, at: number, stop: number): boolean {
  let here = at;
  while (here < stop && text.charCodeAt(here) === 32) here++;
  return here >= stop || (here > at && text.charCodeAt(here) === 35);
}

const isNull = /^(?:~|null|Null|NULL)$/;

/** The value of a scalar, by its quotes; null is the empty text. Only escapes that `findDoubleEnd` accepts occur. */
export function readScalarText(raw: string): string {
  if (isNull.test(raw)) return "";
  if (raw.startsWith("'")) return raw.slice(1, -1).replaceAll("''", "'");
  if (!raw.startsWith('"')) return raw;
  if (!raw.includes("\\")) return raw.slice(1, -1);
  return JSON.parse(raw.replaceAll("\\0", "\\u0000")) as string;
}
