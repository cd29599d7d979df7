import { builtInSettings } from "#libs/campaign";
import { compileSpec, type Spec } from "#libs/plan";
import { printDemand } from "#libs/wording";
import { sha } from "#test/world/build";
import { request, filesOf, mainSha } from "#test/world/pull-request";
import { describe, expect, it } from "vitest";

import { describeChange } from "./judge-change.ts";
import { listRules } from "./judge-rules.ts";

const path = "campaigns/shop.yml";
const text = `apiVersion: meshroll.dev/v1
kind: Campaign
metadata: { name: shop }
spec:
  target: new
  replaces: [old]
  stages:
    - { name: some, set: { production: 25, .*-stg: 10 }, approvals: { required: 1, from: ["team:mesh"] } }
    - { name: half, set: { production: 50 }, approvals: { required: 2, from: ["team:mesh"] } }
    - { name: all, set: { production: 100 }, approvals: { required: 3, from: ["team:mesh"] } }
`;
const file = (production: number, staging: number, pay: number): string =>
  [
    ["production", production],
    [".*-stg", staging],
    ["pay-.*", pay],
  ]
    .map(([name, percent]) => `${name}:\n  old: ${100 - Number(percent)}\n  new: ${percent}\n`)
    .join("");

function compile(commit: string, [production, staging, pay]: Shares, settings: string | undefined): Spec {
  const compiled = compileSpec(commit, file(production, staging, pay), settings, { [path]: text });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

type Shares = readonly [production: number, staging: number, pay: number];

interface Case {
  readonly name: string;
  readonly main?: Shares;
  readonly after?: Shares;
  readonly campaigns?: readonly string[];
  readonly settingsAfter?: string;
  readonly settings?: string;
  readonly want: readonly string[];
}

const own = "`meshroll.yml` needs 1 approval (not the author's)";
const some = "`shop`, stage `some`, needs 1 approval from team:mesh (not the author's)";
const half = "`shop`, stage `half`, needs 2 approvals from team:mesh (not the author's)";

function list({ main = [0, 0, 0], after = main, campaigns = [], settings, settingsAfter = settings }: Case) {
  const before = compile(mainSha, main, settings);
  const changed = ["rollouts.yml", ...campaigns];
  const merged = { kind: "files", texts: {}, campaigns, changed, compiled: { ok: true, findings: [] } } as const;
  const compiled = { ...merged.compiled, spec: compile(sha("head"), after, settingsAfter) };
  const question = request(filesOf(""), { main: before });
  const change = describeChange({ ...merged, compiled }, before, question.snapshot);
  return listRules(question, change).map(({ rule, cause }) => printDemand(rule, cause));
}

describe("1.5 10.1 whose approval a change needs", () => {
  const cases: readonly Case[] = [
    { name: "the rule of the stage that it reaches", after: [50, 0, 0], want: [half] },
    { name: "below every stage, the rule of the first one", after: [10, 0, 0], want: [some] },
    {
      name: "the rule of the stage that sets its bucket, not of a later one",
      main: [50, 0, 0],
      after: [50, 10, 0],
      want: [some],
    },
    { name: "for a bucket without a campaign, the rule of meshroll.yml", after: [0, 0, 10], want: [own] },
    { name: "for buckets with and without a campaign, both rules", after: [50, 0, 10], want: [half, own] },
    { name: "for settings, the rule of meshroll.yml", settingsAfter: "defaults: { bake: 1h }\n", want: [own] },
    {
      name: "for another seed, both rules: everything is forward",
      settingsAfter: "assignment: { algorithm: wrh1, seed: '2' }\n",
      want: [some, own],
    },
    {
      name: "for a campaign that main does not have, the rule of meshroll.yml",
      campaigns: ["campaigns/new.yml"],
      want: [own],
    },
    {
      name: "for a campaign that main has, the rule of its next stage",
      main: [25, 10, 0],
      campaigns: [path],
      want: ["A change of `campaigns/shop.yml` needs 2 approvals from team:mesh (not the author's)"],
    },
    {
      name: "for a campaign whose stages are all reached, the rule of the last one",
      main: [100, 100, 0],
      campaigns: [path],
      want: ["A change of `campaigns/shop.yml` needs 3 approvals from team:mesh (not the author's)"],
    },
    { name: "the same rule once", after: [10, 0, 0], campaigns: [path], want: [some] },
    {
      name: "meshroll.yml's rule as main has it, not as the change makes it",
      settings: "defaults: { approvals: { required: 2, allowAuthor: true } }\n",
      settingsAfter: "defaults: { approvals: 0 }\n",
      want: ["`meshroll.yml` needs 2 approvals"],
    },
  ];
  it.each(cases)("$name", (each) => expect(list(each)).toEqual(each.want));

  it("the built-in rule if main's files are unknown", () => {
    const question = request({ kind: "untouched" }, { snapshot: { specs: new Map(), ledger: undefined } });
    expect(listRules(question, undefined).map(({ rule }) => rule)).toEqual([builtInSettings.approvals]);
  });
});
