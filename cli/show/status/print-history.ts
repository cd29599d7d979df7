import type { LedgerLine, LedgerLog } from "./ledger-log.ts";
import { mostCommits } from "./ledger-log.ts";
import { printTime, type TimeOptions } from "../../text/print-time.ts";
import { chooseProse, wrapText } from "../../text/wrap-text.ts";

/** The requested transitions. */
export interface HistoryFilter {
  /** Only what is about this run or campaign: `run/ID`, `campaign/NAME`. */
  readonly scope?: string;
  /** Epoch ms. */
  readonly since?: number;
  readonly actor?: string;
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

function matchesFilter({ scope, since, actor }: HistoryFilter, line: LedgerLine): boolean {
  if (scope !== undefined && !line.about.includes(scope)) return false;
  if (since !== undefined && Date.parse(line.at) < since) return false;
  return actor === undefined || line.actor?.toLowerCase() === actor.toLowerCase();
}

/** The newest of the requested ones. */
export function filterHistory({ lines, isCut }: LedgerLog, filter: HistoryFilter): History {
  const asked = lines.filter((line) => matchesFilter(filter, line));
  return { entries: asked.slice(0, filter.limit), older: Math.max(0, asked.length - filter.limit), isCut };
}

function printEntry(entry: LedgerLine, zone: TimeOptions, width: number): readonly string[] {
  const { at, clock, actor, cause, sentence } = entry;
  const time = `${printTime(Date.parse(at), zone)}${clock === "planner" ? "" : " *"}`;
  return [[time, actor ?? "unknown", cause ?? "by hand"].join("  "), ...wrapText(`  ${sentence}`, width)];
}

/** In a demo the planner's time runs faster than git's, so the clocks are named. */
function printClocks(entries: readonly LedgerLine[]): readonly string[] {
  const foreign = entries.some(({ clock }) => clock === "git");
  if (!foreign) return ["times are of the planner's clock, as in the ledger's records"];
  if (entries.every(({ clock }) => clock === "git")) return ["* times are of git's commits"];
  return ["times are of the planner's clock; * of git's commit, where the record has none"];
}

/** For each transition: when, who and what kind; then the sentence. */
export function printHistory(
  { entries, older, isCut }: History,
  { width, ...zone }: TimeOptions & { readonly width?: number },
): string {
  if (entries.length === 0) return "nothing recorded that matches\n";
  const more = older > 0 ? [`… and ${older} older:  -n ${entries.length + older}, --since 7d`] : [];
  const cut = isCut ? [`what is older than ${mostCommits} transitions was not read:  git log meshroll/ledger`] : [];
  const lines = entries.flatMap((entry) => printEntry(entry, zone, chooseProse(width)));
  return `${[...lines, ...printClocks(entries), ...more, ...cut].join("\n")}\n`;
}
