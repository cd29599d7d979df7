import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Sentence } from "../terminal/sentence.ts";
import { cutText, wrapSentences, wrapText } from "./wrap-text.ts";

const cases: readonly {
  readonly name: string;
  readonly text: Sentence;
  readonly width: number;
  readonly want: readonly string[];
}[] = [
  { name: "short lines stay as they are", text: "one\n  two", width: 10, want: ["one", "  two"] },
  { name: "continued lines are indented", text: "one two three", width: 9, want: ["one two", "  three"] },
  { name: "its own indent stays", text: "  one two three", width: 11, want: ["  one two", "    three"] },
  { name: "a long word stays whole", text: "a abcdefghijkl b", width: 8, want: ["a", "  abcdefghijkl", "  b"] },
  {
    name: "a command is not broken",
    text: ["end it:  ", { command: 'meshroll resume all --reason "…"' }],
    width: 20,
    want: ["end it:", '  meshroll resume all --reason "…"'],
  },
  {
    name: "a line that is only a command stays",
    text: ["  ", { command: "git fetch origin && git x" }],
    width: 12,
    want: ["  git fetch origin && git x"],
  },
  {
    name: "a command within a sentence has a line of its own, without the marks around it",
    text: ["say `", { command: "meshroll status" }, "`, and look at what it says"],
    width: 20,
    want: ["say", "  meshroll status", "and look at what", "  it says"],
  },
  {
    name: "words after a command that begins a line are indented below it, wherever there is room",
    text: ["  ", { command: "meshroll get holds" }, "  lists them"],
    width: 80,
    want: ["  meshroll get holds", "    lists them"],
  },
  {
    name: "two commands have two lines",
    text: ["  look:  ", { command: "meshroll status" }, "  or  ", { command: "meshroll history" }],
    width: 80,
    want: ["  look:", "    meshroll status", "  or", "    meshroll history"],
  },
  {
    name: "a command in a text from outside is ordinary text",
    text: "see:  meshroll pause all",
    width: 16,
    want: ["see:  meshroll", "  pause all"],
  },
];

describe("text for 80 columns", () => {
  it.each(cases)("$name", ({ text, width, want }) => expect(wrapText(text, width)).toEqual(want));

  it("loses no word and is never wider than requested, except for a long word", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(words, fc.integer({ min: 16, max: 80 }), (list, width) => {
        const lines = wrapText(list.join(" "), width);
        expect(lines.flatMap((line) => line.trim().split(" "))).toEqual(list);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("fits a command as it has to be typed here", () => {
    const sentences: readonly Sentence[] = ["a\nb", ["do ", { command: "meshroll wait x" }]];
    const npx = { env: { npm_command: "exec" } };
    expect(wrapSentences(sentences, npx, 20)).toEqual(["a", "b", "do", "  npx meshroll wait x"]);
    expect(wrapSentences(sentences, { env: {} }, 20)).toEqual(["a", "b", "do", "  meshroll wait x"]);
  });

  it("cuts between characters, not within one", () => {
    expect([cutText("prod", 4), cutText("production", 4), cutText("🛑🛑🛑", 2)]).toEqual(["prod", "pro…", "🛑…"]);
  });
});
