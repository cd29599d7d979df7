import { expect, test } from "vitest";

import { FleetFlow } from "../fleet-flow.ts";
import { file, listMovedPaths, openShop, refOf, settingsOf } from "../shop.ts";
import { countMoves, countOn, makeCluster, untilMigrated } from "../six-clusters.ts";

const deploy = { image: "registry.example/web:2", templateLabels: { "istio.io/rev": "old" } };
const ofFleet = (drift: string) => settingsOf("batchSize: 2, readinessTimeout: 60s", `  drift: ${drift}\n`);
const ofBucket = (drift: string) => `buckets:\n  production: { drift: ${drift} }\n`;
const ofCluster = (drift: string) => `clusters:\n  one: { drift: ${drift} }\n`;

/** The nearest level counts: cluster, bucket, fleet. */
const levels = [
  { name: "the bucket converges, the fleet reports", settings: ofFleet("report") + ofBucket("converge"), want: 7 },
  { name: "the bucket reports, the fleet converges", settings: ofFleet("converge") + ofBucket("report"), want: 6 },
  {
    name: "the cluster reports, bucket and fleet converge",
    settings: ofFleet("converge") + ofBucket("converge") + ofCluster("report"),
    want: 6,
  },
  { name: "the cluster converges, the bucket reports", settings: ofBucket("report") + ofCluster("converge"), want: 7 },
];

test.each(levels)("an owner's deploy after a run, where $name: $want writes in all", async ({ settings, want }) => {
  const flow = await openShop({ settings });
  flow.whenMerged(file(100), settings);
  await flow.untilRunsEnd(1);
  flow.model("one").ownerApply(refOf("a"), deploy);
  await flow.pass(300_000);

  expect(listMovedPaths(flow)).toHaveLength(want);
  await flow.end();
});

const [near, far] = ["use1-a", "usw2-a"] as const;

test("a new cluster with the old label converges by itself, once", async () => {
  const flow = new FleetFlow();
  for (const name of [near, far]) flow.givenCluster(name, makeCluster(flow, name));
  flow.whenMerged(file(0), ofFleet("converge"));
  await flow.givenBaseline();
  await flow.startExecutor("act", 0, [near]).startPlanner().pass(30_000);
  flow.whenMerged(file(100));
  await untilMigrated(flow, [near]);
  await flow.untilRunsEnd(1);
  flow.startExecutor("act", 0, [far]);
  await flow.until("the new one is there", () => countOn(flow, far, "new") === 4);
  await flow.pass(600_000);

  expect(countMoves(flow, far)).toBe(4);
  await flow.end();
});

test("a cluster that a merge excluded while it was away converges once it is back and the line is gone", async () => {
  const flow = new FleetFlow();
  for (const name of [near, far]) flow.givenCluster(name, makeCluster(flow, name));
  flow.whenMerged(file(0), ofFleet("converge"));
  await flow.givenBaseline();
  await flow.startExecutor().startPlanner().pass(30_000);
  flow.model(far).faults.unavailableFor(3_600_000);
  flow.whenMerged(file(100), `${ofFleet("converge")}clusters:\n  ${far}: { excluded: true }\n`);
  await untilMigrated(flow, [near]);
  await flow.untilRunsEnd(1);
  await flow.pass(3_600_000);
  const excluded = countMoves(flow, far);
  flow.whenMerged(file(100), ofFleet("converge"));
  await flow.until("it is back", () => countOn(flow, far, "new") === 4);

  expect(excluded).toBe(0);
  await flow.end();
});
