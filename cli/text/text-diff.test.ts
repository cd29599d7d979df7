import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { diffText } from "./text-diff.ts";

describe("the lines that differ", () => {
  const cases: readonly {
    readonly name: string;
    readonly before: string;
    readonly after: string;
    readonly want: readonly string[];
  }[] = [
    { name: "nothing", before: "a\nb\n", after: "a\nb\n", want: [] },
    { name: "one line changed", before: "a\nb\nc\n", after: "a\nx\nc\n", want: ["-b", "+x"] },
    { name: "lines added at the end", before: "a\n", after: "a\nb\n", want: ["+b"] },
    { name: "a line removed", before: "a\nb\nc\n", after: "a\nc\n", want: ["-b"] },
  ];
  it.each(cases)("$name", ({ before, after, want }) => expect(diffText(before, after)).toEqual(want));

  it("turn the old text into the new one", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (old, now) => {
        const lines = diffText(old.join("\n"), now.join("\n"));
        const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
        expect(Math.max(1, old.length) - count("-") + count("+")).toBe(Math.max(1, now.length));
      }),
    );
  });

  it("show texts that are too long to compare as all removed and all added", () => {
    const long = Array.from({ length: 2001 }, (_, index) => String(index)).join("\n");
    expect(diffText(long, `${long}\nend`)).toHaveLength(2001 + 2002);
  });
});
