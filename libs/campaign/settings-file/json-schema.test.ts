import { readdirSync, readFileSync } from "node:fs";

import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { parseRollouts } from "#libs/rollouts";

import { jsonSchemas } from "./json-schema.ts";
import { parseCampaign } from "../parse-campaign.ts";
import { parseSettings } from "./parse-settings.ts";
import { builtInSettings } from "../settings/settings.ts";

const at = (path: string): URL => new URL(`../../../${path}`, import.meta.url);
const names = Object.keys(jsonSchemas);
const validators = new Map(
  Object.entries(jsonSchemas).map(([name, schema]) => [
    name,
    new Ajv({ strict: true, allErrors: true, strictRequired: false, strictTypes: false }).compile(schema),
  ]),
);

/** ajv's complaints about a file, as one text; empty = valid. */
function validate(name: string, text: string): string {
  const check = validators.get(name);
  if (check === undefined) throw new Error(`there is no ${name}`);
  return check(parse(text))
    ? ""
    : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join("\n");
}

const examples = (page: string): readonly string[] =>
  Array.from(readFileSync(at(page), "utf8").matchAll(/```yaml\n([^]*?)```/g), (match) => match[1] ?? "");

const campaigns = readdirSync(at("test/fixtures/campaigns"))
  .filter((name) => name.endsWith(".yml"))
  .map((name) => [name, readFileSync(at(`test/fixtures/campaigns/${name}`), "utf8")] as const);
const right = campaigns.filter(([name, text]) => parseCampaign(text, name, builtInSettings).ok);

describe("schema/", () => {
  it.each(names)(
    "%s is generated from the parsers (fix: node scripts/write-schemas.ts, with the Node of node_modules/.bin)",
    (name) => {
      expect(JSON.parse(readFileSync(at(`schema/${name}`), "utf8"))).toEqual(
        JSON.parse(JSON.stringify(jsonSchemas[name])),
      );
    },
  );

  it("has no file that is not written by the script", () => {
    expect(readdirSync(at("schema")).toSorted()).toEqual(names.toSorted());
  });

  it("accepts every campaign fixture that parses", () => {
    expect(right.length).toBeGreaterThan(3);
    for (const [name, text] of right)
      expect({ name, said: validate("campaign.json", text) }).toEqual({ name, said: "" });
  });

  it("accepts every settings file of the reference that parses", () => {
    const files = examples("docs/reference/meshroll-yml.md").filter((text) => parseSettings(text, "meshroll.yml").ok);
    expect(files.length).toBeGreaterThan(2);
    for (const text of files) expect({ text, said: validate("meshroll.json", text) }).toEqual({ text, said: "" });
  });

  const rollouts = readdirSync(at("test/fixtures/rollouts"))
    .filter((name) => name.endsWith(".yml"))
    .map((name) => ({ name, bytes: readFileSync(at(`test/fixtures/rollouts/${name}`)) }));
  const isRight = (bytes: Buffer): boolean => parseRollouts(bytes, "rollouts.yml").ok;

  it.each(rollouts.filter(({ bytes }) => isRight(bytes)))(
    "rollouts.json accepts $name, as the parser does",
    ({ bytes }) => {
      expect(validate("rollouts.json", bytes.toString("utf8"))).toBe("");
    },
  );

  /**
   * A schema cannot express these: sums, syntax of YAML and of patterns, repeated keys, spelling of numbers, which pattern
   * wins.
   */
  const unseen = /^mr(?:1001|1002|1004|1006|1007|1013|1015|1017|1020|1102)/;

  it("rollouts.json refuses every fixture with an error that a schema can express", () => {
    const seen = rollouts.filter(({ name, bytes }) => !isRight(bytes) && !unseen.test(name));
    expect(seen.length).toBeGreaterThan(4);
    for (const { name, bytes } of seen)
      expect({ name, isValid: validate("rollouts.json", bytes.toString("utf8")) === "" }).toEqual({
        name,
        isValid: false,
      });
  });

  const campaign = (spec: string): string =>
    `apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: {name: up}\nspec:\n  target: new\n  replaces: [old]\n${spec}`;
  const stage = (fields: string): string =>
    campaign(`  stages:\n    - {name: all, set: {production: 100}, ${fields}}\n`);
  const parsers: Readonly<Record<string, (text: string) => { readonly ok: boolean }>> = {
    "campaign.json": (text) => parseCampaign(text, "up.yml", builtInSettings),
    "meshroll.json": (text) => parseSettings(text, "meshroll.yml"),
    "rollouts.json": (text) => parseRollouts(text, "rollouts.yml"),
  };
  const wrong: readonly { name: string; file: string; text: string }[] = [
    { name: "an unknown field", file: "campaign.json", text: stage("bakes: 1h") },
    { name: "no stages", file: "campaign.json", text: campaign("  stages: []\n") },
    {
      name: "a freeze without an offset",
      file: "campaign.json",
      text: stage("freezes: [{from: 2026-12-01T00:00:00, to: 2026-12-02T00:00:00, reason: x}]"),
    },
    { name: "an unknown field", file: "meshroll.json", text: "defaults: {batch: {size: 3}}\n" },
    { name: "a batch of 0", file: "meshroll.json", text: "defaults: {batch: {batchSize: 0}}\n" },
    { name: "no default bucket", file: "rollouts.json", text: "ads: {a: 100}\n" },
    { name: "a percentage in quotes", file: "rollouts.json", text: 'production: {a: "100"}\n' },
    { name: "a percentage above 100", file: "rollouts.json", text: "production: {a: 101, b: -1}\n" },
    { name: "a revision that is not a label value", file: "rollouts.json", text: "production: {-a: 100}\n" },
    { name: "a bucket without revisions", file: "rollouts.json", text: "production: {}\n" },
    { name: "a cluster in capitals", file: "meshroll.json", text: "clusters: {Prod: {excluded: true}}\n" },
  ];
  it.each(wrong)("$file and the parser both refuse $name", ({ file, text }) => {
    const { ok } = parsers[file]?.(text) ?? { ok: true };
    expect({ ok, isValid: validate(file, text) === "" }).toEqual({ ok: false, isValid: false });
  });
});
