import fc from "fast-check";
import { RE2JS, RE2JSSyntaxException } from "re2js";
import { describe, expect, it } from "vitest";
import { comparePatterns, compilePatterns } from "./pattern-index.ts";

/** The rule without an index: tries all patterns, best first. */
function findAllNaively(patterns: readonly string[], name: string): readonly number[] {
  return [...patterns.keys()].filter((rank) => RE2JS.compile(patterns[rank] ?? "", RE2JS.DOTALL).testExact(name));
}

function isValid(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return false;
    throw error;
  }
}

/** Only a few letters, so that patterns and names often match. */
const letters = fc.constantFrom("a", "b", "ab", "-", "-a", "a-b", "1");
const literal = fc.array(letters, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));

const { pattern } = fc.letrec<{ pattern: string; sequence: string; item: string }>((tie) => ({
  pattern: fc.oneof(
    { weight: 5, arbitrary: tie("sequence") },
    { weight: 1, arbitrary: fc.tuple(tie("sequence"), tie("sequence")).map((both) => both.join("|")) },
    { weight: 1, arbitrary: tie("sequence").map((text) => `^${text}$`) },
  ),
  sequence: fc.array(tie("item"), { minLength: 1, maxLength: 4 }).map((items) => items.join("")),
  item: fc.oneof(
    { maxDepth: 2 },
    { weight: 4, arbitrary: literal },
    { weight: 4, arbitrary: fc.constant(".*") },
    {
      weight: 2,
      arbitrary: fc.constantFrom("[a-b]", "[^a]", "[[:digit:]]+", "\\d", "\\w*", ".", ".+", "a?", "b{1,2}", "\\-"),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom("(?i)A", "(?i:B)", "\\x61", "\\Qa-\\E", "^", "$", "\\b", "{", "]", "^*", "(?s:.)"),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(tie("pattern"), fc.constantFrom("", "", "?", "*", "+?")).map(([p, q]) => `(${p})${q}`),
    },
    { weight: 1, arbitrary: fc.array(literal, { minLength: 1, maxLength: 4 }).map((all) => `(?:${all.join("|")})`) },
  ),
}));

const name = fc.string({
  unit: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom("a", "b", "-", "1") },
    { weight: 1, arbitrary: fc.constantFrom("A", "\n", "π", "😀") },
  ),
  maxLength: 8,
});

describe("comparePatterns", () => {
  it("1.8 the longer text is first, and of equally long ones the smaller in byte order", () => {
    const given = ["ab", "production", ".*-staging", "Z", "payments-.*", "aa"];

    expect(given.toSorted(comparePatterns)).toEqual(["payments-.*", ".*-staging", "production", "aa", "ab", "Z"]);
  });
});

describe("compilePatterns", () => {
  it("finds the same as trying all patterns, for any patterns and name", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(pattern.filter(isValid), { maxLength: 12 }),
        fc.array(name, { maxLength: 8 }),
        (all, names) => {
          const patterns = all.toSorted(comparePatterns);
          const index = compilePatterns(patterns);

          for (const one of names) {
            const want = findAllNaively(patterns, one);
            expect(index.findAll(one)).toEqual(want);
            expect(index.findBest(one)).toBe(want[0]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    { name: "a suffix that is the whole name", patterns: [".*-staging"], find: "-staging", want: [0] },
    { name: "a prefix that is the whole name", patterns: ["payments-.*"], find: "payments-", want: [0] },
    { name: "ends that would overlap", patterns: ["aba.*bab"], find: "abab", want: [] },
    { name: "ends that just touch", patterns: ["aba.*bab"], find: "ababab", want: [0] },
    { name: "inner texts out of order", patterns: [".*-b-.*-a-.*"], find: "x-a-b-x", want: [] },
    { name: "inner texts in order", patterns: [".*-a-.*-b-.*"], find: "x-a-x-b-", want: [0] },
    { name: "only part of a name", patterns: ["staging"], find: "a-staging", want: [] },
    { name: "alternatives of one pattern once", patterns: ["(a|ab).*|.*b"], find: "ab", want: [0] },
    { name: "no pattern at all", patterns: [], find: "a", want: [] },
    { name: "names beyond ASCII", patterns: ["π.*", ".*"], find: "πa", want: [0, 1] },
  ])("handles $name", ({ patterns, find, want }) => {
    expect(compilePatterns(patterns).findAll(find)).toEqual(want);
    expect(compilePatterns(patterns).findBest(find)).toBe(want[0]);
  });

  it("answers where a backtracking engine would take years", () => {
    const index = compilePatterns(["([a-z0-9]+)+-staging"]);

    expect(index.findBest(`${"a".repeat(60)}-stagin`)).toBeUndefined();
    expect(index.findBest(`${"a".repeat(60)}!-staging`)).toBeUndefined();
  });
});
