import { existsSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { applyEdits, type GuardEdit, guardEdits } from "../integration/faults/guarded/guard-edits.ts";
import { seenGuards } from "../integration/faults/guarded/guards-seen.ts";
import { faults } from "../integration/faults/list.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Row {
  readonly fault: string;
  /** Each test, or case of a table, with its file. */
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

/** Code spans of a cell: a file, and after it what stands in it, up to the next file. */
function readTests(cell: string): Row["tests"] {
  const spans = [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
  let file = "";
  return spans.flatMap((span) => {
    if (!/^\S+\.ts$/.test(span)) return [{ file, title: span }];
    file = span;
    return [];
  });
}

/** The lines of the page's n-th table, without its head. */
function readTable(page: string, nth: number): readonly string[] {
  const tables = page.split(/^<!-- prettier-ignore -->$/m);
  const lines = (tables[nth] ?? "").split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2);
}

/** The rows of the page's first table. */
function readRows(page: string): readonly Row[] {
  const lines = readTable(page, 1);
  return lines.map((line) => {
    const [fault = "", , shown = ""] = line.slice(2, -2).split(" | ");
    return { fault: /\*\*([A-Z]\d+)\*\*/.exec(fault)?.[1] ?? fault, tests: readTests(shown) };
  });
}

/** Rows without a test, and titles that are no whole text of their file. */
function findUnproven(rows: readonly Row[], readFile: (path: string) => string | undefined): readonly string[] {
  return rows.flatMap(({ fault, tests }) => {
    const unknown = tests.flatMap(({ file, title }) => {
      const text = readFile(file);
      if (text === undefined) return [`${fault}: there is no file ${file}`];
      const isMigrated = ['"', "'", "`"].some((quote) => text.includes(quote + title + quote));
      return isMigrated ? [] : [`${fault}: ${file} has no "${title}"`];
    });
    return tests.length === 0 ? [`${fault}: no test is named`] : unknown;
  });
}

describe("docs/explanation/what-is-guarded.md", () => {
  const rows = readRows(readFileSync(`${root}/docs/explanation/what-is-guarded.md`, "utf8"));
  const count = (letter: string, ...numbers: readonly number[]) => numbers.map((number) => `${letter}${number}`);

  it("has a row for each fault that we answer for", () => {
    const want = [
      ...count("T", 1, 2, 3, 6, 7, 9, 10, 11),
      ...count("V", 1, 2, 3, 4, 5, 6, 7, 8, 9),
      ...count("G", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15),
      ...count("O", 1, 2, 3, 4, 5),
      ...count("K", 7),
      ...count("R", 3, 4, 7),
      ...count("N", 5, 7),
      ...count("C", 19),
      ...count("S", 15),
    ];
    expect(rows.map(({ fault }) => fault)).toEqual(want);
  });

  it("names only tests that there are", () => {
    const readFile = (path: string) =>
      existsSync(`${root}/${path}`) ? readFileSync(`${root}/${path}`, "utf8") : undefined;
    expect(findUnproven(rows, readFile)).toEqual([]);
  });
});

describe("guards that a fault notices", () => {
  const page = readFileSync(`${root}/docs/explanation/what-is-guarded.md`, "utf8");
  const rows = readTable(page, 2).map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span));

  it("the page names each, with the fault that fails without it", () => {
    const shown = rows.map((spans) => [spans.at(0), spans.at(-1)]);
    expect(shown).toEqual(seenGuards.map(({ guard, fault }) => [guard, fault]));
  });

  it("each guard that can be switched off has its row", () => {
    const known = seenGuards.map(({ guard }) => guard);
    expect(known.toSorted()).toEqual(Object.keys(guardEdits).toSorted());
  });

  it.each(Object.entries(guardEdits))("%s can be taken out of the source, which is still a program", (_, edits) => {
    const sources = Map.groupBy<string, GuardEdit>(edits, ({ file }) => file);
    for (const [file, ofFile] of sources) {
      const source = applyEdits(readFileSync(`${root}/${file}`, "utf8"), ofFile);
      expect(() => stripTypeScriptTypes(source)).not.toThrow();
    }
  });

  it("an edit that does not fit is a fault of the test, and no guard that holds", () => {
    const edit = { file: "a.ts", find: "check()", replace: "true" };
    expect(() => applyEdits("check(); check();", [edit])).toThrow("a.ts has this not exactly once");
    expect(() => applyEdits("", [edit])).toThrow("a.ts has this not exactly once");
  });

  it("each row names a fault that there is", () => {
    const names = faults.map(({ name }) => name);
    expect(seenGuards.filter(({ fault }) => !names.includes(fault))).toEqual([]);
  });
});

describe("a row that nothing proves is found", () => {
  const head = "<!-- prettier-ignore -->\n| fault | what holds | shown by |\n| --- | --- | --- |\n";
  const cases = [
    { name: "a whole title of its file", cell: "`a.test.ts` `1.1 it holds`", want: [] },
    { name: "a part of a title", cell: "`a.test.ts` `1.1 it`", want: ['X1: a.test.ts has no "1.1 it"'] },
    { name: "a title of another file", cell: "`b.test.ts` `1.1 it holds`", want: ["X1: there is no file b.test.ts"] },
    { name: "nothing", cell: "somewhere", want: ["X1: no test is named"] },
  ];

  it.each(cases)("$name", ({ cell, want }) => {
    const rows = readRows(`${head}| **X1** a fault | it holds | ${cell} |\n`);
    const source = 'test("1.1 it holds", () => {});';
    expect(findUnproven(rows, (path) => (path === "a.test.ts" ? source : undefined))).toEqual(want);
  });
});
