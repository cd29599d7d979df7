import { describe, expect, it } from "vitest";

import { code, escapeCell, fitTitle } from "./pull-request-facts.ts";

describe("what people wrote, in a check's text", () => {
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
