import { narrowToCluster, tellAnswers } from "#libs/plan";
import { makeStop } from "#test/world/build";
import { instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { expect, test } from "vitest";

import { printStatus } from "../../../cli/show/status/print-status.ts";

const stop = makeStop({ id: "v1", scope: "cluster/prod-use1-b", who: "ana", why: "5xx" });
const status = statusOf(makeInstant({ stops: { [stop.id]: stop } }));
const parts = status.clusters.map((each) => narrowToCluster(status, each));
const find = (name: string) => {
  const part = parts.find(({ cluster }) => cluster === name);
  if (part === undefined) throw new Error(`no cluster ${name}`);
  return part;
};
const print = (name: string) =>
  printStatus(find(name), tellAnswers(find(name)), { terminal: { env: {} }, tz: "UTC", width: 80 });

test("the figures of all clusters add up to those of the fleet", () => {
  const [run] = status.runs;
  const shares = parts.flatMap(({ runs }) => runs);
  for (const figure of ["workloads", "migrated", "migrating", "pending", "waiting", "skippedTotal"] as const)
    expect(shares.reduce((sum, each) => sum + each[figure], 0)).toBe(run?.[figure]);
  for (const list of ["failures", "skipped"] as const)
    expect(parts.reduce((sum, each) => sum + (each[list]?.count ?? 0), 0)).toBe(status[list]?.count);
  expect(parts.flatMap(({ failures }) => failures?.items ?? [])).toEqual(status.failures?.items);
});

test("a cluster has its own counts, waits and stops, and names no other cluster", () => {
  const text = print("prod-use1-a");
  expect(text).toContain("in cluster prod-use1-a alone");
  expect(text).toContain(`run ${instantRun}  4/5 migrated`);
  expect(text).toContain("1 workload failed, in 1 namespace");
  expect(text).toContain("meshroll get failures --cluster prod-use1-a");
  expect(text).toContain('meshroll pause cluster/prod-use1-a --reason "…"');
  expect(text.replaceAll(/prod-use1-a/gu, "")).not.toMatch(/stage-use1|prod-u|prod-e|prod-ap/u);
});

test("a stop on one cluster is shown there alone", () => {
  expect(find("prod-use1-b").stops.map(({ id }) => id)).toEqual(["v1"]);
  expect(find("prod-usw2-a").stops).toEqual([]);
});
