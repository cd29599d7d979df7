import { evaluateFleet, tellAnswers } from "#libs/plan";
import { makeStop } from "#test/world/build";
import { instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, test } from "vitest";

import { type Listing, printListing } from "../../../cli/show/listing.ts";
import { listNamespaces, listWorkloads } from "../../../cli/show/rows/get-fleet-rows.ts";
import { listFailures } from "../../../cli/show/rows/get-left-rows.ts";
import { listRevisions } from "../../../cli/show/rows/get-revision-rows.ts";
import { listRuns } from "../../../cli/show/rows/get-run-rows.ts";
import { listBatches, listCampaigns, listHolds, listStages } from "../../../cli/show/rows/get-status-rows.ts";
import { narrowView } from "../../../cli/show/rows/narrow-view.ts";
import { printCampaign } from "../../../cli/show/status/print-campaign.ts";
import { printStatus } from "../../../cli/show/status/print-status.ts";
import { pickCampaign } from "../five-answers-words.ts";

const stop = makeStop({ id: "gate-1", scope: `run/${instantRun}`, cause: "gate", who: "meshroll planner" });
const snapshot = makeInstant({ stops: { [stop.id]: stop } });
const head = snapshot.specs.get(snapshot.main.head);
if (head === undefined) throw new Error("main does not parse");
const view = narrowView({ snapshot, head, evaluation: evaluateFleet(snapshot, head) }, {});
const status = statusOf(snapshot);
const campaign = pickCampaign(status);

const listings: Readonly<Record<string, Listing>> = {
  campaigns: listCampaigns(status, undefined),
  stages: listStages(status, undefined),
  runs: listRuns(snapshot.ledger, status, undefined),
  batches: listBatches(status, undefined),
  namespaces: listNamespaces(view, undefined),
  workloads: listWorkloads(view, undefined),
  holds: listHolds(status, undefined),
  failures: listFailures(view, undefined),
  revisions: listRevisions(view, undefined),
};

describe.each([80, 120])("at a terminal of %i columns", (width) => {
  test.each(Object.entries(listings))("get %s fits, and no cell of it is cut", (_, listing) => {
    const printed = printListing(listing, "human", width) ?? "";
    expect(listing.rows.length).toBeGreaterThan(0);
    expect(printed.split("\n").filter((line) => Array.from(line).length > width)).toEqual([]);
    expect(printed).not.toContain("…");
  });

  test.each([
    ["status", printStatus(status, tellAnswers(status), { terminal: { env: {} }, tz: "UTC", width })],
    ["status CAMPAIGN", printCampaign(campaign, tellAnswers(campaign), { terminal: { env: {} }, tz: "UTC", width })],
  ])("%s fits, and uses the width that there is", (_, printed) => {
    const longest = Math.max(...printed.split("\n").map((line) => Array.from(line).length));
    expect(longest).toBeLessThanOrEqual(width);
    expect(longest).toBeGreaterThan(width - 12);
  });
});
