import { type CodeTable, tabulate, wordSigns } from "./code-table.ts";
import { findDoubleEnd, findSingleEnd } from "./scan-quoted.ts";

const wordCodes = tabulate(`${wordSigns}$`);
/** Characters inside of a word, not at its start. */
const innerCodes = tabulate(`${wordSigns}$-+=@%~`);

const mostDeep = 20;

function skipBlanks(text: string, at: number, stop: number): number {
  let here = at;
  while (here < stop && text.charCodeAt(here) === 32) here++;
  return here;
}

function isOf(codes: CodeTable, code: number): boolean {
  return code < 128 && codes[code] === 1;
}

function findWordEnd(text: string, at: number, stop: number): number {
  if (at >= stop || !isOf(wordCodes, text.charCodeAt(at))) return -1;
  let here = at + 1;
  while (here < stop && isOf(innerCodes, text.charCodeAt(here))) here++;
  return here;
}

function findNodeEnd(text: string, at: number, stop: number, depth: number): number {
  switch (text.charCodeAt(at)) {
    case 34:
      return findDoubleEnd(text, at, stop);
    case 39:
      return findSingleEnd(text, at, stop);
    case 91:
    case 123:
      return depth >= mostDeep ? -1 : findFlowEnd(text, at, stop, depth + 1);
    default:
      return findWordEnd(text, at, stop);
  }
}

/** A pair `word: node` with the colon directly after the word and a blank after it. */
function findPairEnd(text: string, at: number, stop: number, depth: number): number {
  const colon = findWordEnd(text, at, stop);
  if (colon === -1 || text.charCodeAt(colon) !== 58 || text.charCodeAt(colon + 1) !== 32) return -1;
  const value = skipBlanks(text, colon + 1, stop);
  return value >= stop ? -1 : findNodeEnd(text, value, stop, depth);
}

/** The offset after the `]` or `}` of a one-line collection of words, strings and the like; -1 for anything else. */
export function findFlowEnd(text: string, at: number, stop: number, depth = 0): number {
  const isMap = text.charCodeAt(at) === 123;
  const close = isMap ? 125 : 93;
  let here = skipBlanks(text, at + 1, stop);
  if (isNext(text, here, stop, close)) return here + 1;
  while (here < stop) {
    const end = isMap ? findPairEnd(text, here, stop, depth) : findNodeEnd(text, here, stop, depth);
    if (end === -1) return -1;
    here = skipBlanks(text, end, stop);
    if (isNext(text, here, stop, close)) return here + 1;
    if (!isNext(text, here, stop, 44)) return -1;
    here = skipBlanks(text, here + 1, stop);
  }
  return -1;
}

function isNext(text: string, at: number, stop: number, code: number): boolean {
  return at < stop && text.charCodeAt(at) === code;
}
