import { makeLedger, makeRun, makeSpec, sha } from "#test/world/build";
import { makeCampaign } from "#test/world/campaigns/campaign";
import { expect, test } from "vitest";

import type { RunRecord } from "../records/index.ts";
import { archiveLimits, listEnded } from "./choose-ended.ts";

const campaign = makeCampaign({ name: "up" });
const head = { ...makeSpec(sha("head"), 50), campaigns: new Map([["up", campaign]]) };
const limits = { ...archiveLimits, newestRuns: 1, runsOfCampaign: 1 };

/** An ended run, with nothing in any cluster. */
function ended(id: string, order: number, change: Partial<RunRecord> = {}): RunRecord {
  return makeRun(sha(id), sha("base"), { id, order, state: "done", clusters: {}, ...change });
}

test.each<{ name: string; runs: readonly RunRecord[]; want: readonly string[] }>([
  { name: "all but the newest run", runs: [ended("a", 1), ended("b", 2), ended("c", 3)], want: ["a", "b"] },
  { name: "an open run stays, however old", runs: [ended("a", 1, { state: "open" }), ended("b", 2)], want: [] },
  {
    name: "the newest run of a campaign and of each of its stages stay",
    runs: [
      ended("a", 1, { campaign: "up", stage: "first" }),
      ended("b", 2, { campaign: "up", stage: "first" }),
      ended("c", 3, { campaign: "up", stage: "second" }),
      ended("d", 4, { campaign: "up", stage: "third" }),
      ended("e", 5),
    ],
    want: ["a"],
  },
  {
    name: "the newest run that a cluster has seen stays",
    runs: [
      ended("a", 1, { clusters: { one: { openedAt: "2026-11-19T12:00:00.000Z", unhealthyBefore: [] } } }),
      ended("b", 2),
    ],
    want: [],
  },
])("leaves the live part of the ledger: $name", ({ runs, want }) => {
  const ledger = makeLedger({ runs: Object.fromEntries(runs.map((run) => [run.id, run])) });
  expect(listEnded(ledger, head, limits).runs.map(({ id }) => id)).toEqual(want);
});
