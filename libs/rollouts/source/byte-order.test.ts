import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareBytes } from "./byte-order.ts";

describe("compareBytes", () => {
  it.each([
    { name: "equal texts", a: "1-24-5", b: "1-24-5", want: 0 },
    { name: "a text before its continuation", a: "1-24", b: "1-24-5", want: -1 },
    { name: "capitals before small letters", a: "B", b: "a", want: -1 },
    { name: "digits by character, not by number", a: "1-9", b: "1-10", want: 1 },
    { name: "a character beyond U+FFFF behind all others", a: "\u{1F600}", b: "\uFF5E", want: 1 },
  ])("orders $name", ({ a, b, want }) => {
    expect(Math.sign(compareBytes(a, b))).toBe(want);
    expect(Math.sign(compareBytes(b, a))).toBe(want === 0 ? 0 : -want);
  });

  it("compares as the UTF-8 bytes do", () => {
    const units = ["A", "a", "\x7F", "\x80", "π", "\uD7FF", "\uE000", "～", "\uFFFF", "\u{10000}", "😀", "\u{10FFFF}"];
    const text = fc.string({ unit: fc.constantFrom(...units), maxLength: 4 });

    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 1_000 },
    );
  });
});
