import { describe, expect, it } from "vitest";

import { compilePatterns, comparePatterns } from "./patterns/pattern-index.ts";
import { parseRollouts } from "./parse.ts";

/** The most regular expressions that one name may meet. */
function countMost(patterns: readonly string[]): number {
  const sorted = patterns.toSorted(comparePatterns);
  return compilePatterns(sorted).measureWork(sorted.map(() => 1));
}

describe("measureWork: the most work that any one name can make", () => {
  const cases: readonly { readonly name: string; readonly patterns: readonly string[]; readonly want: number }[] = [
    { name: "names, prefixes and suffixes cost nothing", patterns: ["a", "pay-.*", ".*-web"], want: 0 },
    {
      name: "text and `.*` between are proof without a regular expression",
      patterns: ["a-.*-b", "a-.*c.*-b"],
      want: 0,
    },
    { name: "what has no text at its ends meets every name", patterns: ["[a-z]+", "[0-9]+", "[a-z]+-.+"], want: 3 },
    { name: "what begins differently is not met together", patterns: ["a-[a-z]+", "b-[a-z]+", "c-[a-z]+"], want: 1 },
    { name: "what begins alike is", patterns: ["a[0-9]+", "ab[0-9]+", "abc[0-9]+", "b[0-9]+"], want: 3 },
    { name: "both ends and the middle count together", patterns: ["a-[a-z]+", "[a-z]+-z", "[a-z]+"], want: 3 },
    {
      name: "each alternative that needs one counts",
      patterns: ["(a[0-9]|ab[0-9])+-x", "(a[0-9]+|ab[0-9]+)"],
      want: 3,
    },
  ];

  it.each(cases)("$name", ({ patterns, want }) => {
    expect(countMost(patterns)).toBe(want);
  });
});

/** Patterns that every name meets, as an attacker or a generator writes them: each compiled on its own, and none of them simple. */
function alternations(count: number): string {
  const bucket = (index: number): string => `"[a-z]*(x${index}|y${index})+[a-z]*": { a: 100 }\n`;
  return `production: { a: 100 }\n${Array.from({ length: count }, (_, index) => bucket(index)).join("")}`;
}

describe("MR1015: matching work of a whole file", () => {
  it("4,000 patterns of alternations are refused with a finding", () => {
    const { ok, findings } = parseRollouts(alternations(4000), "rollouts.yml");
    expect([ok, findings.map(({ code, severity }) => [code, severity])]).toEqual([false, [["MR1015", "error"]]]);
    expect(findings[0]?.message).toMatch(/^one name may meet \d+ steps of regular expressions; \d+ is the most$/);
  });

  it("some dozens of them are not", () => {
    expect(parseRollouts(alternations(50), "rollouts.yml").ok).toBe(true);
  });

  it("4,000 simple patterns are not", () => {
    const text = Array.from({ length: 4000 }, (_, index) => `team-${index}-.*: { a: 100 }\n`).join("");
    expect(parseRollouts(`production: { a: 100 }\n${text}`, "rollouts.yml").ok).toBe(true);
  });
});
