import { describe, expect, it } from "vitest";
import type { Branch } from "./branch.ts";
import { listBranches } from "./pattern-branches.ts";

/** `*` for any text, `?` for a part that only the regular expression can judge. */
function printBranch(branch: Branch): string {
  return branch.map((piece) => (piece.kind === "text" ? piece.text : piece.kind === "any" ? "*" : "?")).join("");
}

const cases: readonly { readonly pattern: string; readonly want: readonly string[] }[] = [
  { pattern: "istio-e2e", want: ["istio-e2e"] },
  { pattern: "^istio-e2e$", want: ["istio-e2e"] },
  { pattern: "^(istio-e2e)$", want: ["istio-e2e"] },
  { pattern: "(?:a)(?P<name>b)(?<other>c)", want: ["abc"] },
  { pattern: ".*-staging", want: ["*-staging"] },
  { pattern: ".*?-staging", want: ["*-staging"] },
  { pattern: "payments-.*", want: ["payments-*"] },
  { pattern: ".*", want: ["*"] },
  { pattern: "a-.*-b-.*", want: ["a-*-b-*"] },
  { pattern: "pay|search", want: ["pay", "search"] },
  { pattern: "^pay$|^search$", want: ["pay", "search"] },
  { pattern: "(pay|search)-.*", want: ["pay-*", "search-*"] },
  { pattern: "a(b|)(c|d)", want: ["abc", "abd", "ac", "ad"] },
  { pattern: "web-?api", want: ["web-api", "webapi"] },
  { pattern: "a(bc)?", want: ["abc", "a"] },
  { pattern: "a\\.b\\-c\\_d", want: ["a.b-c_d"] },
  { pattern: "team-[0-9]+-prod", want: ["team-?-prod"] },
  { pattern: "team-\\d-prod", want: ["team-?-prod"] },
  { pattern: "ab*c", want: ["a?c"] },
  { pattern: "ab{2,3}?c", want: ["a?c"] },
  { pattern: "(a|b)+c", want: ["?c"] },
  { pattern: "a.b", want: ["a?b"] },
  { pattern: ".+-x", want: ["?-x"] },
  { pattern: "a[]x]b", want: ["a?b"] },
  { pattern: "a[^]x]b", want: ["a?b"] },
  { pattern: "a[[:alpha:]]b", want: ["a?b"] },
  { pattern: "a[\\]]b", want: ["a?b"] },
  { pattern: "a^b$c", want: ["a?b?c"] },
  { pattern: "(^a$)", want: ["?a?"] },
  { pattern: "aπb", want: ["a?b"] },
  // Left to the regular expression: flags, wide escapes, counted braces that are text, broken patterns.
  { pattern: "(?i)abc", want: ["?"] },
  { pattern: "(?i:a)bc", want: ["?"] },
  { pattern: "\\x41-b", want: ["?"] },
  { pattern: "\\Qa.b\\E", want: ["?"] },
  { pattern: "\\pLa", want: ["?"] },
  { pattern: "a{x", want: ["?"] },
  { pattern: "^*a", want: ["?"] },
  { pattern: "a**", want: ["?"] },
  { pattern: "*a", want: ["?"] },
  { pattern: "(a", want: ["?"] },
  { pattern: "a)", want: ["?"] },
  { pattern: "[a", want: ["?"] },
];

describe("listBranches", () => {
  it.each(cases)("splits $pattern into $want", ({ pattern, want }) => {
    expect(listBranches(pattern).map(printBranch)).toEqual(want);
  });

  it("keeps the common prefix and suffix when alternatives multiply beyond the limit", () => {
    expect(listBranches(`x-${"(a|b)".repeat(8)}-y`).map(printBranch)).toEqual(
      ["aa", "ab", "ba", "bb"].map((end) => `x-?${end}-y`),
    );
    expect(listBranches(`x-(${"a|".repeat(100)}b)-y`).map(printBranch)).toEqual(["x-?-y"]);
    expect(listBranches(`${"(a|b)".repeat(6)}${"c".repeat(100)}`).map(printBranch)).toEqual([`?${"c".repeat(100)}`]);
  });

  it("does not require a text twice that a short alternative has once", () => {
    const many = Array.from({ length: 70 }, (_, at) => `ab${at}ab`).join("|");

    expect(listBranches(`ab|abab|${many}`).map(printBranch)).toEqual(["ab?"]);
    expect(listBranches(`abab|${many}`).map(printBranch)).toEqual(["ab?ab"]);
  });
});
