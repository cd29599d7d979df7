import { describe, expect, it } from "vitest";

import { readOptions } from "./options.ts";
import { scoreMutants } from "./score.ts";

const mutant = { file: "a.ts", start: { line: 0, column: 0 }, end: { line: 0, column: 1 }, kind: "x", replacement: "" };
const judge = (...statuses: readonly string[]) => scoreMutants(statuses.map((status) => ({ mutant, status })));

describe("a score", () => {
  it.each([
    { name: "a test that fails or hangs noticed it", statuses: ["Killed", "Timeout"], want: [2, 0, 0, 100] },
    { name: "what no test reaches survived", statuses: ["Killed", "NoCoverage"], want: [1, 1, 0, 50] },
    {
      name: "what cannot run says nothing",
      statuses: ["Killed", "RuntimeError", "CompileError"],
      want: [1, 0, 2, 100],
    },
    { name: "of nothing is no proof", statuses: ["CompileError"], want: [0, 0, 1, 0] },
  ])("$name", ({ statuses, want }) => {
    const score = judge(...statuses);
    expect([score.killed, score.survived.length, score.void, score.percent]).toEqual(want);
  });
});

describe("the command line", () => {
  it("takes 200 of each lib by default, and what is asked for", () => {
    expect(readOptions([])).toMatchObject({ sample: 200, seed: 1, lanes: 2, files: [] });
    expect(readOptions([]).libs.map(({ name }) => name)).toEqual(["spec", "campaign", "fleet", "injection", "plan"]);
    const asked = readOptions([
      "--lib",
      "plan",
      "--sample",
      "all",
      "--seed",
      "7",
      "--file",
      "libs/plan/conditions/bake.ts",
    ]);
    expect(asked).toMatchObject({
      libs: [{ name: "plan" }],
      sample: Infinity,
      seed: 7,
      files: ["libs/plan/conditions/bake.ts"],
    });
  });

  it.each([
    ["--lib", "kube"],
    ["--sample", "few"],
    ["--seed", "0"],
    ["--lanes", "1.5"],
  ])("refuses %s %s", (name, value) => expect(() => readOptions([name, value])).toThrow(/^mutation: --/));
});
