import { expect, test } from "vitest";

import { drawTitle } from "./draw-title.ts";
import { makeCampaign, makePull, makeStatus } from "../test-status.ts";

const hold = {
  id: "rollback-1",
  scope: "bucket/production",
  strength: "move",
  cause: "rolledBack",
  who: "ana",
  why: "run a17ecec1ed5f was rolled back",
  from: "ledger",
  overdue: false,
  command: 'meshroll unhold bucket/production --reason "…"',
} as const;

const cases: Readonly<Record<string, { readonly status: Parameters<typeof makeStatus>[0]; readonly want: string }>> = {
  "a rollback's hold is what keeps the stage back": {
    status: { campaigns: [makeCampaign()], stops: [hold] },
    want: "held after a rollback",
  },
  "a pull request waits for a review": {
    status: { campaigns: [makeCampaign({ pull: makePull("prod-25") })] },
    want: "#3 waits for a review",
  },
  "no pull request is open": { status: { campaigns: [makeCampaign()] }, want: "between two stages" },
};

for (const [name, { status, want }] of Object.entries(cases))
  test(`between two runs the title says that ${name}`, () => {
    expect(drawTitle(makeStatus(status), 80)[1]).toMatch(new RegExp(`^${want} +\\S+ managed workloads$`, "u"));
  });
