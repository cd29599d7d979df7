import { printCampaignFile } from "#libs/wording";
import type { Campaign } from "#libs/campaign";
import type { Spec } from "#libs/plan";
import { makeCampaign, makeStage, withCampaign } from "#test/world/campaigns/campaign";
import { headSha, mainSha, specOf } from "#test/world/pull-request";
import { expect, test } from "vitest";

import { judgeCampaignFiles } from "./judge-campaigns.ts";

const file = "production:\n  old: 50\n  new: 50\n";
const names = ["a", "b", "c", "d"];
const up = makeCampaign({ stages: [makeStage("half", 50), makeStage("all", 100)] });

/** The check's text about `campaigns/up.yml`, from main's version to the merged one. */
function print(had: Campaign | undefined, has: Campaign | undefined, text = file): string {
  const dress = (spec: Spec, campaign: Campaign | undefined) =>
    campaign === undefined ? spec : withCampaign(spec, campaign);
  const [before, after] = [dress(specOf(mainSha, text), had), dress(specOf(headSha, text), has)];
  const campaigns = ["campaigns/up.yml"];
  const none = {
    buckets: [],
    forward: new Set<string>(),
    settings: false,
    isAlone: false,
    unread: [],
    isRollback: false,
    isNothing: false,
  };
  return judgeCampaignFiles({ before, after, campaigns, ...none }, names)
    .map(printCampaignFile)
    .join("\n\n");
}

test("a new campaign begins, a changed one continues", () => {
  const tail = "`up` %s to `new`, in place of `old`.\n\n| stage | sets | namespaces that move |\n";
  expect(print(undefined, up)).toContain(`\`campaigns/up.yml\`: ${tail.replace("%s", "begins")}`);
  expect(print(up, up)).toContain(`\`campaigns/up.yml\`: ${tail.replace("%s", "continues")}`);
});

test("a deleted campaign proposes nothing any more; another file is reported as no unfinished campaign", () => {
  expect(print(up, undefined)).toBe("`campaigns/up.yml`: `up` proposes nothing any more.");
  expect(print(undefined, undefined)).toBe("`campaigns/up.yml`: It is not an unfinished campaign.");
});

test("a stage is shown as reached, or with the number of namespaces that it moves after those before it", () => {
  const rows = print(undefined, up).split("\n").slice(-2);
  expect(rows[0]).toBe("| `half` | `production` 50 % | reached |");
  expect(rows[1]).toMatch(/^\| `all` \(next\) \| `production` 100 % \| [1-4] \|$/u);
});

test("a stage that cannot be proposed says why, and the next one is counted without it", () => {
  const stages = [{ ...makeStage("lost", 75), set: { "gone-.*": 75 } }, makeStage("all", 100)];
  const rows = print(undefined, makeCampaign({ stages })).split("\n").slice(-2);
  expect(rows[0]).toMatch(/^\| `lost` \(next\) \| `gone-\.\*` 75 % \| cannot be proposed: .+ \|$/u);
  expect(rows[1]).toMatch(/^\| `all` \| `production` 100 % \| [1-4] \|$/u);
});
