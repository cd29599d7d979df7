import { cleanLine } from "#libs/input";
import { z } from "zod";

import { commitId, instant, line, matchJson } from "../forms.ts";
import type { LedgerLog } from "./filter-history.ts";
import type { LedgerLine } from "./transition-line.ts";

/** Keys of KV `status` with the ledger's newest transitions: `history.<n>`, and `history.head`, which is written last. */
export const historyKeys = "history.*";
export const historyHeadKey = "history.head";

/** Transitions in one value. A transition's place is counted from the ledger's root, so a new one changes only the last value. */
export const linesInChunk = 100;
/** How many values there are at most: the newest 5,000 transitions. */
export const mostChunks = 50;

/** Below the bus's 1 MiB, bytes. */
const mostBytes = 900 * 1024;

/** How long a sentence and the list of scopes may be; the next ones are for a value that would be too large. */
const cuts = [
  { sentence: 2000, scopes: 50 },
  { sentence: 500, scopes: 10 },
  { sentence: 200, scopes: 2 },
] as const;

/** The ledger's newest transitions, oldest first. */
export interface LedgerEnd {
  /** The ledger's commit. */
  readonly head: string;
  /** All transitions of the ledger; the last of `lines` is the one at `total - 1`. */
  readonly total: number;
  readonly lines: readonly LedgerLine[];
}

/** One value of `history.<n>`, before it is printed. */
interface HistoryChunk {
  readonly key: string;
  /** The last commit in it. A commit's id names all that came before it, so the same one means the same transitions. */
  readonly tip: string;
  readonly lines: readonly LedgerLine[];
}

/** The place of the oldest transition that is published of so many. */
export function findFirst(total: number): number {
  return Math.max(0, Math.ceil(total / linesInChunk) - mostChunks) * linesInChunk;
}

/** The values of the newest transitions, oldest first. */
export function listChunks({ total, lines }: LedgerEnd): readonly HistoryChunk[] {
  const first = findFirst(total);
  const shown = lines.slice(Math.max(0, lines.length - (total - first)));
  return Array.from({ length: Math.ceil((total - first) / linesInChunk) }, (_, at) => {
    const some = shown.slice(at * linesInChunk, (at + 1) * linesInChunk);
    return { key: `history.${first / linesInChunk + at}`, tip: some.at(-1)?.commit ?? "", lines: some };
  });
}

function cutLine(entry: LedgerLine, { sentence, scopes }: (typeof cuts)[number]): LedgerLine {
  const { actor, cause } = entry;
  return {
    commit: entry.commit,
    at: entry.at,
    clock: entry.clock,
    sentence: cleanLine(entry.sentence, sentence),
    about: entry.about.slice(0, scopes).map((scope) => cleanLine(scope)),
    ...(actor === undefined ? {} : { actor: cleanLine(actor, 200) }),
    ...(cause === undefined ? {} : { cause: cleanLine(cause, 100) }),
  };
}

/** The text of one value, cut to what the bus takes: a commit that was made by hand may say anything. */
export function printChunk({ lines }: Pick<HistoryChunk, "lines">): string {
  let text = "";
  for (const cut of cuts) {
    text = JSON.stringify({ entries: lines.map((each) => cutLine(each, cut)) });
    if (new TextEncoder().encode(text).length < mostBytes) break;
  }
  return text;
}

/** The value of `history.head` for these values. */
export function printHistoryHead({ head, total }: Pick<LedgerEnd, "head" | "total">, tips: readonly string[]): string {
  return JSON.stringify({ version: 1, stamp: head, total, first: findFirst(total), tips });
}

const entries = z
  .array(
    z.object({
      commit: commitId,
      at: instant,
      clock: z.enum(["planner", "git"]),
      sentence: line(2000),
      about: z.array(line(300)).max(50),
      actor: line(200).exactOptional(),
      cause: line(100).exactOptional(),
    }),
  )
  .max(linesInChunk);
const chunk = z.object({ entries });

const head = z
  .object({
    version: z.literal(1),
    stamp: commitId,
    total: z.int().min(1),
    first: z.int().min(0),
    tips: z.array(commitId).min(1).max(mostChunks),
  })
  .refine(
    ({ total, first, tips }) =>
      first % linesInChunk === 0 && Math.ceil((total - first) / linesInChunk) === tips.length && first < total,
  );

/** The newest transitions with the ledger's commit that they end with. */
export interface StampedLog extends LedgerLog {
  readonly stamp: string;
}

/**
 * Assembles the history from values that arrive one by one; it is complete when the head and all values that it names are there.
 * Until then it is the earlier one.
 */
export class HistoryFold {
  readonly #chunks = new Map<string, readonly LedgerLine[]>();
  #head: z.infer<typeof head> | undefined;
  #whole: StampedLog | undefined;

  /** True when a newer history is complete. */
  apply(key: string, value: string): boolean {
    if (key === historyHeadKey) this.#head = matchJson(head, value) ?? this.#head;
    else {
      const read = matchJson(chunk, value);
      if (read !== undefined) this.#chunks.set(key, read.entries);
    }
    return this.#complete();
  }

  #complete(): boolean {
    if (this.#head === undefined || this.#head.stamp === this.#whole?.stamp) return false;
    const { stamp, total, first, tips } = this.#head;
    const keys = tips.map((_, at) => `history.${first / linesInChunk + at}`);
    const found = keys.map((key) => this.#chunks.get(key) ?? []);
    // Of a ledger that was set back, or of an earlier moment: that value is still to come.
    if (!found.every((lines, at) => lines.at(-1)?.commit === tips[at])) return false;
    const lines = found.flat();
    if (lines.length !== total - first) return false;
    this.#whole = { stamp, lines: lines.toReversed(), isCut: first > 0 };
    for (const key of this.#chunks.keys()) if (!keys.includes(key)) this.#chunks.delete(key);
    return true;
  }

  /** The newest complete history. */
  log(): StampedLog | undefined {
    return this.#whole;
  }
}
