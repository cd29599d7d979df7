import { describe, expect, it } from "vitest";

import { chooseMutants } from "./choose-mutants.ts";
import { applyMutant, type Mutant, nameMutant, readOriginal } from "./mutant.ts";

const text = "const a = 1;\nif (a > 0) {\n  run();\n}\n";
const make = (start: [number, number], end: [number, number], replacement: string): Mutant => ({
  file: "libs/plan/a.ts",
  start: { line: start[0], column: start[1] },
  end: { line: end[0], column: end[1] },
  kind: "x",
  replacement,
});

describe("a change of one place", () => {
  it.each([
    {
      name: "on one line",
      mutant: make([1, 4], [1, 9], "true"),
      wantOld: "a > 0",
      want: text.replace("a > 0", "true"),
    },
    {
      name: "over lines",
      mutant: make([1, 11], [3, 1], "{}"),
      wantOld: "{\n  run();\n}",
      want: "const a = 1;\nif (a > 0) {}\n",
    },
    {
      name: "at the beginning",
      mutant: make([0, 0], [0, 5], "let"),
      wantOld: "const",
      want: text.replace("const", "let"),
    },
  ])("$name", ({ mutant, wantOld, want }) => {
    expect(readOriginal(text, mutant)).toBe(wantOld);
    expect(applyMutant(text, mutant)).toBe(want);
  });
});

describe("a sample", () => {
  const all = Array.from({ length: 50 }, (_, line) => make([line, 0], [line, 1], "x"));

  it("is the same for the same seed, in whatever order the changes come, and another for another", () => {
    const first = chooseMutants(all, 10, 1);
    expect(chooseMutants(all.toReversed(), 10, 1)).toEqual(first);
    expect(chooseMutants(all, 10, 2)).not.toEqual(first);
    expect(new Set(first.map(nameMutant)).size).toBe(10);
  });

  it("grows by adding, and ends with all there are", () => {
    expect(chooseMutants(all, 20, 1).slice(0, 10)).toEqual(chooseMutants(all, 10, 1));
    expect(chooseMutants(all, Infinity, 1)).toHaveLength(50);
  });
});
