import type { LedgerLine, LedgerLog } from "./ledger-log.ts";
import { mostCommits } from "./ledger-log.ts";
import { printTime, type TimeOptions } from "../print-time.ts";
import { wrapText } from "../wrap-text.ts";

/** Which transitions are asked for. */
export interface HistoryFilter {
  /** Every transition that names one of these: a run's id, or a campaign with the ids of its runs. */
  readonly names?: readonly string[];
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

/** A name within another one is another campaign's. */
function hasName(sentence: string, name: string): boolean {
  const at = sentence.indexOf(name);
  const [before = "", after = ""] = [sentence[at - 1], sentence[at + name.length]];
  if (at < 0) return false;
  return (!/[\w-]/u.test(before) && !/[\w-]/u.test(after)) || hasName(sentence.slice(at + 1), name);
}

function isAsked({ names, since, actor }: HistoryFilter, line: LedgerLine): boolean {
  if (names !== undefined && !names.some((name) => hasName(line.sentence, name))) return false;
  if (since !== undefined && Date.parse(line.at) < since) return false;
  return actor === undefined || line.actor?.toLowerCase() === actor.toLowerCase();
}

/** The newest of what is asked for. */
export function filterHistory({ lines, isCut }: LedgerLog, filter: HistoryFilter): History {
  const asked = lines.filter((line) => isAsked(filter, line));
  return { entries: asked.slice(0, filter.limit), older: Math.max(0, asked.length - filter.limit), isCut };
}

function printEntry({ at, clock, actor, cause, sentence }: LedgerLine, zone: TimeOptions): readonly string[] {
  const time = `${printTime(Date.parse(at), zone)}${clock === "planner" ? "" : " *"}`;
  return [[time, actor ?? "somebody", cause ?? "by hand"].join("  "), ...wrapText(`  ${sentence}`)];
}

/** In a demo the planner's time runs faster than git's: whoever compares two times must know whose they are. */
function printClocks(entries: readonly LedgerLine[]): readonly string[] {
  const foreign = entries.some(({ clock }) => clock === "git");
  if (!foreign) return ["times are of the planner's clock, as in the ledger's records"];
  if (entries.every(({ clock }) => clock === "git")) return ["* times are of git's commits"];
  return ["times are of the planner's clock; * of git's commit, where the record has none"];
}

/** Two lines or more for each transition: when, who and what kind; then the sentence. */
export function printHistory({ entries, older, isCut }: History, zone: TimeOptions): string {
  if (entries.length === 0) return "nothing recorded that matches\n";
  const more = older > 0 ? [`… and ${older} older:  -n ${entries.length + older}, --since 7d`] : [];
  const cut = isCut ? [`what is older than ${mostCommits} transitions was not read:  git log meshroll/ledger`] : [];
  return `${[...entries.flatMap((entry) => printEntry(entry, zone)), ...printClocks(entries), ...more, ...cut].join("\n")}\n`;
}
