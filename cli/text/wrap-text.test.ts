import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { cutText, wrapText } from "./wrap-text.ts";

const cases: readonly {
  readonly name: string;
  readonly text: string;
  readonly width: number;
  readonly want: readonly string[];
}[] = [
  { name: "short lines stay as they are", text: "one\n  two", width: 10, want: ["one", "  two"] },
  { name: "what follows a break is indented", text: "one two three", width: 9, want: ["one two", "  three"] },
  { name: "its own indent stays", text: "  one two three", width: 11, want: ["  one two", "    three"] },
  { name: "a long word stays whole", text: "a abcdefghijkl b", width: 8, want: ["a", "  abcdefghijkl", "  b"] },
  {
    name: "a command is not broken",
    text: 'end it:  meshroll resume all --reason "…"',
    width: 20,
    want: ["end it:", '  meshroll resume all --reason "…"'],
  },
  {
    name: "a line that is a command stays",
    text: "  git fetch origin && git x",
    width: 12,
    want: ["  git fetch origin && git x"],
  },
];

describe("text for 80 columns", () => {
  it.each(cases)("$name", ({ text, width, want }) => expect(wrapText(text, width)).toEqual(want));

  it("loses no word and is never wider than asked, but for a long word", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(words, fc.integer({ min: 16, max: 80 }), (list, width) => {
        fc.pre(!list.some((word) => ["meshroll", "kubectl", "git", "npx"].includes(word)));
        const lines = wrapText(list.join(" "), width);
        expect(lines.flatMap((line) => line.trim().split(" "))).toEqual(list);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("cuts by letters, not by halves of them", () => {
    expect([cutText("prod", 4), cutText("production", 4), cutText("🛑🛑🛑", 2)]).toEqual(["prod", "pro…", "🛑…"]);
  });
});
