import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { escapeMarkdown, quoteMarkdown } from "#libs/scm";
import { clipHeader, clipLines, escapeMrkdwn, linkMrkdwn, quoteMrkdwn } from "./mrkdwn.ts";

/** Texts that people may put into a subject, a reason or a name, with bad intentions or without. */
const hostile = [
  "<!channel>",
  "<!here|x>",
  "<@U012AB3CD>",
  "<!subteam^S1>",
  "<https://evil.example|click>",
  "@here",
  "@channel",
  "@acme/mesh",
  "#123",
  "acme/rollouts#7",
  "GH-12",
  "[click](https://evil.example)",
  "![x](https://evil.example/x.png)",
  "<img src=x onerror=alert(1)>",
  "<!-- meshroll:status -->",
  "https://evil.example/a?b=c",
  "www.evil.example",
  "mailto:a@b.example",
  "`code` @here",
  "``` @here",
  "*bold* _it_ ~no~",
  "| a | b |",
  "# heading",
  "1. list",
  "- list",
  "\u001B[31mred\u001B[0m",
  "\u202Eright to left",
  "a\nb\r\nc",
  "&lt;!here&gt;",
  "\\@here",
  "x".repeat(10_000),
];

const text = fc
  .array(fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: "binary" })))
  .map((parts) => parts.join(""));
const one = fc.oneof(fc.constantFrom(...hostile), text);

/** The text without its code spans, as GitHub reads them. */
function cutCode(markdown: string): string {
  return markdown.replace(/(`+)[^`]*\1/g, "");
}

describe("no text from outside mentions an account or becomes a link", () => {
  it("in Slack: no angle bracket, and no name after an @", () => {
    fc.assert(
      fc.property(one, (given) => {
        for (const shown of [escapeMrkdwn(given), quoteMrkdwn(given)]) {
          expect(shown).not.toMatch(/[<>]/);
          expect(shown).not.toMatch(/[\p{Cc}\u202A-\u202E]/u);
        }
        expect(escapeMrkdwn(given)).not.toMatch(/@[\w]/);
        expect(clipHeader(given)).not.toMatch(/@[\w]/);
      }),
      { numRuns: 300 },
    );
  });

  it("on GitHub: no mention, reference, address, HTML or comment outside of a code span", () => {
    fc.assert(
      fc.property(one, (given) => {
        const shown = escapeMarkdown(given);
        expect(shown).not.toMatch(/[<>]/);
        expect(shown).not.toMatch(/[@#](?!&#8203;)(?<!&#)/);
        expect(shown).not.toMatch(/https?:|www\.|mailto:|ftp:/i);
        expect(shown).not.toMatch(/(?<!\\)[`*_|[\]]/);
        expect(cutCode(quoteMarkdown(given))).toBe("");
      }),
      { numRuns: 300 },
    );
  });

  it("a link of ours has a plain address, or is shown as text", () => {
    expect(linkMrkdwn("https://github.com/acme/r/pull/7", "pull request 7")).toBe(
      "<https://github.com/acme/r/pull/7|pull request 7>",
    );
    for (const url of ["javascript:alert(1)", "https://a|b", "https://a><!here>", "", "https://a b"]) {
      expect(linkMrkdwn(url, "<!here>")).toBe("&lt;!here&gt;");
    }
  });

  it("a code span has the exact name, so that a command can be copied", () => {
    expect(quoteMrkdwn('meshroll pause run/abc --reason "…"')).toBe('`meshroll pause run/abc --reason "…"`');
    expect(quoteMarkdown("shop/Deployment/web")).toBe("`shop/Deployment/web`");
    expect(quoteMarkdown("a|b`c")).toBe("`a\\|b'c`");
  });

  it("long ones are cut between characters, never within one", () => {
    expect(escapeMrkdwn("😀".repeat(20), 5)).toBe("😀😀😀😀…");
    expect(clipHeader("x".repeat(1000))).toHaveLength(150);
  });

  it("plain words stay readable", () => {
    expect(escapeMrkdwn("production: 5 → 25 % (INC-9921)")).toBe("production: 5 → 25 % (INC-9921)");
    expect(escapeMarkdown("production: 5 → 25 %")).toBe("production: 5 → 25 %");
  });
});

describe("too many lines", () => {
  it("are dropped as whole lines, and counted", () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index} &lt;x&gt;`);
    const shown = clipLines(lines, 300);
    expect(shown.length).toBeLessThanOrEqual(300);
    expect(shown).toMatch(/… and \d+ more$/);
    expect(shown.split("\n").slice(0, -1)).toEqual(lines.slice(0, shown.split("\n").length - 1));
  });
});
