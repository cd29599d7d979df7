import type { LedgerLine, LedgerLog } from "./ledger-log.ts";
import { mostCommits } from "./ledger-log.ts";
import type { UnsignedMark } from "../../ledger/mark-unsigned.ts";
import { printTime, type TimeOptions } from "../../text/print-time.ts";
import { chooseProse, wrapSentences, wrapText } from "../../text/wrap-text.ts";
import type { Caller } from "../../terminal/called-as.ts";

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

/** `unsigned`: where main says who signs the ledger, and none of them signed it. */
export interface HistoryEntry extends LedgerLine {
  readonly unsigned?: UnsignedMark;
}

export interface History {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** The number of matching ones that were left out. */
  readonly older: number;
  /** There are older commits that were not read. */
  readonly isCut: boolean;
}

function isAsked({ scope, since, actor }: HistoryFilter, line: LedgerLine): boolean {
  if (scope !== undefined && !line.about.includes(scope)) return false;
  if (since !== undefined && Date.parse(line.at) < since) return false;
  return actor === undefined || line.actor?.toLowerCase() === actor.toLowerCase();
}

/** The newest of the requested ones. */
export function filterHistory({ lines, isCut }: LedgerLog, filter: HistoryFilter): History {
  const asked = lines.filter((line) => isAsked(filter, line));
  return { entries: asked.slice(0, filter.limit), older: Math.max(0, asked.length - filter.limit), isCut };
}

/** The same entries, with what is not signed. */
export function withMarks(history: History, marks: ReadonlyMap<string, UnsignedMark>): History {
  const entries = history.entries.map((entry) => {
    const unsigned = marks.get(entry.commit);
    return unsigned === undefined ? entry : { ...entry, unsigned };
  });
  return { ...history, entries };
}

function printEntry(entry: HistoryEntry, zone: TimeOptions, width: number): readonly string[] {
  const { at, clock, actor, cause, sentence, commit, unsigned } = entry;
  const time = `${printTime(Date.parse(at), zone)}${clock === "planner" ? "" : " *"}`;
  const mark =
    unsigned === undefined ? [] : wrapText(`  ! ${commit.slice(0, 12)} is not signed: ${unsigned.why}`, width);
  return [[time, actor ?? "unknown", cause ?? "by hand"].join("  "), ...mark, ...wrapText(`  ${sentence}`, width)];
}

/** A signed commit on top of one vouches for the files, and not for what this one says of itself. */
function printUnsigned(entries: readonly HistoryEntry[], caller: Caller): readonly string[] {
  const count = entries.filter(({ unsigned }) => unsigned !== undefined).length;
  if (count === 0) return [];
  const what = count === 1 ? "1 commit is" : `${count} commits are`;
  return wrapSentences(
    [
      [
        `! ${what} signed by no key of ledger.signers: anyone may have written it:  `,
        { command: "meshroll ledger check" },
      ],
    ],
    caller,
  );
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
  caller: Caller,
): string {
  if (entries.length === 0) return "nothing recorded that matches\n";
  const more = older > 0 ? [`… and ${older} older:  -n ${entries.length + older}, --since 7d`] : [];
  const cut = isCut ? [`what is older than ${mostCommits} transitions was not read:  git log meshroll/ledger`] : [];
  const lines = entries.flatMap((entry) => printEntry(entry, zone, chooseProse(width)));
  return `${[...lines, ...printClocks(entries), ...printUnsigned(entries, caller), ...more, ...cut].join("\n")}\n`;
}
