import type { History, LedgerLine } from "#libs/events";

import { mostCommits } from "./ledger-log.ts";
import { printTime, type TimeOptions } from "../../text/print-time.ts";
import { chooseProse, wrapText } from "../../text/wrap-text.ts";

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
