import { findDoubleEnd, findSingleEnd, isRestEmpty } from "./scan-quoted.ts";
import { tabulate } from "./code-table.ts";
import { findFlowEnd } from "./scan-flow.ts";

/** What follows `key:` or `- ` on a line, as far as the fast reader understands it. */
export const values = { unknown: 0, scalar: 1, blockScalar: 2, flow: 3 } as const;

/** The kind of value, and the offset after its last character, before a comment. */
export class ValueScan {
  kind: number = values.unknown;
  end = 0;

  #set(kind: number, end: number): number {
    this.kind = kind;
    this.end = end;
    return kind;
  }

  /** Reads the value that starts at `at`; `stop` is the end of its line. What is not certainly plain is `unknown`. */
  read(text: string, at: number, stop: number): number {
    const first = text.charCodeAt(at);
    switch (first) {
      case 34:
        return this.#closed(text, findDoubleEnd(text, at, stop), stop, values.scalar);
      case 39:
        return this.#closed(text, findSingleEnd(text, at, stop), stop, values.scalar);
      case 124:
      case 62:
        return this.#header(text, at, stop);
      case 91:
      case 123:
        return this.#closed(text, findFlowEnd(text, at, stop), stop, values.flow);
      default:
        return isPlainStart(text, first, at, stop) ? this.#plain(text, at, stop) : this.#set(values.unknown, at);
    }
  }

  /** Only blanks and a comment may follow a closing quote or bracket. */
  #closed(text: string, end: number, stop: number, kind: number): number {
    return end !== -1 && isRestEmpty(text, end, stop) ? this.#set(kind, end) : this.#set(values.unknown, stop);
  }

  /** The header of a block scalar without an indentation indicator, which is rare. */
  #header(text: string, at: number, stop: number): number {
    const sign = text.charCodeAt(at + 1);
    const end = at + 1 < stop && (sign === 43 || sign === 45) ? at + 2 : at + 1;
    return isRestEmpty(text, end, stop) ? this.#set(values.blockScalar, end) : this.#set(values.unknown, end);
  }

  /** A plain scalar ends before ` #`; a `: ` in it would be another key. */
  #plain(text: string, at: number, stop: number): number {
    let last = at;
    for (let here = at; here < stop; here++) {
      const code = text.charCodeAt(here);
      if (code >= 128 || notPlain[code] !== 1) last = here;
      else if (code === 35) {
        if (text.charCodeAt(here - 1) === 32) break;
        last = here;
      } else if (code === 9 || (code === 58 && isColon(text, here, stop))) return this.#set(values.unknown, here);
      else if (code === 58) last = here;
    }
    return this.#set(values.scalar, last + 1);
  }
}

/** What may be no part of a plain scalar. */
const notPlain = tabulate(" #:\t");

function isColon(text: string, at: number, stop: number): boolean {
  return at + 1 >= stop || text.charCodeAt(at + 1) === 32;
}

/** No indicator, and no dash, `?` or colon that acts as one. */
function isPlainStart(text: string, first: number, at: number, stop: number): boolean {
  if (first < 128 && indicators[first] === 1) return false;
  if (first !== 45 && first !== 63 && first !== 58) return first > 32;
  return at + 1 < stop && text.charCodeAt(at + 1) > 32;
}

/** `, ] } # & * ! % @` and the backtick. */
const indicators = tabulate(",]}#&*!%@`");
