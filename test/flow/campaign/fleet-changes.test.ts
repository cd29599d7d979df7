import { createModel } from "#fakes/kube";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { fill, nameShops, refOf, settingsOf } from "../shop.ts";
import { openStages } from "./stage-bench.ts";
import { campaignOf } from "./stage-campaign.ts";

const minute = 60_000;
const [half, all] = ["meshroll/shop/half", "meshroll/shop/all"];
const stay = ["a", "b", "c", "d", "e"];
const names = [...stay, "f"];
const more = ["g", "h", "i", "j", "k", "l"];
const batch = settingsOf("batchSize: 1");

function addShop(flow: FleetFlow, cluster: string, name: string): void {
  const labels = { "istio.io/rev": "old" };
  flow.model(cluster).addDeployment({ ns: `shop-${name}`, name: "web", replicas: 2, labels, readyMs: 5000 });
}

/** Adds a cluster with the same shops and starts its executor. */
function join(flow: FleetFlow, cluster: string): void {
  const model = createModel({ clock: flow.clock, seed: cluster });
  flow.givenCluster(cluster, fill(model, nameShops(names))).startExecutor("act", 0, [cluster]);
}

function isOnNew(flow: FleetFlow, cluster: string, name: string): boolean {
  const pods = flow.model(cluster).podsOf(refOf(name));
  return pods.length > 0 && pods.every(({ revision }) => revision === "new");
}

const title =
  "11 when namespaces and clusters come and go in a campaign, all are moved or named, and the next pull request says so";

test(title, async () => {
  const { flow, github, untilOpen, approve, merge } = await openStages(campaignOf(), { settings: batch });
  join(flow, "leaves");
  await untilOpen(half);
  const run = await approve(half);
  await flow.until("a first workload moves", () => names.some((name) => isOnNew(flow, "one", name)), 10 * minute);

  const left = stay.filter((name) => isOnNew(flow, "leaves", name));
  flow.model("one").deleteNamespace("shop-f");
  for (const name of more) addShop(flow, "one", name);
  join(flow, "joins");
  flow.whenCampaignMerged({ "meshroll.yml": `${batch}clusters:\n  leaves: { excluded: true }\n` });
  await flow.until("the stage is over", async () => (await flow.runs()).some(({ state }) => state === "done"));

  const moved = (cluster: string, of: readonly string[]) => of.filter((name) => isOnNew(flow, cluster, name));
  const record = (await flow.runs()).find(({ id }) => id === run);
  const differences = record?.outcome?.differences ?? [];
  const named = differences.map(({ cluster, workload, why }) => `${cluster}:${workload.split("/")[0]} ${why}`);
  const newcomers = [
    ...moved("one", more).map((name) => `one:shop-${name} late`),
    ...moved("joins", names).map((name) => `joins:shop-${name} late`),
  ];
  expect(newcomers.length).toBeGreaterThan(3);
  expect(named).toEqual(expect.arrayContaining(["one:shop-f gone", ...newcomers]));
  expect(moved("leaves", names).length - left.length).toBeLessThanOrEqual(1);
  expect(record?.outcome?.skipped.map(({ cluster, code }) => `${cluster} ${code}`)).toEqual(
    names
      .filter((name) => isOnNew(flow, "joins", name) && !isOnNew(flow, "leaves", name))
      .map(() => "leaves ClusterExcluded"),
  );

  const { number } = await untilOpen(all);
  const { body } = github.readText(number);
  const late = differences.filter(({ why }) => why === "late").length;
  expect(body).toContain(`| differences from the list | ${differences.length} |  | – | 1 gone, ${late} late |`);
  expect(body).toContain("`leaves:shop-a/Deployment/web`: stays skipped: ClusterExcluded");

  const before = moved("leaves", names);
  await merge(all);
  expect([moved("one", [...stay, ...more]), moved("joins", names)]).toEqual([[...stay, ...more], names]);
  expect(moved("leaves", names)).toEqual(before);
  expect((await flow.status())?.skipped).toMatchObject({ codes: [{ code: "ClusterExcluded" }] });
  await flow.end();
});
