import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { parseSettings } from "./parse-settings.ts";
import { builtInSettings } from "./settings.ts";

const page = readFileSync(new URL("../../docs/reference/meshroll-yml.md", import.meta.url), "utf8");
const examples = Array.from(page.matchAll(/```yaml\n([^]*?)```/g), (match) => match[1] ?? "");

/** The rows of the field table: field, value, built in. */
const rows = Array.from(page.matchAll(/^\| `([^`]+)` +\| ([^|]+) \| ([^|]+) \|/gm), (match) => {
  return { path: match[1] ?? "", builtIn: (match[3] ?? "").trim() };
});

describe("docs/reference/meshroll-yml.md", () => {
  it("has a section for each code that the parser reports", () => {
    const sources = readdirSync(new URL(".", import.meta.url)).filter((name) => !name.endsWith(".test.ts"));
    const text = sources.map((name) => readFileSync(new URL(name, import.meta.url), "utf8")).join("\n");
    const codes = new Set(text.match(/MR3\d{3}/g));
    expect(codes.size).toBeGreaterThan(7);
    for (const code of codes) expect(page).toContain(`\n### ${code}\n`);
  });

  it("shows files that are right, and beside each finding one that is wrong", () => {
    const marked = page.indexOf("## Findings");
    for (const example of examples) {
      const { ok } = parseSettings(example, "meshroll.yml");
      expect({ example, ok }).toEqual({ example, ok: page.indexOf(example) < marked });
    }
  });

  it("lists every field that the parser accepts", () => {
    const accepted = rows.filter(({ path }) => {
      const text = path.split(".").map((name, depth) => `${"  ".repeat(depth)}${name}:`);
      return parseSettings(text.join("\n"), "meshroll.yml").findings.every(({ code }) => code !== "MR3001");
    });
    expect(accepted).toHaveLength(15);
    expect(rows).toHaveLength(15);
  });

  it("names the built-in values", () => {
    const file = rows
      .filter(({ builtIn, path }) => builtIn.startsWith("`") && path.startsWith("defaults.batch."))
      .map(({ path, builtIn }) => `    ${path.split(".")[2]}: ${builtIn.replaceAll("`", "")}`);
    const parsed = parseSettings(`defaults:\n  batch:\n${file.join("\n")}\n`, "meshroll.yml");
    expect(parsed).toMatchObject({ ok: true, value: builtInSettings });
    expect(file).toHaveLength(5);
  });
});
