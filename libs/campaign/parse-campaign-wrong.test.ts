import { describe, expect, it } from "vitest";

import { parseCampaign } from "./parse-campaign.ts";
import { builtInSettings } from "./settings/settings.ts";

const head =
  "apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata:\n  name: up\nspec:\n  target: new\n  replaces: [old]\n";
const oneStage = "  stages:\n    - { name: all, set: { production: 100 } }\n";
const withStage = (fields: string): string => `  stages:\n    - { name: all, set: { production: 100 }, ${fields} }\n`;

interface BadCase {
  readonly name: string;
  readonly text: string;
  /** `code line:column` of each finding. */
  readonly want: readonly string[];
  readonly wantText?: RegExp;
}

describe("parseCampaign: invalid files", () => {
  const spec = (fields: string): string => `${head}  ${fields}\n${oneStage}`;
  const gate = (fields: string): string => head + withStage(`gates: [{ name: a, ${fields} }]`);
  const cases: readonly BadCase[] = [
    { name: "an empty file", text: "", want: ["MR3002 1:1"] },
    {
      name: "a settings file",
      text: "defaults: {bake: 1h}\n",
      want: ["MR3001 1:1", "MR3002 1:1", "MR3002 1:1", "MR3002 1:1", "MR3002 1:1"],
    },
    {
      name: "another kind",
      text: (head + oneStage).replace("Campaign", "Campain"),
      want: ["MR3002 2:7"],
      wantText: /did you mean Campaign/,
    },
    {
      name: "no target",
      text: (head + oneStage).replace("  target: new\n", ""),
      want: ["MR3002 6:3"],
      wantText: /needs `target`/,
    },
    {
      name: "a target that it replaces",
      text: (head + oneStage).replace("[old]", "[old, new]"),
      want: ["MR3002 7:13"],
    },
    { name: "a target with an en dash", text: (head + oneStage).replace("new", "1–25–2"), want: ["MR3002 6:11"] },
    {
      name: "a target that some readers take for a number",
      text: (head + oneStage).replace("new", "1.25"),
      want: ["MR3002 6:11"],
      wantText: /"1.25"/,
    },
    {
      name: "an exclusion that is a shell pattern",
      text: spec('exclude: [{ pattern: "payments-*", reason: x }]'),
      want: ["MR1020 8:24"],
      wantText: /`-\*` is any number of `-` here, and not any text as in a shell/,
    },
    {
      name: "an exclusion that no namespace's name can match",
      text: spec("exclude: [{ pattern: Payments-.*, reason: x }]"),
      want: ["MR1020 8:24"],
    },
    { name: "a slip in a field", text: spec("exlude: []"), want: ["MR3001 8:3"], wantText: /did you mean `exclude`/ },
    {
      name: "a field of a later version",
      text: spec("vms: {}"),
      want: ["MR3006 8:3"],
      wantText: /comes in a later version/,
    },
    { name: "a calendar of a later version", text: spec("freezes: [{calendar: a.ics}]"), want: ["MR3006 8:14"] },
    { name: "a probe of a later version", text: gate("job: {cluster: a}"), want: ["MR3006 9:65"] },
    { name: "a deadline without a unit", text: head + withStage("deadline: 28"), want: ["MR3004 9:56"] },
    { name: "a share of 0", text: `${head}  stages: [{name: all, set: {production: 0}}]\n`, want: ["MR3002 8:42"] },
    { name: "a stage that sets nothing", text: `${head}  stages: [{name: all, set: {}}]\n`, want: ["MR3002 8:29"] },
    { name: "a stage without a name", text: `${head}  stages: [{set: {production: 5}}]\n`, want: ["MR3002 8:12"] },
    {
      name: "a gate of two kinds",
      text: gate("revisionMatch: {}, proxySync: {}"),
      want: ["MR3002 9:54"],
      wantText: /a gate has exactly one/,
    },
    { name: "a gate without a kind", text: gate("when: after"), want: ["MR3002 9:54"], wantText: /measures nothing/ },
    { name: "a ratio above 1", text: gate("revisionMatch: {minRatio: 1.5}"), want: ["MR3002 9:91"] },
    {
      name: "a query without limit",
      text: gate("prometheus: {query: up}"),
      want: ["MR3002 9:77"],
      wantText: /limits nothing/,
    },
    {
      name: "a placeholder in a query that no gate fills in",
      text: gate('prometheus: {query: "up{ns=\\"${namespace}\\"}", max: 1}'),
      want: ["MR3002 9:85"],
      wantText: /did you mean \$\{namespaces\}/,
    },
    {
      name: "a query compared with itself",
      text: gate("prometheus: {query: up, maxRatioToBaseline: 2}"),
      want: ["MR3002 9:109"],
    },
    { name: "a name in two waves", text: spec("clusters: {order: [[a], [b, a]]}"), want: ["MR3002 8:21"] },
    { name: "a cluster in capitals", text: spec("clusters: {order: [[A]]}"), want: ["MR3002 8:23"] },
    {
      name: "an exclusion that is not a pattern",
      text: spec('exclude: [{pattern: "(?!a)b", reason: x}]'),
      want: ["MR1006 8:23"],
    },
    {
      name: "a day that does not exist",
      text: spec("exclude: [{pattern: a, reason: x, until: 2026-02-30}]"),
      want: ["MR3002 8:44"],
    },
    {
      name: "a freeze without an offset",
      text: spec("freezes: [{from: 2026-12-01T00:00:00, to: 2026-12-02T00:00:00Z, reason: x}]"),
      want: ["MR3002 8:20"],
    },
    {
      name: "a freeze that ends first",
      text: spec("freezes: [{from: 2026-12-02T00:00Z, to: 2026-12-01T00:00Z, reason: x}]"),
      want: ["MR3002 8:13"],
    },
    {
      name: "a zone with a slip",
      text: spec('windows: [{schedule: "0 9 * * *", duration: 8h, timeZone: Europe/Berln}]'),
      want: ["MR3002 8:61"],
      wantText: /did you mean Europe\/Berlin/,
    },
    {
      name: "an offset as a zone",
      text: spec('windows: [{schedule: "0 9 * * *", duration: 8h, timeZone: "+01:00"}]'),
      want: ["MR3002 8:61"],
    },
    {
      name: "a channel behind a comment",
      text: spec("notify: {slack: {channel: #mesh\n    }}"),
      want: ["MR3002 8:20"],
      wantText: /has no value/,
    },
    {
      name: "a channel without #",
      text: spec("notify: {slack: {channel: mesh}}"),
      want: ["MR3002 8:29"],
      wantText: /in quotes/,
    },
  ];
  it.each(cases)("refuses $name", ({ text, want, wantText = /./ }) => {
    const { ok, findings } = parseCampaign(text, "campaigns/up.yml", builtInSettings);
    expect(findings.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(want);
    expect(ok).toBe(false);
    expect(`${findings[0]?.message}; ${findings[0]?.help}`).toMatch(wantText);
  });

  const schedules = [
    "* 9 * * *",
    "0 9 * *",
    "0 9 * * * *",
    "@daily",
    "60 9 * * *",
    "0 25 * * *",
    "0 9 31 2 *",
    "0 9 * * 8",
    "0 9 L * *",
    "0 9 * * 1#2",
  ];
  it.each(schedules)("refuses the schedule %s", (schedule) => {
    const text = spec(`windows: [{schedule: "${schedule}", duration: 8h, timeZone: UTC}]`);
    const { findings } = parseCampaign(text, "campaigns/up.yml", builtInSettings);
    expect(findings.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(["MR3002 8:24"]);
  });
});

describe("parseCampaign: hostile files", () => {
  const flood = (line: string): string => line.repeat(Math.floor((32 * 1024) / line.length) - 1);
  const hostile: readonly { name: string; text: string | Uint8Array; want: RegExp }[] = [
    { name: "more than 1 MiB", text: "# a\n".repeat(300_000), want: /^MR1015$/ },
    { name: "10,000 brackets", text: "[\n".repeat(10_000), want: /^MR1015$/ },
    { name: "400 brackets", text: "[".repeat(400), want: /^MR1001$/ },
    { name: "a flood of one key", text: flood("a: b\n"), want: /^MR3003$/ },
    { name: "a flood of commas", text: `[\n${flood(",\n")}`, want: /^MR1001$/ },
    { name: "a flood of quotes", text: flood("'\n"), want: /^MR1001$/ },
    { name: "complex keys", text: "? ".repeat(400), want: /^MR3009$/ },
    { name: "an alias", text: `${head}  owners: &a []\n  exclude: *a\n${oneStage}`, want: /^MR3009$/ },
    { name: "__proto__", text: `${head}  __proto__: {}\n${oneStage}`, want: /^MR3001$/ },
    { name: "bytes that are not UTF-8", text: new Uint8Array([0xff, 0xfe, 0x41]), want: /^MR1017$/ },
    {
      name: "patterns that multiply",
      text: `${head}  exclude: [{ pattern: "((a{60}){60}){60}", reason: x }]\n${oneStage}`,
      want: /^MR1006$/,
    },
    { name: "101 stages", text: `${head}  stages:\n${"    - name: a\n".repeat(101)}`, want: /^MR3002$/ },
    {
      name: "11 windows",
      text: `${head}  windows:\n${'    - schedule: "0 9 * * *"\n'.repeat(11)}${oneStage}`,
      want: /^MR3002$/,
    },
  ];
  it.each(hostile)("refuses $name, with at most 50 findings of this file", ({ text, want }) => {
    const { ok, findings } = parseCampaign(text, "campaigns/up.yml", builtInSettings);
    expect(ok).toBe(false);
    expect(findings[0]?.code).toMatch(want);
    expect(findings.length).toBeLessThanOrEqual(50);
    expect(findings[0]?.help ?? "").not.toMatch(/meshroll\.yml|rollouts\.yml/);
  });
});
