import { parseRollouts } from "#libs/rollouts";
import { describe, expect, it } from "vitest";

import { checkSeed } from "./check-seed.ts";

const cases = [
  {
    name: "a new one while each bucket is at one revision",
    text: "production: {a: 100}\n",
    seed: "two",
    want: undefined,
  },
  {
    name: "a new one while a revision is listed at 0",
    text: "production: {a: 100, b: 0}\n",
    seed: "two",
    want: undefined,
  },
  {
    name: "a new one while a bucket is split",
    text: "production: {a: 50, b: 50}\nstaging: {a: 100}\n",
    seed: "two",
    want: "the seed changes while `production` is split between revisions",
  },
  {
    name: "a new one while two buckets are split",
    text: "production: {a: 50, b: 50}\nstaging: {a: 99, b: 1}\n",
    seed: "two",
    want: "the seed changes while `production`, `staging` are split between revisions",
  },
];

describe("MR2008 a changed seed", () => {
  it.each(cases)("$name", ({ text, seed, want }) => {
    const parsed = parseRollouts(text, "rollouts.yml");
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
    const before = { rollouts: parsed.value, settings: { seed: "one" } };
    const findings = checkSeed(before, { ...before, settings: { seed } }, "meshroll.yml");
    const help = 'keep "one" until every bucket is at one revision: only then a new seed moves no workload';
    const finding = {
      code: "MR2008",
      severity: "error",
      file: "meshroll.yml",
      line: 1,
      column: 1,
      message: want,
      help,
    };
    expect(findings).toEqual(want === undefined ? [] : [finding]);
  });
});
