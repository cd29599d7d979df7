import { describe, expect, it } from "vitest";

import { parseRollouts } from "./parse.ts";
import { compileRollouts } from "./hashing/resolve.ts";

const file = `production:
  1-24-5: 75
  1-25-2: 25
".*-staging":
  1-24-5: 0
  1-25-2: 100
payments-.*: { 1-24-5: 95, 1-25-2: 5 }
`;

/** Every percentage of the file, with its place. */
const weights = [...file.matchAll(/: (\d+)/g)].map((match) => ({
  from: match.index + 2,
  to: match.index + match[0].length,
  line: file.slice(0, match.index).split("\n").length,
}));

/** What people and programs write instead of a whole percentage. */
const broken = [
  "99",
  "101",
  "100.0001",
  "-1",
  "1000",
  ".nan",
  ".inf",
  "1e2",
  "0o144",
  "0x64",
  '"50"',
  "33.3",
  "~",
  "null",
  "true",
  "50%",
  "+50",
  "050",
  "1_0",
  "[100]",
  "{a: 100}",
  "2026-11-20",
  "100 100",
  "5O",
  "１００",
] as const;

describe("an invalid percentage, or one that makes another sum, is an error at its place, and no shares are returned", () => {
  it.each(broken)("%s instead of any percentage", (text) => {
    const places = weights.map(({ from, to, line }) => {
      const parsed = parseRollouts(`${file.slice(0, from)}${text}${file.slice(to)}`, "rollouts.yml");
      const [first] = parsed.findings;
      // A wrong sum is reported at one of its bucket's percentages.
      const isNear = first !== undefined && Math.abs(first.line - line) <= 1 && first.column > 1;
      return !parsed.ok && isNear && first.severity === "error";
    });
    expect(places).toEqual(Array.from({ length: 6 }, () => true));
  });
});

describe("a revision is taken exactly as written, or refused", () => {
  const cases: readonly (readonly [text: string, want: string])[] = [
    ["1.20", "1.20"],
    ['"1.20"', "1.20"],
    ["1.2", "1.2"],
    ["007", "007"],
    ["1e3", "1e3"],
    ["0x10", "0x10"],
    ["yes", "yes"],
    ["~x", "MR1016"],
    ["1–25–2", "MR1011"],
    ["1-25-2 ", "1-25-2"],
    ['"1-25-2 "', "MR1016"],
    ["а-1", "MR1011"],
    ["a".repeat(63), "a".repeat(63)],
    ["a".repeat(64), "MR1016"],
    ["a/b", "MR1016"],
    ["-a", "MR1016"],
    ["a_B.c", "a_B.c"],
  ];
  it.each(cases)("%s is %s", (text, want) => {
    const parsed = parseRollouts(`production:\n  ${text}: 100\n`, "rollouts.yml");
    const code = parsed.findings.find(({ severity }) => severity === "error")?.code;
    expect(parsed.ok ? parsed.value.buckets[0]?.shares[0]?.revision : code).toBe(want);
  });

  it("two spellings of one version are two revisions, as they are to the API server", () => {
    const parsed = parseRollouts("production: { A: 50, a: 50 }\n", "rollouts.yml");
    expect(parsed.ok && parsed.value.buckets[0]?.shares.map(({ revision }) => revision)).toEqual(["A", "a"]);
  });
});

function writeBuckets(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => `s${String(index).padStart(6, "0")}-.*: {a: 100}\n`);
  return `production: {a: 100}\n${lines.join("")}`;
}

describe("no pattern makes a lookup expensive", () => {
  it.each(["(a+)+", "(a|a)*", "(a|aa)+", "([a-z]+)*", "(.*)*[a-z]", "(a?){50}a{50}"])(
    "%s answers for a name that it almost matches",
    (pattern) => {
      const parsed = parseRollouts(`production: {a: 100}\n"${pattern}": {b: 100}\n`, "rollouts.yml");
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
      const resolver = compileRollouts(parsed.value, "");
      // A backtracking engine would take longer than the age of the universe.
      expect(resolver.resolve(`${"a".repeat(62)}!`).revision).toBe("a");
    },
  );

  it("a pattern matches only whole names", () => {
    const parsed = parseRollouts('production: {a: 100}\n".*-staging": {b: 100}\n', "rollouts.yml");
    if (!parsed.ok) throw new Error("the file parses");
    const resolver = compileRollouts(parsed.value, "");
    const asked = ["foo-staging", "foo-staging-prod", "xfoo-staging"].map((name) => resolver.resolve(name).revision);
    expect(asked).toEqual(["b", "a", "b"]);
  });
});

describe("a file larger than any person writes", () => {
  it("50,000 buckets are refused by their size, before parsing", () => {
    const { findings, ok } = parseRollouts(writeBuckets(50_000), "rollouts.yml");
    expect([ok, findings.map(({ code, line }) => `${code} ${line}`)]).toEqual([false, ["MR1015 1"]]);
  });
});
