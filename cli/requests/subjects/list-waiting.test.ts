import type { FleetStatus } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { listWaiting } from "./list-waiting.ts";

type Campaigns = NonNullable<FleetStatus["campaigns"]>;

function makeCampaigns(...states: readonly ("open" | "merged" | "closed")[]): Pick<FleetStatus, "campaigns"> {
  const campaigns = states.map((state, index) => ({
    name: `istio-${index}`,
    pull: { stage: "prod-25", number: index + 1, url: "https://x/pull/1", branch: `b-${index}`, state, headSha: "a" },
  }));
  return { campaigns: campaigns as unknown as Campaigns };
}

describe("pull requests that wait", () => {
  it("are the open ones of campaigns, with their branch and stage", () => {
    expect(listWaiting(makeCampaigns("merged", "open"))).toEqual([
      { number: 2, url: "https://x/pull/1", branch: "b-1", stage: "stage prod-25 of istio-1" },
    ]);
  });

  it("are empty before a campaign has one", () => {
    expect(listWaiting({})).toEqual([]);
    expect(listWaiting(makeCampaigns("closed"))).toEqual([]);
  });
});
