import { describe, expect, it } from "vitest";
import { MAX_BYTES } from "./source/decode.ts";
import { parseRollouts } from "./parse.ts";

const huge = `# ${"x".repeat(1000)}\n`.repeat(2100);
/** Fills the file up to the size limit. */
const fill = (text: string): string => text + " ".repeat(MAX_BYTES - text.length);

describe("hostile text is refused with a place", () => {
  it.each<[name: string, text: string | Uint8Array, want: string]>([
    ["10,000 nested lists in 1 MiB", fill(`${"[".repeat(10_000)}${"]".repeat(10_000)}`), "MR1015 1:1"],
    ["nested lists that are never closed", "[\n".repeat(10_000), "MR1015 1:1"],
    ["nested maps over lines", "{\n".repeat(10_000), "MR1015 1:1"],
    ["nested lists of lines", "- ".repeat(10_000), "MR1015 1:1"],
    ["10,000 complex keys", "? ".repeat(10_000), "MR1015 1:1"],
    ["an alias bomb", `a: &a {x: 1}\n${"b: {c: *a, d: *a}\n".repeat(3)}`, "MR1013 1:4"],
    ["a JavaScript tag", 'a: !!js/function "x"\n', "MR1013 1:4"],
    ["2 MB of text", huge, "MR1015 1:1"],
    ["2 MB of bytes", new Uint8Array(2_000_000), "MR1015 1:1"],
    ["just over 1 MiB in bytes, not in characters", `#${"é".repeat(MAX_BYTES / 2)}`, "MR1015 1:1"],
    ["NUL", "production:\n  a\0: 100\n", "MR1017 2:4"],
    ["an escape sequence for a terminal", "# \u001B[2J\n", "MR1017 1:3"],
    ["text that runs backwards in review", "# \u202Edoog\n", "MR1017 1:3"],
    ["a line end that only YAML 1.1 knows", "# x\u2028production: {a: 100}\n", "MR1017 1:4"],
    ["a lone carriage return", "# x\rproduction: {a: 100}\n", "MR1017 1:4"],
    ["a byte order mark in the middle", "a: {x: 1}\n\uFEFFb: {x: 1}\n", "MR1017 2:1"],
    ["a byte that is not UTF-8", Uint8Array.of(0x61, 0x0a, 0xc3, 0xa9, 0xff, 0x0a), "MR1017 2:2"],
    ["a character cut in two", Uint8Array.of(0x61, 0x0a, 0x62, 0xe2, 0x80), "MR1017 2:2"],
    ["half a surrogate pair", "# a\uD800b\n", "MR1017 1:4"],
    ["a thousand braces side by side", `a: ${"{}".repeat(1000)}\n`, "MR1001 1:6"],
    ["commas by the thousand", `a: {${",".repeat(1000)}}\n`, "MR1001 1:6"],
  ])("%s", (_name, text, want) => {
    const { ok, findings } = parseRollouts(text, "rollouts.yml");
    const [first] = findings;

    expect(ok).toBe(false);
    expect(`${first?.code ?? ""} ${first?.line ?? 0}:${first?.column ?? 0}`).toBe(want);
    expect(findings.length).toBeLessThanOrEqual(101);
  });

  it("1,400 levels of indentation, as many as 1 MiB holds, give one finding, whether the stack is deep enough or not", () => {
    const text = Array.from({ length: 1400 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join("");
    const codes = parseRollouts(text, "rollouts.yml").findings.map(({ code }) => code);
    expect([["MR1015"], ["MR1003", "MR1018"]]).toContainEqual(codes);
  });

  it("an invalid byte is named once, and the replacement character that git shows instead is refused in the same way", () => {
    const bytes = Uint8Array.of(
      0x23,
      0x20,
      0xe9,
      0x0a,
      0x61,
      0x3a,
      0x20,
      0x7b,
      0x78,
      0x3a,
      0x20,
      0x31,
      0x30,
      0x30,
      0x7d,
      0x0a,
    );
    const read = [bytes, new TextDecoder().decode(bytes), new TextEncoder().encode(new TextDecoder().decode(bytes))];
    const found = read.map((text) =>
      parseRollouts(text, "rollouts.yml").findings.map(({ code, line, column }) => [code, line, column]),
    );

    expect(found).toEqual([[["MR1017", 1, 3]], [["MR1017", 1, 3]], [["MR1017", 1, 3]]]);
  });
});

describe("hostile text that passes the limits", () => {
  it("duplicate keys are found in one pass, and the list of findings is limited", () => {
    const { findings } = parseRollouts("a: {x: 100}\n".repeat(20_000), "rollouts.yml");

    expect(findings).toHaveLength(1001);
    expect(findings.at(-1)).toMatchObject({
      code: "MR1015",
      severity: "note",
      message: "19000 more findings are not listed",
    });
  });

  it("__proto__ and constructor are keys like any other", () => {
    const parsed = parseRollouts("production: {a: 100}\n__proto__: {constructor: 100}\n", "rollouts.yml");

    expect(parsed.ok && parsed.value.buckets[1]).toEqual({
      pattern: "__proto__",
      line: 2,
      column: 1,
      shares: [{ revision: "constructor", weight: 100 }],
    });
    expect({}).not.toHaveProperty("polluted");
  });

  it("__proto__ as a revision is no label value", () => {
    const { findings } = parseRollouts("production: {__proto__: 100}\n", "rollouts.yml");

    expect(findings.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(["MR1016 1:14"]);
  });
});
