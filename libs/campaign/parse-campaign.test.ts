import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import type { Campaign } from "./settings/campaign.ts";
import { parseCampaign } from "./parse-campaign.ts";
import { builtInSettings, type Settings } from "./settings/settings.ts";

const head =
  "apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata:\n  name: up\nspec:\n  target: new\n  replaces: [old]\n";
const oneStage = "  stages:\n    - { name: all, set: { production: 100 } }\n";
const minute = 60_000;

function parse(spec: string): Campaign {
  const parsed = parseCampaign(head + spec, "campaigns/up.yml", builtInSettings);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value;
}

describe("parseCampaign: valid files", () => {
  it("has the built-in values where the file has none", () => {
    expect(parse(oneStage)).toEqual({
      name: "up",
      file: "campaigns/up.yml",
      target: "new",
      replaces: ["old"],
      owners: [],
      exclude: [],
      clusters: { order: [], delayBetweenWaves: 0 },
      stages: [
        {
          name: "all",
          set: { production: 100 },
          settings: builtInSettings,
          line: 9,
          places: { production: { line: 9, column: 27, length: 10 } },
        },
      ],
    });
  });

  const example = readFileSync(new URL("../../test/fixtures/campaigns/istio-1-25.yml", import.meta.url));

  function readExample(): Campaign {
    const parsed = parseCampaign(example, "campaigns/istio-1-25.yml", builtInSettings);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
    return parsed.value;
  }

  function settingsAt(index: number): Settings {
    const stage = readExample().stages.at(index);
    if (stage === undefined) throw new Error("there is no such stage");
    return stage.settings;
  }

  it("reads the long example's campaign and its stages", () => {
    const { stages, exclude, clusters, ...rest } = readExample();
    expect(rest).toMatchObject({
      target: "1-25-2",
      replaces: ["1-24-5"],
      maxVersion: "1.25.999",
      owners: ["team:mesh"],
    });
    expect(exclude).toMatchObject([
      { pattern: "payments-.*", reason: "PCI audit MESH-398", until: Date.parse("2026-12-04T00:00:00Z") },
    ]);
    expect(["payments-api", "xpayments-api", "payments-"].map((name) => exclude[0]?.matches(name))).toEqual([
      true,
      false,
      true,
    ]);
    expect(clusters).toEqual({
      order: [["stage-use1"], ["prod-use1-a"], ["prod-use1-b", "prod-usw2-a"], ["prod-euw1-a", "prod-apne1-a"]],
      concurrency: 2,
      delayBetweenWaves: 30 * minute,
    });
    expect(
      stages.map(({ name, set, settings: { bake, autoMerge } }) => [name, set, bake / minute / 60, autoMerge]),
    ).toEqual([
      ["preflight", { "istio-e2e": 100 }, 2, { notice: 0 }],
      ["staging-25", { ".*-staging": 25 }, 4, { notice: 30 * minute }],
      ["staging-100", { ".*-staging": 100 }, 24, { notice: 30 * minute }],
      ["prod-5", { production: 5 }, 48, undefined],
      ["prod-25", { production: 25 }, 24, undefined],
      ["prod-50", { production: 50 }, 24, undefined],
      ["prod-100", { production: 100 }, 24, undefined],
      ["payments", { "payments-.*": 100 }, 24, undefined],
    ]);
  });

  it("reads the long example's fields for all stages", () => {
    const first = settingsAt(0);
    expect(first.gates.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "restarts restartHealth",
      "proxies proxySync",
      "on-revision revisionMatch",
      "error-rate prometheus",
    ]);
    expect(first.gates.at(-1)).toMatchObject({
      max: 0.02,
      maxRatioToBaseline: 1.25,
      interval: 5 * minute,
      failureLimit: 2,
    });
    expect(first.freezes).toEqual([
      { from: Date.parse("2026-11-26T08:00:00Z"), to: Date.parse("2026-11-30T14:00:00Z"), reason: "Thanksgiving peak" },
    ]);
    expect(first.windows).toMatchObject([{ kind: "allow", duration: 480 * minute, timeZone: "Europe/Berlin" }]);
    expect(first.batch).toMatchObject({
      batchSize: 5,
      failurePolicy: "ContinueOnError",
      maxFailures: { percent: 1 },
    });
  });

  it("reads the long example's fields of its last stage", () => {
    const last = settingsAt(-1);
    expect(last.batch).toEqual({
      batchSize: 1,
      delayBetweenBatches: minute,
      readinessTimeout: 10 * minute,
      maxUnavailable: { percent: 2 },
      failurePolicy: "FailFast",
      maxAttempts: 1,
    });
    expect(last.rollbackBatch).toMatchObject({
      batchSize: 20,
      delayBetweenBatches: 0,
      readinessTimeout: 10 * minute,
    });
    expect(last.approvals).toEqual({
      required: 2,
      from: ["team:mesh", "team:payments-oncall"],
      allowAuthor: false,
    });
    expect(last.notify).toEqual({
      slack: { channel: "#mesh-rollouts", broadcast: ["failed", "paused", "approvalNeeded", "completed"] },
      github: { dashboardIssue: true, deployments: true, labels: ["mesh"] },
    });
    expect(last.rollback).toMatchObject({ on: ["gateFailed", "maxFailures"], scope: "stage", mode: "pr" });
  });

  const spans: readonly { name: string; until: string; want: string }[] = [
    { name: "a date", until: "2026-12-04", want: "2026-12-04T00:00:00Z" },
    { name: "a time east of UTC", until: "2026-12-04T09:30:00+05:30", want: "2026-12-04T04:00:00Z" },
    { name: "a time in UTC, without seconds", until: "2026-12-04T09:30Z", want: "2026-12-04T09:30:00Z" },
    { name: "a leap day", until: "2028-02-29", want: "2028-02-29T00:00:00Z" },
  ];
  it.each(spans)("reads $name", ({ until, want }) => {
    const spec = `  exclude: [{ pattern: a, reason: audit, until: ${until} }]\n${oneStage}`;
    expect(parse(spec).exclude[0]?.until).toBe(Date.parse(want));
  });

  it("is read without a name check when its file name is not known", () => {
    expect(parseCampaign(head + oneStage, "(stdin)", builtInSettings).ok).toBe(true);
  });
});

