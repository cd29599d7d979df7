import { describe, expect, it } from "vitest";

import { parseRollouts } from "#libs/rollouts";

import type { Campaign } from "./settings/campaign.ts";
import { checkCampaigns } from "./check-campaigns.ts";
import { parseCampaign } from "./parse-campaign.ts";
import { builtInSettings } from "./settings/settings.ts";

function makeCampaign(file: string, buckets: readonly string[]): Campaign {
  const name = file.replace(/\.ya?ml$/, "");
  const text = [
    `apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: ${name} }\nspec:\n  target: new\n  replaces: [old]`,
    "  stages:",
    ...buckets.map((bucket, index) => `    - { name: s${index}, set: { ${bucket}: 100 } }\n`),
  ].join("\n");
  const parsed = parseCampaign(text, `campaigns/${file}`, builtInSettings);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value;
}

const rollouts = parseRollouts("production: { old: 100 }\nsearch: { old: 100 }\n", "rollouts.yml");

/** `code file line:column` of each finding. */
function check(...campaigns: readonly Campaign[]): readonly string[] {
  if (!rollouts.ok) throw new Error("the fixture does not parse");
  const findings = checkCampaigns(campaigns, rollouts.value);
  expect(findings.every(({ severity, help }) => severity === "error" && help !== undefined)).toBe(true);
  return findings.map(({ code, file, line, column }) => `${code} ${file} ${line}:${column}`);
}

describe("checkCampaigns", () => {
  const cases: readonly { name: string; campaigns: readonly Campaign[]; want: readonly string[] }[] = [
    { name: "one", campaigns: [makeCampaign("a.yml", ["production", "search"])], want: [] },
    {
      name: "two on different buckets",
      campaigns: [makeCampaign("a.yml", ["production"]), makeCampaign("b.yml", ["search"])],
      want: [],
    },
    {
      name: "two on one bucket: the later one is reported, once for each bucket",
      campaigns: [
        makeCampaign("a.yml", ["production", "search"]),
        makeCampaign("b.yml", ["search", "production", "search"]),
      ],
      want: ["MR2007 campaigns/b.yml 8:26", "MR2007 campaigns/b.yml 10:26"],
    },
    {
      name: "two files of one name",
      campaigns: [makeCampaign("a.yaml", ["production"]), makeCampaign("a.yml", ["search"])],
      want: ["MR2009 campaigns/a.yml 1:1"],
    },
    {
      name: "a bucket that does not exist, named where it is named first",
      campaigns: [makeCampaign("a.yml", ["search", "gone", "gone"])],
      want: ["MR2003 campaigns/a.yml 10:26"],
    },
  ];
  it.each(cases)("$name", ({ campaigns, want }) => {
    expect(check(...campaigns)).toEqual(want);
  });

  it("says where the other campaign sets the bucket", () => {
    if (!rollouts.ok) throw new Error("the fixture does not parse");
    const [finding] = checkCampaigns(
      [makeCampaign("a.yml", ["production"]), makeCampaign("b.yml", ["production"])],
      rollouts.value,
    );
    expect(finding).toMatchObject({
      message: "`production` is set at campaigns/a.yml:8:26 too: a bucket belongs to one unfinished campaign",
      help: "finish one of the two first: `meshroll finish a` moves its file to campaigns/done/",
    });
  });
});
