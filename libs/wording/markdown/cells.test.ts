import { describe, expect, it, test } from "vitest";

import { code, escapeCell, fitSummary, fitTitle } from "./cells.ts";

describe("text of people in a check", () => {
  it.each([
    ["a | in a name does not end its cell", "a|b", "a\\|b"],
    ["a line end does not end its row, however it is written", "a\r\n\nb", "a b"],
    ["anything else stays", "team: `mesh`", "team: `mesh`"],
  ])("%s", (_, text, want) => expect(escapeCell(text)).toBe(want));

  it("a backtick does not end code style", () => expect(code("a`b|c")).toBe("`a'b\\|c`"));

  it.each([
    ["fits with 140 characters", "x".repeat(140), "x".repeat(140)],
    ["is cut to 140 with more, and shows that", "x".repeat(141), `${"x".repeat(139)}…`],
    ["is one line", "one\r\n\ntwo", "one two"],
  ])("a title %s", (_, text, want) => expect(fitTitle(text)).toBe(want));
});

describe("GitHub's limit", () => {
  const bytes = (text: string) => new TextEncoder().encode(text).length;

  test("a text within the limit stays unchanged", () => {
    const text = `${"a".repeat(64_999)}\n`;
    expect(fitSummary(text)).toBe(text);
    expect(fitSummary(`${text}b`)).not.toBe(`${text}b`);
  });

  test("otherwise whole lines are cut from the end with a note; bytes count, not letters", () => {
    const line = "é".repeat(499);
    const cut = fitSummary(Array.from({ length: 80 }, () => line).join("\n"));
    const [kept, note] = cut.split("\n\n");
    expect(note).toBe("… cut here: GitHub shows no more");
    expect(kept?.split("\n")).toEqual(Array.from({ length: 65 }, () => line));
    expect(bytes(cut)).toBeLessThanOrEqual(65_000);
  });

  test("a line that just fits with the note is kept", () => {
    const note = bytes("\n\n… cut here: GitHub shows no more");
    const first = "a".repeat(65_000 - note - 1);
    expect(fitSummary(`${first}\n${"b".repeat(100)}`)).toBe(`${first}\n\n… cut here: GitHub shows no more`);
    expect(fitSummary(`${first}a\n${"b".repeat(100)}`)).toBe("\n\n… cut here: GitHub shows no more");
  });
});
