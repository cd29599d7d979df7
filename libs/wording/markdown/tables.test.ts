import { expect, test } from "vitest";

import { printAbout, printNumber, printTable } from "./tables.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [65_535, "65,535"],
  [1_234_567, "1,234,567"],
])("the number %i reads %s", (value, want) => expect(printNumber(value)).toBe(want));

test("a table has its first column to the left, and is none without rows", () => {
  expect(printTable(["a", "b", "c"], [["x", "1", "2"]])).toBe("| a | b | c |\n| --- | --: | --: |\n| x | 1 | 2 |");
  expect(printTable(["a"], [])).toBe("");
});

test.each([
  [0, "1 min"],
  [61_000, "2 min"],
  [3_600_000, "1 h"],
  [12_180_000, "3 h 23 min"],
  [48 * 3_600_000, "2 d"],
  [52 * 3_600_000, "2 d 4 h"],
])("reads %i ms as %s", (ms, want) => expect(printAbout(ms)).toBe(want));
