import { writeText } from "#libs/wording";

import type { MovedWorkload, Proposal } from "./proposal.ts";
import { describe, expect, test } from "vitest";

import { fitSummary, printNumber, printPercent, printRisks, printTable } from "./print-tables.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [65_535, "65,535"],
  [1_234_567, "1,234,567"],
])("the number %i reads %s", (value, want) => expect(printNumber(value)).toBe(want));

test.each([
  [1, 3, "33.3"],
  [2, 2, "100.0"],
  [0, 0, "0.0"],
])("%i of %i are %s percent", (count, of, want) => expect(printPercent(count, of)).toBe(want));

test("a table has its first column to the left, and is none without rows", () => {
  expect(printTable(["a", "b", "c"], [["x", "1", "2"]])).toBe("| a | b | c |\n| --- | --: | --: |\n| x | 1 | 2 |");
  expect(printTable(["a"], [])).toBe("");
});

describe("who may notice", () => {
  const workload = (name: string, change: Partial<MovedWorkload>): MovedWorkload => {
    return { cluster: "one", workload: name, pods: 1, isMigrated: false, risks: [], ...change };
  };
  const print = (...workloads: readonly MovedWorkload[]) => {
    const move = { namespace: "shop", bucket: "production", from: "old", to: "new", workloads };
    const proposal: Proposal = {
      moves: [move],
      namespaces: 1,
      names: [],
      clusters: [],
      buckets: [],
      fewestPossible: 1,
      findings: [],
    };
    return printRisks(proposal).split("\n");
  };
  const head = (count: string) => [
    "> [!WARNING]",
    `> ${count} workloads whose restart may be noticed, or that stay behind:`,
  ];

  test("each with all its risks, or why it stays skipped", () => {
    const lines = print(
      workload("a", { risks: ["1 replica", "slow"] }),
      workload("b", { skipped: { message: writeText("opt|out") }, risks: ["1 replica"] }),
      workload("calm", {}),
      workload("migrated", { isMigrated: true, risks: ["1 replica"] }),
      workload("c", { skipped: { message: writeText("refused") } }),
    );
    expect(lines).toEqual([
      ...head("3"),
      "> - `one:a`: 1 replica; slow",
      "> - `one:b`: stays skipped: opt\\|out",
      "> - `one:c`: stays skipped: refused",
    ]);
  });

  test("none: nothing is said", () => expect(print(workload("calm", {}))).toEqual([""]));

  test("twenty are named, more are counted", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => workload(`w${index}`, { risks: ["x"] }));
    expect(print(...many(20))).toHaveLength(22);
    const lines = print(...many(1021));
    expect([lines.slice(0, 2), lines.at(-1), lines.length]).toEqual([head("1,021"), "> - and 1,001 more", 23]);
  });
});

describe("what GitHub takes", () => {
  const bytes = (text: string) => new TextEncoder().encode(text).length;

  test("what fits stays as it is, to the byte", () => {
    const text = `${"a".repeat(64_999)}\n`;
    expect(fitSummary(text)).toBe(text);
    expect(fitSummary(`${text}b`)).not.toBe(`${text}b`);
  });

  test("else whole lines are cut from the end, and it says so; it counts bytes, not letters", () => {
    const line = "é".repeat(499);
    const cut = fitSummary(Array.from({ length: 80 }, () => line).join("\n"));
    const [kept, note] = cut.split("\n\n");
    expect(note).toBe("… cut here: GitHub shows no more");
    expect(kept?.split("\n")).toEqual(Array.from({ length: 65 }, () => line));
    expect(bytes(cut)).toBeLessThanOrEqual(65_000);
  });

  test("a line that just fits with the note is kept", () => {
    const note = bytes("\n\n… cut here: GitHub shows no more");
    const first = "a".repeat(65_000 - note - 1);
    expect(fitSummary(`${first}\n${"b".repeat(100)}`)).toBe(`${first}\n\n… cut here: GitHub shows no more`);
    expect(fitSummary(`${first}a\n${"b".repeat(100)}`)).toBe("\n\n… cut here: GitHub shows no more");
  });
});
