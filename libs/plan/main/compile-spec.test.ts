import { builtInSettings } from "#libs/campaign";
import { expect, test } from "vitest";

import { chooseCampaignPaths, compileSpec } from "./compile-spec.ts";

const rollouts = "production: { old: 100 }\n";

function settingsOf(text: string | undefined) {
  const compiled = compileSpec("c", rollouts, text);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec.settings;
}

test("1.4 without meshroll.yml all settings have built-in values", () => {
  expect(settingsOf(undefined)).toEqual(builtInSettings);
});

test("1.4 meshroll.yml's defaults count field by field; the rest has built-in values", () => {
  const settings = settingsOf("defaults:\n  batch: { batchSize: 7 }\n");
  const batch = { ...builtInSettings.batch, batchSize: 7 };
  expect(settings).toEqual({ ...builtInSettings, batch, rollbackBatch: batch });
});

test("1.4 a run takes the settings of main's head", () => {
  expect(settingsOf("defaults:\n  strategy: Window\n").strategy).toBe("Window");
});

test.each([
  ["1.7 no rollouts.yml", undefined, undefined],
  ["1.7 a rollouts.yml that does not parse", "production: { old: 50 }\n", undefined],
  ["1.7 a meshroll.yml that does not parse", rollouts, "defaults: { batch: { batchSize: none } }\n"],
])("%s: the commit does not parse, and the place is named", (_, text, settings) => {
  const compiled = compileSpec("c", text, settings);
  expect([compiled.ok, compiled.findings[0]?.severity]).toEqual([false, "error"]);
});

test("1.1 comments and order do not change the parsed file", () => {
  const [one, two] = ["production: { a: 50, b: 50 }\n", "# why\nproduction: { b: 50, a: 50 }\n"].map((text) => {
    const compiled = compileSpec("c", text, undefined);
    return compiled.ok ? ["x", "y", "z"].map((name) => compiled.spec.resolver.resolve(name).revision) : [];
  });
  expect(one).toEqual(two);
});

const campaign = (name: string, bucket = "production"): string =>
  [
    `apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: ${name} }\nspec:\n  target: new\n  replaces: [old]`,
    `  stages:\n    - { name: all, set: { ${bucket}: 100 }, bake: 2h }\n`,
  ].join("\n");

test("1.4 a campaign's stage overrides meshroll.yml, which overrides built-in values", () => {
  const texts = { "campaigns/up.yml": campaign("up") };
  const compiled = compileSpec("c", rollouts, "defaults:\n  batch: { batchSize: 7 }\n", texts);
  const stage = compiled.ok ? compiled.spec.campaigns.get("up")?.stages[0] : undefined;
  expect(compiled.findings).toEqual([]);
  expect(stage?.settings.bake).toBe(7_200_000);
  expect(stage?.settings.batch).toEqual({ ...builtInSettings.batch, batchSize: 7 });
});

test.each([
  ["one that does not parse", { "campaigns/up.yml": "kind: Campaign\n" }, "MR3002"],
  ["another name than the file's", { "campaigns/up.yml": campaign("down") }, "MR2009"],
  ["a bucket that does not exist", { "campaigns/up.yml": campaign("up", "gone") }, "MR2003"],
  ["two on one bucket", { "campaigns/a.yml": campaign("a"), "campaigns/b.yml": campaign("b") }, "MR2007"],
  ["two of one name", { "campaigns/a.yaml": campaign("a"), "campaigns/a.yml": campaign("a") }, "MR2009"],
])("1.7 campaigns: %s: the commit parses, all that take part are held, and the place is named", (_, texts, code) => {
  const free = { "campaigns/free.yml": campaign("free", "other") };
  const compiled = compileSpec("c", `${rollouts}other:\n  old: 100\n`, undefined, { ...texts, ...free });
  const unread = compiled.ok ? (compiled.spec.unread ?? []) : [];
  expect(unread.map(({ file, finding }) => [file, finding.code])).toEqual(
    Object.keys(texts).map((file) => [file, code]),
  );
  expect(compiled.findings[0]?.file).toBe(Object.keys(texts).at(-1));
});

test.each([
  ["campaigns/up.yml", true],
  ["campaigns/up.yaml", true],
  ["campaigns/done/up.yml", false],
  ["campaigns/up.yml.orig", false],
  ["campaigns/.yml", false],
  ["old/campaigns/up.yml", false],
  ["rollouts.yml", false],
])("1.5 %s is a campaign's file: %s", (path, want) => {
  expect(chooseCampaignPaths([path])).toEqual(want ? [path] : []);
});

/** Many small campaigns that all set one bucket, so that each contradicts each other one. */
function manyCampaigns(count: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: count }, (_, index) => `c${index}`);
  return Object.fromEntries(names.map((name) => [`campaigns/${name}.yml`, campaign(name)]));
}

test("4,000 campaign files give one finding, and none of them is read", () => {
  const compiled = compileSpec("c", rollouts, undefined, manyCampaigns(4000));
  const found = compiled.findings.map(({ code, file, severity }) => [code, file, severity]);
  expect(found).toEqual([["MR1015", "campaigns", "error"]]);
  expect(compiled.ok && [compiled.spec.campaigns.size, compiled.spec.unreadFolder?.code]).toEqual([0, "MR1015"]);
});

test("a hundred contradicting campaign files give a bounded list of findings, and each is held", () => {
  const compiled = compileSpec("c", rollouts, undefined, manyCampaigns(100));
  expect([compiled.ok && compiled.spec.unread?.length, compiled.findings.length]).toEqual([100, 51]);
  expect(compiled.findings.at(-1)?.message).toMatch(/the rest is not listed/);
});

test("only campaign files of a folder are chosen, in order, up to one more than allowed", () => {
  const paths = [
    "campaigns/b.yml",
    "campaigns/done/a.yml",
    "campaigns/a.yaml",
    "campaigns/notes.md",
    "campaigns/b.yml",
  ];
  expect(chooseCampaignPaths(paths)).toEqual(["campaigns/a.yaml", "campaigns/b.yml"]);
  expect(chooseCampaignPaths(Object.keys(manyCampaigns(4000)))).toHaveLength(101);
});
