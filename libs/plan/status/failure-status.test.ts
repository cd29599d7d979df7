import { failed, makeCluster, makeRun, makeWorkload, runId, sha } from "#test/world/build";
import { makeCampaign, makeCampaignSnapshot } from "#test/world/campaigns/campaign";
import { clusters } from "#test/world/decide-cases";
import { expect, test } from "vitest";

import { evaluateFleet } from "../index/index.ts";
import type { LedgerState } from "../records/index.ts";
import { describeFailures, listFleetFailures } from "./failure-status.ts";

const gone = "aaaaaaaaaaaa";

/** The status of failures of that run, of 120 workloads in 60 namespaces. */
function describe(by: string, ledger: Partial<LedgerState> = {}) {
  const many = Array.from({ length: 120 }, (_, index) => makeWorkload(`shop-${index % 60}/w${index}`));
  const cluster = makeCluster(
    "one",
    many.map((each) => failed(each, "new", by)),
  );
  const snapshot = makeCampaignSnapshot({ campaign: makeCampaign(), ledger, clusters: clusters(cluster) });
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("main does not parse");
  return describeFailures(listFleetFailures(evaluateFleet(snapshot, head), head, snapshot), []);
}

test("all are counted, a hundred are listed, and namespaces are counted by their names", () => {
  const told = describe(runId);
  expect([told.count, told.namespaces, told.items.length]).toEqual([120, 60, 100]);
  expect(told.items[0]).toMatchObject({ run: runId, campaign: "up", revision: "new", code: "ReadinessTimeout" });
});

test.each([
  {
    name: "a failure of a run that is not in the ledger any more has the campaign that asks for its revision",
    ledger: {},
    want: "up",
  },
  {
    name: "a failure of a run without a campaign has no campaign",
    ledger: { runs: { [gone]: { ...makeRun(sha("head"), sha("base")), id: gone, state: "done" as const } } },
    want: undefined,
  },
])("$name", ({ ledger, want }) => {
  expect(describe(gone, ledger).items[0]?.campaign).toBe(want);
});
