import type { LedgerLine, LedgerLog } from "./ledger-log.ts";
import { mostCommits } from "./ledger-log.ts";
import { printTime, type TimeOptions } from "./print-time.ts";
import { wrapText } from "./wrap-text.ts";

/** Which transitions are asked for. */
export interface HistoryFilter {
  /** A run's id: every transition that names it. */
  readonly run?: string;
  /** Epoch ms. */
  readonly since?: number;
  readonly actor?: string;
  /** At most so many, the newest. */
  readonly limit: number;
}

export interface History {
  /** Newest first. */
  readonly entries: readonly LedgerLine[];
  /** How many matched and are not among them. */
  readonly older: number;
  /** Commits behind the last one that was looked at exist. */
  readonly isCut: boolean;
}

function isAsked({ run, since, actor }: HistoryFilter, line: LedgerLine): boolean {
  if (run !== undefined && !line.sentence.includes(run)) return false;
  if (since !== undefined && Date.parse(line.at) < since) return false;
  return actor === undefined || line.actor?.toLowerCase() === actor.toLowerCase();
}

/** The newest of what is asked for. */
export function filterHistory({ lines, isCut }: LedgerLog, filter: HistoryFilter): History {
  const asked = lines.filter((line) => isAsked(filter, line));
  return { entries: asked.slice(0, filter.limit), older: Math.max(0, asked.length - filter.limit), isCut };
}

function printEntry({ at, actor, cause, sentence }: LedgerLine, zone: TimeOptions): readonly string[] {
  const head = [printTime(Date.parse(at), zone), actor ?? "somebody", cause ?? "by hand"].join("  ");
  return [head, ...wrapText(`  ${sentence}`)];
}

/** Two lines or more for each transition: when, who and what kind; then the sentence. */
export function printHistory({ entries, older, isCut }: History, zone: TimeOptions): string {
  if (entries.length === 0) return "nothing recorded that matches\n";
  const more = older > 0 ? [`… and ${older} older:  -n ${entries.length + older}, --since 7d`] : [];
  const cut = isCut ? [`what is older than ${mostCommits} transitions was not read:  git log meshroll/ledger`] : [];
  return `${[...entries.flatMap((entry) => printEntry(entry, zone)), ...more, ...cut].join("\n")}\n`;
}
