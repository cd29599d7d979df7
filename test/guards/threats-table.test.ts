import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { listFiles } from "../../scripts/guards/list-files.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Rows of all tables whose last column is "shown by": what the first one names, and the test titles in backticks. */
function readRows(page: string): readonly { readonly attempt: string; readonly tests: readonly string[] }[] {
  const lines = page.split("\n").filter((line) => line.startsWith("|"));
  const cells = lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const rows = cells.filter(([first = ""]) => first !== "attempt" && first !== "value" && !/^-+$/.test(first));
  return rows.map((row) => ({
    attempt: row[0] ?? "",
    tests: [...(row.at(-1) ?? "").matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ""),
  }));
}

/** The tables of attempts only: the one before them says who is trusted. */
function readAttempts(page: string): ReturnType<typeof readRows> {
  return readRows(page.slice(page.indexOf("## A writer")));
}

/** What is wrong with each row: no test named, or a title that no test file has. */
function findUnproven(rows: ReturnType<typeof readRows>, sources: readonly string[]): readonly string[] {
  return rows.flatMap(({ attempt, tests }) => {
    const unknown = tests.filter((test) => !sources.some((text) => text.includes(test)));
    return [
      ...(tests.length === 0 ? [`${attempt}: no test is named`] : []),
      ...unknown.map((test) => `${attempt}: no test has the title ${test}`),
    ];
  });
}

describe.each([
  ["docs/explanation/threats.md", readAttempts],
  ["docs/explanation/what-a-process-remembers.md", readRows],
])("%s", (path, read) => {
  it("names only tests that there are", () => {
    // Conformance suites, the auditor's planted breaches and the moments of restarts give their tests the names that they have there.
    const named = [/^test\/auditor\/plant\/.+\.ts$/, /^test\/flow\/restarts\/[^/]+\.ts$/];
    const places = [/\.test\.ts$/, /\/conformance[^.]*\.ts$/, ...named];
    const files = listFiles(root).filter((file) => places.some((place) => place.test(file)));
    const sources = files.map((file) => readFileSync(`${root}/${file}`, "utf8"));
    const rows = read(readFileSync(`${root}/${path}`, "utf8"));
    expect(rows).not.toEqual([]);
    expect(findUnproven(rows, sources)).toEqual([]);
  });
});

/** Values that a list of plays names, each in `value` or `also`. */
function listPlayed(source: string): readonly string[] {
  return [...source.matchAll(/\b(?:value|also): "((?:[^"\\]|\\.)+)"/g)].map((match) => match[1] ?? "");
}

/** Rows that say that they are played and are not, and plays of no row. */
function findUnplayed(rows: ReturnType<typeof readRows>, played: readonly string[]): readonly string[] {
  const said = rows.filter(({ tests }) => tests.some((test) => test.startsWith("$value: ")));
  return [
    ...said.filter(({ attempt }) => !played.includes(attempt)).map(({ attempt }) => `${attempt}: is not played`),
    ...played.filter((value) => !said.some(({ attempt }) => attempt === value)).map((value) => `${value}: is no row`),
  ];
}

describe("plays of what a process remembers", () => {
  it("are of the rows that name them, each of them", () => {
    const files = listFiles(root).filter((file) =>
      /\/(?:test-)?memory-rows(?:\.test)?\.ts$|\/rollback\/killed-planners\.test\.ts$/.test(file),
    );
    const played = files.flatMap((file) => listPlayed(readFileSync(`${root}/${file}`, "utf8")));
    const rows = readRows(readFileSync(`${root}/docs/explanation/what-a-process-remembers.md`, "utf8"));
    expect(played.length).toBeGreaterThan(20);
    expect(findUnplayed(rows, played)).toEqual([]);
  });

  const row = (attempt: string, ...tests: readonly string[]) => ({ attempt, tests });
  const cases = [
    { name: "a row that is played", rows: [row("x", "$value: the same")], source: 'value: "x"', want: [] },
    {
      name: "two rows in one play",
      rows: [row("x", "$value: a"), row("y", "$value: a")],
      source: 'value: "x", also: "y"',
      want: [],
    },
    { name: "a row that is not", rows: [row("x", "$value: the same")], source: "", want: ["x: is not played"] },
    { name: "a row with tests of its own", rows: [row("x", "a title")], source: "", want: [] },
    { name: "a play of no row", rows: [row("x", "a title")], source: 'value: "z"', want: ["z: is no row"] },
  ];

  it.each(cases)("finds $name: $want", ({ rows, source, want }) => {
    expect(findUnplayed(rows, listPlayed(source))).toEqual(want);
  });
});

describe("a row that no test proves is found", () => {
  const table = (tests: string): string =>
    `## A writer\n\n| attempt | what holds | shown by |\n| --- | --- | --- |\n| x | y | ${tests} |\n`;
  const cases = [
    { name: "a title that exists", tests: "`a title`", want: [] },
    { name: "a title that does not", tests: "`other`", want: ["x: no test has the title other"] },
    { name: "no title", tests: "", want: ["x: no test is named"] },
  ];

  it.each(cases)("$name", ({ tests, want }) => {
    expect(findUnproven(readAttempts(table(tests)), ['it("a title", () => {});'])).toEqual(want);
  });
});
