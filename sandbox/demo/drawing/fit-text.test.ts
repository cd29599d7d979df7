import { expect, test } from "vitest";

import { cutText, drawBar, fitLeft, fitRight, spread } from "./fit-text.ts";

const bars = {
  nothing: { done: 0, total: 9, want: "░░░░" },
  "anything begun shows": { done: 1, total: 100, want: "█░░░" },
  half: { done: 5, total: 10, want: "██░░" },
  "only all of it fills the bar": { done: 99, total: 100, want: "███░" },
  all: { done: 7, total: 7, want: "████" },
  "of nothing": { done: 0, total: 0, want: "░░░░" },
};

for (const [name, { done, total, want }] of Object.entries(bars))
  test(`a bar: ${name}`, () => {
    expect(drawBar(done, total, 4)).toBe(want);
  });

test("a text is cut with an ellipsis, or padded at the requested end", () => {
  expect([cutText("abcdef", 4), cutText("abcd", 4), cutText("abc", 0)]).toEqual(["abc…", "abcd", ""]);
  expect([fitLeft("ab", 4), fitRight("ab", 4), fitRight("abcdef", 3)]).toEqual(["ab  ", "  ab", "ab…"]);
});

test("of two texts the left one is cut, until there is no room for the right one", () => {
  expect(spread("left", "right", 40)).toBe(`left${" ".repeat(31)}right`);
  expect(spread("a very long text on the left side", "right", 30)).toBe("a very long text on th…  right");
  expect(spread("left side", "right", 10)).toBe("left side");
});

test("control characters, and characters of two columns, become question marks", () => {
  expect(cutText("a\u001B[2Jb\tc 漢🚀 é→✔", 40)).toBe("a?[2Jb?c ?? é→✔");
});
