import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseRollouts } from "./parse.ts";

const page = readFileSync(new URL("../../docs/reference/findings.md", import.meta.url), "utf8");
const sections = page.split(/^(?=## )/mu).slice(1);

/** The YAML files of a section, in order. */
function readExamples(section: string): readonly string[] {
  return [...section.matchAll(/^```yaml\n([^]*?)^```$/gmu)].map((match) => match[1] ?? "");
}

const documented = sections.map((section) => [section.slice(3, 9), readExamples(section)] as const);
/** `libs/campaign` checks the examples of MR2…, which are about campaigns. */
const withExamples = documented.filter(([code, examples]) => code.startsWith("MR1") && examples.length > 0);

describe("docs/reference/findings.md", () => {
  it("has one section, in order, for each code that this folder can report", () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
    );
    const codes = sources.flatMap(
      (name) => readFileSync(new URL(name, import.meta.url), "utf8").match(/"MR\d{4}"/gu) ?? [],
    );
    const reported = new Set(codes.map((code) => code.slice(1, -1)));
    const titles = documented.map(([code]) => code);

    expect([...reported].filter((code) => !titles.includes(code))).toEqual([]);
    expect(titles).toEqual([...new Set(titles)].toSorted());
  });

  it.each(withExamples)("the first file of %s has the finding", (code, [broken = ""]) => {
    expect(parseRollouts(broken, "rollouts.yml").findings.map((finding) => finding.code)).toContain(code);
  });

  it.each(withExamples)("the second file of %s does not have it", (_code, [, fixed = ""]) => {
    expect(parseRollouts(fixed, "rollouts.yml")).toMatchObject({ ok: true, findings: [] });
  });

  it.each(withExamples)("%s has a fixture", (code) => {
    const fixtures = readdirSync(new URL("../../test/fixtures/rollouts/", import.meta.url));

    expect(fixtures.filter((name) => name.startsWith(code.toLowerCase()))).not.toEqual([]);
  });
});
