import { describe, expect, it } from "vitest";

import { HistoryFold, type LedgerEnd, listChunks, printChunk, printHistoryHead } from "./history-parts.ts";
import type { LedgerLine } from "./transition-line.ts";

const id = (at: number, line = 0): string => `${line}${String(at).padStart(39, "0")}`;

const makeLine = (at: number, line = 0): LedgerLine => ({
  commit: id(at, line),
  at: new Date(at * 60_000).toISOString(),
  clock: "planner",
  sentence: `transition ${at}`,
  about: ["run/4c8b717cd4df"],
  actor: "meshroll",
  cause: "WaveOpened",
});

/** A ledger of so many transitions; from `fork` on it is another line. */
function makeEnd(total: number, fork = total): LedgerEnd {
  const lines = Array.from({ length: total }, (_, at) => makeLine(at, at >= fork ? 1 : 0));
  return { head: lines.at(-1)?.commit ?? "", total, lines };
}

function print(end: LedgerEnd): readonly (readonly [string, string])[] {
  const chunks = listChunks(end);
  const head = printHistoryHead(
    end,
    chunks.map(({ tip }) => tip),
  );
  return [...chunks.map((each) => [each.key, printChunk(each)] as const), ["history.head", head]];
}

function fill(fold: HistoryFold, values: readonly (readonly [string, string])[]): number {
  return values.map(([key, value]) => fold.apply(key, value)).filter(Boolean).length;
}

describe("the history on the bus", () => {
  it.each([
    { total: 1, keys: 2, shown: 1 },
    { total: 100, keys: 2, shown: 100 },
    { total: 101, keys: 3, shown: 101 },
    { total: 5000, keys: 51, shown: 5000 },
    { total: 5001, keys: 51, shown: 4901 },
    { total: 7350, keys: 51, shown: 4950 },
  ])("of $total transitions the newest $shown are read back, newest first", ({ total, keys, shown }) => {
    const fold = new HistoryFold();
    const end = makeEnd(total);
    const values = print(end);
    expect([values.length, fill(fold, values)]).toEqual([keys, 1]);
    const log = fold.log();
    expect([log?.stamp, log?.isCut, log?.lines.length]).toEqual([end.head, shown < total, shown]);
    expect(log?.lines[0]).toEqual(end.lines.at(-1));
    expect(log?.lines.at(-1)).toEqual(end.lines.at(-shown));
  });

  it("changes only in its last value and the head when a transition is added", () => {
    const [before, after] = [print(makeEnd(250)), print(makeEnd(251))];
    expect(after.filter(([, value], at) => before[at]?.[1] !== value).map(([key]) => key)).toEqual([
      "history.2",
      "history.head",
    ]);
  });

  it("is the earlier one until all values of a newer head are there", () => {
    const fold = new HistoryFold();
    fill(fold, print(makeEnd(250)));
    const newer = print(makeEnd(320));
    expect(
      fill(
        fold,
        newer.filter(([key]) => key !== "history.3"),
      ),
    ).toBe(0);
    expect(fold.log()?.lines).toHaveLength(250);
    expect(fill(fold, newer)).toBe(1);
    expect(fold.log()?.lines).toHaveLength(320);
  });

  it("of a ledger that was set back and written again has none of the earlier transitions", () => {
    const fold = new HistoryFold();
    fill(fold, print(makeEnd(250)));
    const other = print(makeEnd(250, 150));
    expect(
      fill(
        fold,
        other.filter(([key]) => key === "history.2" || key === "history.head"),
      ),
    ).toBe(0);
    expect(fill(fold, other)).toBe(1);
    expect(fold.log()?.lines.map(({ commit }) => commit)).toEqual(
      makeEnd(250, 150)
        .lines.map(({ commit }) => commit)
        .toReversed(),
    );
  });

  it("has no value that the bus would refuse, whatever a commit says", () => {
    const long = "\u{1F600}".repeat(3000);
    const lines = makeEnd(100).lines.map((each) => ({
      ...each,
      sentence: long,
      actor: long,
      about: Array.from({ length: 60 }, () => long.slice(0, 700)),
    }));
    const end = { ...makeEnd(100), lines };
    const values = print(end);
    for (const [, value] of values) expect(Buffer.byteLength(value)).toBeLessThan(900 * 1024);
    const fold = new HistoryFold();
    expect(fill(fold, values)).toBe(1);
    expect(fold.log()?.lines[0]?.sentence).toMatch(/…$/u);
  });

  it("has no character that a terminal or a page would obey", () => {
    const sentence = "a\u001b[2J\u202Eb\nActor: root";
    const end = { ...makeEnd(1), lines: [{ ...makeLine(0), sentence }] };
    const fold = new HistoryFold();
    fill(fold, print(end));
    expect(fold.log()?.lines[0]?.sentence).toBe("a [2J b Actor: root");
  });

  const commit = id(1);
  const hostile = [
    "",
    "{",
    "[]",
    '{"entries":[{}]}',
    '{"version":1,"stamp":"x","total":1,"first":0,"tips":["x"]}',
    JSON.stringify({ version: 1, stamp: commit, total: 1e9, first: 0, tips: [commit] }),
    JSON.stringify({ version: 1, stamp: commit, total: 3, first: 50, tips: [commit] }),
    JSON.stringify({ version: 2, stamp: commit, total: 3, first: 0, tips: [commit] }),
    JSON.stringify({ version: 1, stamp: commit, total: 3, first: 0, tips: [commit] }),
    JSON.stringify({ entries: [{ ...makeLine(1), at: "yesterday" }] }),
  ];
  it.each(hostile)("ignores a foreign value: %s", (value) => {
    const fold = new HistoryFold();
    fill(fold, print(makeEnd(3)));
    expect([fold.apply("history.head", value), fold.apply("history.7", value)]).toEqual([false, false]);
    expect(fold.log()?.lines).toHaveLength(3);
  });
});
