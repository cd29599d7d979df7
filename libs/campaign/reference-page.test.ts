import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import type { Schema } from "./fields/field.ts";
import { jsonSchemas } from "./settings-file/json-schema.ts";
import { parseSettings } from "./settings-file/parse-settings.ts";
import { builtInGates, builtInSettings } from "./settings/settings.ts";

const page = readFileSync(new URL("../../docs/reference/meshroll-yml.md", import.meta.url), "utf8");
const examples = Array.from(page.matchAll(/```yaml\n([^]*?)```/g), (match) => match[1] ?? "");

/** The rows of the field table: field, value, built-in value. */
const rows = Array.from(page.matchAll(/^\| `([^`]+)` +\| ([^|]+) \| ([^|]+) \|/gm), (match) => {
  return { path: match[1] ?? "", builtIn: (match[3] ?? "").trim() };
});

describe("docs/reference/meshroll-yml.md", () => {
  it("has a section for each code that the parser reports", () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
    );
    const text = sources.map((name) => readFileSync(new URL(name, import.meta.url), "utf8")).join("\n");
    const codes = new Set(text.match(/MR3\d{3}/g));
    expect(codes.size).toBeGreaterThan(7);
    for (const code of codes) expect(page).toContain(`\n### ${code}\n`);
  });

  it("shows valid files, and an invalid one next to each finding", () => {
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
    expect(accepted).toHaveLength(36);
    expect(rows).toHaveLength(36);
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

interface Accepted {
  readonly path: string;
  readonly builtIn?: unknown;
}

/** Every field of a schema as the page names it. What the stage, defaults and campaign levels share is named once. */
function listFields(schema: Schema, path = ""): readonly Accepted[] {
  const own = path.replace(/^spec\.(?:stages\[\]\.(?!(?:name|description|set|skipDefaultGates)$)|defaults\.)?/, "");
  const forms = [schema, ...((schema["anyOf"] ?? []) as readonly Schema[])];
  const children = forms.flatMap(({ properties }) => Object.entries((properties ?? {}) as Record<string, Schema>));
  const items = schema["items"] as Schema | undefined;
  const inner = Object.entries((items?.["properties"] ?? {}) as Record<string, Schema>);
  const isValue =
    inner.length + children.length === 0 || forms.some(({ type }) => type === "boolean" || type === "integer");
  const builtIn = schema["default"];
  const field = { path: own, ...(builtIn !== undefined && { builtIn }) };
  if (own === "rollback.batch") return [field];
  return [
    ...(isValue ? [field] : []),
    ...children.flatMap(([name, child]) => listFields(child, path === "" ? name : `${path}.${name}`)),
    ...inner.flatMap(([name, child]) => listFields(child, `${path}[].${name}`)),
  ];
}

describe("docs/reference/campaigns.md", () => {
  const text = readFileSync(new URL("../../docs/reference/campaigns.md", import.meta.url), "utf8");
  const described = Array.from(text.matchAll(/^\| `([^`]+)` +\| ([^|]+) \| ([^|]*) \| ([^|]+) \|$/gm), (match) => {
    return { path: match[1] ?? "", unless: (match[3] ?? "").trim() };
  }).filter(({ path }) => !builtInGates.some(({ name }) => name === path));
  const accepted = new Map(listFields(jsonSchemas["campaign.json"] ?? {}).map((field) => [field.path, field]));

  it("describes exactly the fields that the parser accepts", () => {
    expect(described.map(({ path }) => path).toSorted()).toEqual([...accepted.keys()].toSorted());
  });

  it("names the built-in values", () => {
    const wanted = described.map(({ path, unless }) => {
      const builtIn = accepted.get(path)?.builtIn;
      if (builtIn === undefined) return { path, unless: unless === "" ? "" : "**required**" };
      return { path, unless: `\`${typeof builtIn === "string" ? builtIn : JSON.stringify(builtIn)}\`` };
    });
    expect(described).toEqual(wanted);
  });

  it("shows the fixtures", () => {
    for (const name of ["istio-1-24-6.yml", "istio-1-25.yml"]) {
      expect(text).toContain(readFileSync(new URL(`../../test/fixtures/campaigns/${name}`, import.meta.url), "utf8"));
    }
  });

  it("names the gates that are built in, with their limits", () => {
    for (const { name, kind, when } of builtInGates)
      expect(text).toMatch(new RegExp(`\\| \`${name}\` +\\| \`${kind}\` +\\| \`${when}\``));
  });
});