describe("parseCampaign: valid, but probably not meant", () => {
  const warn = (text: string) =>
    parseCampaign(text, "campaigns/up.yml", builtInSettings).findings.map(
      ({ code, severity, line, column, help }) => `${severity} ${code} ${line}:${column} ${help ?? ""}`,
    );

  it("warns of a target and of replaced revisions that istioctl refuses", () => {
    const text = (head + oneStage).replace("new", '"1.25.2"').replace("[old]", "[Old]");
    expect(warn(text)).toEqual([
      "warning MR1021 6:11 write `1-25-2`, unless it is a revision tag",
      "warning MR1021 7:14 write `old`, unless it is a revision tag",
    ]);
  });

  it("warns of a shell pattern that protects nothing", () => {
    const text = `${head}  ignoreBudgets: [{ pattern: payments-*, reason: audit }]\n${oneStage}`;
    expect(warn(text)).toEqual(["warning MR1020 8:30 write `payments-.*`; `payments[-]*` if it is meant as it stands"]);
  });

  it("reads whose disruption budgets it ignores, with the place", () => {
    const { ignoreBudgets } = parse(`  ignoreBudgets: [{ pattern: pay-.*, reason: audit }]\n${oneStage}`);
    expect(ignoreBudgets).toMatchObject([
      {
        pattern: "pay-.*",
        reason: "audit",
        place: { line: 8, column: 30, length: 6 },
      },
    ]);
    expect(ignoreBudgets?.[0]?.matches("pay-api")).toBe(true);
  });
});
