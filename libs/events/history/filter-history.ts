import type { LedgerLine } from "./transition-line.ts";

/** The ledger's commits, as far as they were read. */
export interface LedgerLog {
  /** Newest first. */
  readonly lines: readonly LedgerLine[];
  /** There are older commits that were not read. */
  readonly isCut: boolean;
}

/** The requested transitions. */
export interface HistoryFilter {
  /** Only what is about this run, campaign or other scope: `run/ID`, `campaign/NAME`. */
  readonly scope?: string;
  /** Epoch ms, both ends included. */
  readonly since?: number;
  readonly until?: number;
  readonly actor?: string;
  /** Only sentences with these words, in any letters. */
  readonly text?: string;
  /** At most so many, the newest. */
  readonly limit: number;
}

export interface History {
  /** Newest first. */
  readonly entries: readonly LedgerLine[];
  /** The number of matching ones that were left out. */
  readonly older: number;
  /** There are older commits that were not read. */
  readonly isCut: boolean;
}

/** Of one clock there is no order among lines: a person's commit may be dated before an older one. */
function isInTime({ since, until }: HistoryFilter, { at }: LedgerLine): boolean {
  const time = Date.parse(at);
  return (since === undefined || time >= since) && (until === undefined || time <= until);
}

function matchesFilter(filter: HistoryFilter, line: LedgerLine): boolean {
  const { scope, actor, text } = filter;
  if (scope !== undefined && !line.about.includes(scope)) return false;
  if (text !== undefined && !line.sentence.toLowerCase().includes(text.toLowerCase())) return false;
  if (actor !== undefined && line.actor?.toLowerCase() !== actor.toLowerCase()) return false;
  return isInTime(filter, line);
}

/** The newest of the requested ones. */
export function filterHistory({ lines, isCut }: LedgerLog, filter: HistoryFilter): History {
  const asked = lines.filter((line) => matchesFilter(filter, line));
  return { entries: asked.slice(0, filter.limit), older: Math.max(0, asked.length - filter.limit), isCut };
}
