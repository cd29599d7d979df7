import { expect, test } from "vitest";

import { openStages } from "./stage-bench.ts";
import { campaignFile, campaignOf } from "./stage-campaign.ts";

const half = "meshroll/shop/half";

test("1.5 a new campaign for a bucket follows a finished one, whose open pull request is closed without a hold", async () => {
  const { flow, untilOpen, listPulls, github } = await openStages();
  await untilOpen(half);
  await flow.pass(31_000);
  const next = campaignOf().replace("name: shop }", "name: next }");
  flow.whenCampaignMerged({ "campaigns/next.yml": next });
  await flow.pass(93_000);
  const waits = (await flow.status())?.waiting.filter(({ code }) => code === "CampaignUnparsable");
  const during = await github.as("ana").findPullRequests("meshroll/next/half");
  flow.whenCampaignMerged({ "campaigns/done/shop.yml": campaignOf(), [campaignFile]: null });
  await flow.until("the next campaign proposes", async () => {
    return (await github.as("ana").findPullRequests("meshroll/next/half")).length > 0;
  });
  await flow.pass(31_000);

  expect(waits?.map(({ scope, message }) => [scope, message])).toEqual([
    [
      "campaign/next",
      expect.stringMatching(/campaigns\/shop\.yml:\d+:\d+ `production` is set at campaigns\/next\.yml:\d+:\d+ too/u),
    ],
    ["campaign/shop", expect.stringMatching(/`production` is set at campaigns\/next\.yml:\d+:\d+ too/u)],
  ]);
  expect(during).toEqual([]);
  expect(await listPulls()).toEqual(["half closed"]);
  expect((await flow.ledger())?.stops).toEqual({});
  await flow.end();
});
