import { describe, expect, it } from "vitest";
import { parseRollouts } from "../parse.ts";

/** Puts each pattern as a bucket on its own line, below `production`. */
function find(...patterns: readonly string[]): readonly string[] {
  const lines = ["production", ...patterns].map((pattern) => `'${pattern}': {a: 100}\n`);
  return parseRollouts(lines.join(""), "rollouts.yml").findings.map(
    ({ severity, code, line, help }) => `${severity} ${code} ${line}: ${help ?? ""}`,
  );
}

describe("checkPins", () => {
  it.each<[name: string, patterns: readonly string[], want: readonly string[]]>([
    [
      "a pin under a longer suffix pattern",
      [".*-staging", "a-staging"],
      ["error MR1102 3: write it anchored, `^a-staging$` (11 characters)"],
    ],
    [
      "the same pin in front of the pattern",
      ["a-staging", ".*-staging"],
      ["error MR1102 2: write it anchored, `^a-staging$` (11 characters)"],
    ],
    [
      "a pin under a longer prefix pattern",
      ["ab-.*", "ab-c"],
      ["error MR1102 3: write it anchored, `^ab-c$` (6 characters)"],
    ],
    [
      "a pin under a longer real expression",
      ["(a|b)-[a-z]+", "a-web"],
      ["error MR1102 3: write it longer, `^(?:(?:a-web))$` (15 characters)"],
    ],
    [
      "a pin that no form makes long enough",
      [`a-web|${"x".repeat(40)}`, "a-web"],
      ["error MR1102 3: no way of writing this pin is longer: shorten the other pattern"],
    ],
    [
      "a pin under several patterns",
      ["web-.*", "web-pay.*", "web-pay"],
      ["error MR1102 4: write it longer, `^(?:web-pay)$` (13 characters)"],
    ],
    ["an anchored pin is longer and wins", [".*-staging", "^a-staging$"], []],
    ["a pin longer than the pattern", [".*-e2e", "istio-e2e"], []],
    ["a pin that no pattern matches", [".*-staging", "a-stagin"], []],
    ["an unanchored match is no match", [".*-staging", "a-staging-x"], []],
    [
      "an anchored twin wins over the plain pin",
      ["abc", "^abc$"],
      ["error MR1102 2: write it longer, `^(?:abc)$` (9 characters)"],
    ],
    [
      "a tie that the pin loses",
      [".*aging", "a-aging"],
      ["error MR1007 3: write it anchored, `^a-aging$` (9 characters)"],
    ],
    ["a tie that the pin wins", ["0.c", "0-c"], ["warning MR1007 3: write it anchored, `^0-c$` (5 characters)"]],
    [
      "half-anchored twins",
      ["^abc", "abc$"],
      [
        "warning MR1007 2: write it anchored, `^abc$` (5 characters)",
        "warning MR1020 2: write `abc.*` for all that begin so, `^abc$` for this one",
        "error MR1007 3: write it anchored, `^abc$` (5 characters)",
        "warning MR1020 3: write `.*abc` for all that end so, `^abc$` for this one",
      ],
    ],
    ["patterns that only overlap are not pins", [".*-staging", "payments-.*"], []],
  ])("%s", (_name, patterns, want) => {
    expect(find(...patterns)).toEqual(want);
  });
});
