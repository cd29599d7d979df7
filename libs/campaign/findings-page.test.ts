import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { parseRollouts } from "#libs/rollouts";

import type { Campaign } from "./settings/campaign.ts";
import { checkCampaigns } from "./check-campaigns.ts";
import { parseCampaign } from "./parse-campaign.ts";
import { planRamp } from "./ramp/plan-ramp.ts";
import { builtInSettings } from "./settings/settings.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const rollouts = parseRollouts(read("test/fixtures/campaigns/rollouts.yml"), "rollouts.yml");
const other = parseCampaign(read("test/fixtures/campaigns/istio-1-25.yml"), "istio-1-25.yml", builtInSettings);

const sections = read("docs/reference/findings.md")
  .split(/^(?=## MR2)/mu)
  .slice(1)
  .map(
    (section) =>
      [section.slice(3, 9), [...section.matchAll(/^```yaml\n([^]*?)^```$/gmu)].map((match) => match[1] ?? "")] as const,
  );
const withExamples = sections.filter(([, examples]) => examples.length > 0);

function findAfter(campaign: Campaign): readonly string[] {
  if (!rollouts.ok || !other.ok) throw new Error("a fixture does not parse");
  const ramps = campaign.stages.map((stage) => planRamp(campaign, stage, rollouts.value));
  const found = [
    ...checkCampaigns([other.value, campaign], rollouts.value),
    ...ramps.flatMap((ramp) => (ramp.ok ? [] : ramp.findings)),
  ];
  return found.map(({ code }) => code);
}

/** The codes of all findings in a campaign with this rest of `spec`. */
function findCodes(spec: string): readonly string[] {
  const head =
    "apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: up }\nspec:\n  target: 1-25-2\n  replaces: [1-24-5]\n";
  const parsed = parseCampaign(head + spec.replaceAll(/^/gmu, "  "), "up.yml", builtInSettings);
  return [...parsed.findings.map(({ code }) => code), ...(parsed.ok ? findAfter(parsed.value) : [])];
}

describe("docs/reference/findings.md, MR2…", () => {
  it("has a section for each code that this folder can report", () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
    );
    const text = sources.map((name) => readFileSync(new URL(name, import.meta.url), "utf8")).join("\n");
    const codes = [...new Set(text.match(/"MR2\d{3}"/g))].map((code) => code.slice(1, -1)).toSorted();
    expect(sections.map(([code]) => code)).toEqual(codes);
    expect(withExamples).toHaveLength(codes.length - 1);
  });

  it.each(withExamples)("the first file of %s has the finding", (code, [broken = ""]) => {
    expect(new Set(findCodes(broken))).toContain(code);
  });

  it.each(withExamples)("the second file of %s does not have it", (_code, [, fixed = ""]) => {
    expect(findCodes(fixed)).toEqual([]);
  });
});
