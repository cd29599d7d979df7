import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { type Finding, parseRollouts, type Rollouts } from "#libs/rollouts";

import type { Campaign } from "./settings/campaign.ts";
import { checkCampaigns } from "./check-campaigns.ts";
import { checkBuckets } from "./settings/check-buckets.ts";
import { checkSeed } from "./settings/check-seed.ts";
import { parseCampaign } from "./parse-campaign.ts";
import { parseSettings } from "./settings-file/parse-settings.ts";
import { planRamp } from "./ramp/plan-ramp.ts";
import { builtInSettings } from "./settings/settings.ts";

const folder = new URL("../../test/fixtures/campaigns/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const broken = readdirSync(folder).filter((name) => /^mr[23]0\d\d.*\.yml$/.test(name));

function rolloutsOf(text: string): Rollouts {
  const parsed = parseRollouts(text, "rollouts.yml");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value;
}

const rollouts = rolloutsOf(read("rollouts.yml"));

function campaignOf(name: string): Campaign {
  const parsed = parseCampaign(read(name), name, builtInSettings);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value;
}

/** The findings of all checks in a file. */
function findAll(name: string): readonly Finding[] {
  if (name.endsWith("-meshroll.yml")) {
    const settings = parseSettings(read(name), name);
    const before = rolloutsOf("production: { a: 100 }\n.*-staging: { a: 75, b: 25 }\n");
    if (!settings.ok) return settings.findings;
    const seed = checkSeed(
      { rollouts: before, settings: builtInSettings },
      { rollouts, settings: settings.value },
      name,
    );
    return [...settings.findings, ...seed, ...checkBuckets(settings.value, rollouts, name)];
  }
  const parsed = parseCampaign(read(name), name, builtInSettings);
  if (!parsed.ok) return parsed.findings;
  const together = checkCampaigns([campaignOf("istio-1-25.yml"), parsed.value], rollouts);
  const ramps = parsed.value.stages.map((stage) => planRamp(parsed.value, stage, rollouts));
  const refused = ramps.flatMap((ramp) => (ramp.ok ? [] : ramp.findings)).filter(({ code }) => code === "MR2010");
  return [...parsed.findings, ...together, ...refused];
}

describe("fixtures", () => {
  it.each(["istio-1-24-6.yml", "istio-1-25.yml"])("%s parses with 0 findings, and all its buckets exist", (name) => {
    const parsed = parseCampaign(read(name), `campaigns/${name}`, builtInSettings);
    expect(parsed.findings).toEqual([]);
    expect(parsed.ok && checkCampaigns([parsed.value], rollouts)).toEqual([]);
  });

  it.each(broken)("%s gives exactly the findings in its name", (name) => {
    const want = /^# want: (.*)$/mu.exec(read(name))?.[1];
    const findings = findAll(name);

    expect(findings.map(({ code, line, column }) => `${code} ${line}:${column}`).join(" ")).toBe(want);
    expect(findings.filter(({ file }) => file !== name)).toEqual([]);
    // MR3002 itself says what is accepted, so it may have no help.
    expect(findings.filter(({ code, help }) => help === undefined && code !== "MR3002")).toEqual([]);
    expect(name.startsWith((findings[0]?.code ?? "").toLowerCase())).toBe(true);
  });

  it("there is one for each code that this folder can report", () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
    );
    const text = sources.map((name) => readFileSync(new URL(name, import.meta.url), "utf8")).join("\n");
    const codes = [...new Set(text.match(/"MR[23]\d{3}"/g))].map((code) => code.slice(1, -1).toLowerCase());
    expect(codes).toHaveLength(22);
    for (const code of codes) expect(broken.filter((name) => name.startsWith(code))).not.toEqual([]);
  });
});
