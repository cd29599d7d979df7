import { tabulate, wordSigns } from "./code-table.ts";

const keyCodes = tabulate(`${wordSigns}-`);

/** YAML allows no longer key without a `?`. */
const longestKey = 1000;

function skipKey(text: string, at: number, stop: number): number {
  let here = at;
  while (here < stop) {
    const code = text.charCodeAt(here);
    if (code >= 128 || keyCodes[code] !== 1) return here;
    here++;
  }
  return here;
}

/** Index of the colon of `key: `, or of `key:` at the end of the line; -1 where there is no plain key. */
export function findKeyEnd(text: string, at: number, stop: number): number {
  if (text.charCodeAt(at) === 45) return -1;
  const colon = skipKey(text, at, stop);
  if (colon === at || colon >= stop || colon - at > longestKey || text.charCodeAt(colon) !== 58) return -1;
  return colon + 1 === stop || text.charCodeAt(colon + 1) === 32 ? colon : -1;
}

/** `- ` or `-` at the end of the line. */
export function isDash(text: string, at: number, stop: number): boolean {
  return text.charCodeAt(at) === 45 && (at + 1 === stop || text.charCodeAt(at + 1) === 32);
}

/** The next character that is no blank, or `stop`. */
export function skipBlanks(text: string, at: number, stop: number): number {
  let here = at;
  while (here < stop && text.charCodeAt(here) === 32) here++;
  return here;
}
