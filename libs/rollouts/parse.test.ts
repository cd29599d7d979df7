import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRollouts } from "./parse.ts";

function find(text: string): readonly string[] {
  return parseRollouts(text, "rollouts.yml").findings.map(
    ({ code, line, column, length }) => `${code} ${line}:${column}+${length ?? 0}`,
  );
}

/** The shares of the first bucket as `revision=weight`. */
function readShares(text: string): readonly string[] {
  const parsed = parseRollouts(text, "rollouts.yml");
  return parsed.ok
    ? (parsed.value.buckets[0]?.shares.map(({ revision, weight }) => `${revision}=${weight}`) ?? [])
    : [];
}

describe("parseRollouts reads", () => {
  it.each([
    [
      "keys as source text",
      "production:\n  1.20: 10\n  007: 20\n  1e3: 30\n  0x10: 40\n",
      ["1.20=10", "007=20", "1e3=30", "0x10=40"],
    ],
    ["quoted keys by their value", "production:\n  \"1.20\": 50\n  'a': 50\n", ["1.20=50", "a=50"]],
    ["1.2 and 1.20 as two revisions", "production: {1.2: 50, 1.20: 50}\n", ["1.2=50", "1.20=50"]],
    ["weight 0, which stays in", "production: {a: 100, b: 0}\n", ["a=100", "b=0"]],
    ["CRLF and a byte order mark", "\uFEFFproduction:\r\n  a: 75\r\n  b: 25\r\n", ["a=75", "b=25"]],
    ["JSON", '{"production":{"a":75,"b":25}}', ["a=75", "b=25"]],
    ["comments, blank lines and trailing blanks", "# x\n\nproduction:   # y\n\n  a: 100  # z  \n  \n", ["a=100"]],
    ["a value on its own line", "production:\n  a:\n    100\n", ["a=100"]],
  ])("%s", (_name, text, want) => {
    expect(readShares(text)).toEqual(want);
  });

  it("reports places as people count them, without the byte order mark", () => {
    const parsed = parseRollouts("\uFEFFproduction: {a: 100}\r\n'b.*': {a: 100}\r\n", "rollouts.yml");

    expect(parsed.ok && parsed.value.buckets.map(({ pattern, line, column }) => [pattern, line, column])).toEqual([
      ["production", 1, 1],
      ["b.*", 2, 1],
    ]);
  });
});

describe("parseRollouts finds", () => {
  const rest = "production: {a: 100}\n";
  it.each([
    ["an empty file", "", ["MR1018 1:1+1"]],
    ["a file of comments", "# nothing\n", ["MR1018 1:1+1"]],
    ["text instead of a map", "production\n", ["MR1018 1:1+10"]],
    ["no production", "a: {x: 100}\n", ["MR1003 1:1+1"]],
    ["an empty bucket", `${rest}a:\nb: {}\nc: ~\n`, ["MR1018 2:1+1", "MR1018 3:1+1", "MR1018 4:4+1"]],
    ["a bucket that is a number", "production: 100\n", ["MR1018 1:13+3"]],
    ["a missing key", "production: {a: 100}\n: {a: 100}\n", ["MR1018 2:1+1"]],
    ["a map instead of a percentage", "production: {a: {b: 100}}\n", ["MR1018 1:17+8"]],
    [
      "a sum of 99, 101 and 0",
      "production: {a: 99}\nb: {a: 1, c: 100}\nd: {a: 0}\n",
      ["MR1004 1:17+2", "MR1004 2:14+3", "MR1004 3:8+1"],
    ],
    ["a bucket written twice, in quotes the second time", `${rest}a.*: {a: 100}\n"a.*": {a: 100}\n`, ["MR1002 3:1+5"]],
    ["a revision written twice", "production:\n  a: 50\n  a: 50\n", ["MR1002 3:3+1"]],
    ["a tab", "production:\n\ta: 100\n", ["MR1001 2:1+1"]],
    ["a brace never closed", "production: {a: 100\n", ["MR1001 2:1+1"]],
    ["number-like names, but not in quotes", "production: {0120: 50, '0121': 50}\n", ["MR1010 1:14+4"]],
    ["a version in place of a revision", 'production: {"1.25.2": 100}\n', ["MR1021 1:14+8"]],
    ["a revision with capitals and `_`", "production: {Canary_2: 100}\n", ["MR1021 1:14+8"]],
    ["a revision of 64 characters", `production: {${"a".repeat(64)}: 100}\n`, ["MR1016 1:14+64"]],
    ["a revision with a trailing blank", 'production: {"a ": 100}\n', ["MR1016 1:14+4"]],
    ["a pattern of 257 characters", `${rest}${"a".repeat(257)}: {a: 100}\n`, ["MR1015 2:1+257"]],
    [
      "everything at once, in reading order",
      "b: {a: 50}\nproduction: {1–2: 100}\n(: {a: 1.5}\n",
      ["MR1004 1:8+2", "MR1011 2:14+3", "MR1006 3:1+1", "MR1005 3:8+3"],
    ],
  ])("%s", (_name, text, want) => {
    expect(find(text)).toEqual(want);
  });

  it.each([
    ["1.5", "`1.5` is not a whole number"],
    ["1e2", "`1e2` is not a whole percentage"],
    ["0x64", "`0x64` is not a whole percentage"],
    ["0o144", "`0o144` is not a whole percentage"],
    ["1_0", "`1_0` is not a whole percentage"],
    ["+5", "`+5` is not a whole percentage"],
    ["-1", "`-1` is below 0"],
    ["101", "`101` is more than 100"],
    ["050", "`050` has a leading zero, which some readers take as octal"],
    ["50%", "`50%` has a percent sign"],
    [".nan", "`.nan` is not a whole percentage"],
    ["null", "`null` is not a whole percentage"],
    ["'50'", "`50` in quotes is text, not a percentage"],
    ["５０", "`５０` is not a whole percentage"],
    ["5 0", "`5 0` is not a whole percentage"],
  ])("the percentage %s is MR1005", (value, want) => {
    const { findings } = parseRollouts(`production:\n  a: ${value}\n`, "rollouts.yml");

    expect(findings).toMatchObject([{ code: "MR1005", line: 2, column: 6, length: value.length, message: want }]);
  });

  it("both places of a duplicate", () => {
    const { findings } = parseRollouts("production: {a: 100}\nproduction: {a: 100}\n", "rollouts.yml");

    expect(findings[0]?.related).toEqual([{ line: 1, column: 1, length: 10, message: "first written here" }]);
  });
});

describe("parseRollouts never throws", () => {
  const piece = fc.constantFrom(
    ..."abé\n\n  :,{}[]\"'#&*!|>?-%@`\\<=~\t0127.\r".split(""),
    "production:\n",
    "  a: 100\n",
    "{a: 100}",
    "\uFEFF",
  );

  it("on any text, and findings are in reading order inside the file", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        const parsed = parseRollouts(text, "rollouts.yml");
        const lines = text.split("\n").length;
        const places = parsed.findings.map(({ line, column }) => line * 100_000 + column);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(parsed.findings.every(({ line }) => line >= 1 && line <= lines)).toBe(true);
        expect(parsed.ok).toBe(!parsed.findings.some(({ severity }) => severity === "error"));
      }),
      { numRuns: 1000 },
    );
  });

  it("on any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(parseRollouts(bytes, "x").ok).toBe(false);
      }),
    );
  });
});
