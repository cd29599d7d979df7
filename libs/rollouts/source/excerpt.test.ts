import { describe, expect, it } from "vitest";
import { countSummary, renderFinding, renderFindings } from "./excerpt.ts";
import { parseRollouts } from "../parse.ts";

const text = `production:
  1-24-5: 100


".*-staging":
  1-24-5: 75
  1-25-2: 30

a-staging:
  1-24-5: 100

payments-.*:
  1–25–2: 100
`;

const { findings } = parseRollouts(text, "rollouts.yml");

function render(code: string): string {
  const finding = findings.find((one) => one.code === code);
  return finding === undefined ? "" : renderFinding(finding, text);
}

describe("renderFinding", () => {
  it("shows each share of a wrong sum", () => {
    expect(render("MR1004")).toBe(
      `error[MR1004]: percentages of this bucket add up to 105, not 100
  --> rollouts.yml:7:11
   |
 5 | ".*-staging":
 6 |   1-24-5: 75
   |           -- 75
 7 |   1-25-2: 30
   |           ^^ + 30 = 105
   = help: make it 25 if 1-24-5 should keep 75`,
    );
  });

  it("shows a shadowed pin next to the pattern that wins", () => {
    expect(render("MR1102")).toBe(
      `error[MR1102]: this pin never applies: a longer pattern wins
  --> rollouts.yml:9:1
   |
 5 | ".*-staging":
   | ------------ 10 characters, matches \`a-staging\` and is longer
 9 | a-staging:
   | ^^^^^^^^^ 9 characters
   = note: the longest matching pattern decides, by its length as written
   = help: write it anchored, \`^a-staging$\` (11 characters)`,
    );
  });

  it("shows a look-alike and what was meant", () => {
    expect(render("MR1011")).toBe(
      `error[MR1011]: revision \`1–25–2\` contains U+2013 EN DASH
  --> rollouts.yml:13:3
   |
13 |   1–25–2: 100
   |   ^^^^^^ looks like \`1-25-2\`, probably pasted from a web page
   = help: write \`1-25-2\``,
    );
  });

  it("shows two places on one line below that line", () => {
    const line = "production: {a: 50, a: 50}\n";
    const [finding] = parseRollouts(line, "r.yml").findings;

    expect(finding && renderFinding(finding, line).split("\n").slice(3, 6)).toEqual([
      " 1 | production: {a: 50, a: 50}",
      "   |              - first written here",
      "   |                     ^ and again here",
    ]);
  });

  it("keeps the underline below its text in a long line, and cuts the rest", () => {
    const line = `production: {${Array.from({ length: 40 }, (_, index) => `r${index}: 0`).join(", ")}, "x y": 100}\n`;
    const [finding] = parseRollouts(line, "r.yml").findings;
    const rows = finding === undefined ? [] : renderFinding(finding, line).split("\n");
    const under = /\^+/u.exec(rows[4] ?? "");

    expect(rows.slice(3, 5).every((row) => row.length < 120)).toBe(true);
    expect(rows[3]?.slice(under?.index, (under?.index ?? 0) + 5)).toBe('"x y"');
  });

  it("never prints a control character of the file", () => {
    const line = "production: {a\u001B[31m: 100}\n";
    const [finding] = parseRollouts(line, "r.yml").findings;

    expect(finding && renderFinding(finding, line)).not.toContain("\u001B");
  });

  it("shows no line of an empty file", () => {
    const [finding] = parseRollouts("", "r.yml").findings;

    expect(finding && renderFinding(finding, "")).toBe(
      "error[MR1018]: the file has no buckets\n  --> r.yml:1:1\n   = help: write `production:` and below it, indented, `<revision>: 100`",
    );
  });

  it("widens the margin with the line numbers", () => {
    const long = `${"\n".repeat(1233)}production: {a: 99}\n`;
    const [finding] = parseRollouts(long, "r.yml").findings;

    expect(finding && renderFinding(finding, long).split("\n").slice(1, 5)).toEqual([
      "    --> r.yml:1234:17",
      "     |",
      "1234 | production: {a: 99}",
      "     |                 ^^ the only one",
    ]);
  });

  it("joins all findings of a file", () => {
    expect(renderFindings(findings, text).split("\n\n")).toHaveLength(findings.length);
    expect(renderFindings([], text)).toBe("");
  });
});

describe("countSummary", () => {
  it.each([
    [[], "no findings"],
    [["error"], "1 error"],
    [["note", "error", "warning", "error"], "2 errors, 1 warning, 1 note"],
  ] as const)("%j", (severities, want) => {
    const some = severities.map((severity) => ({
      severity,
      code: "MR1004",
      file: "r.yml",
      line: 1,
      column: 1,
      message: "x",
    }));

    expect(countSummary(some)).toBe(want);
  });
});
