import { readClusterFacts } from "#libs/events";
import type { RevisionFacts } from "#libs/fleet";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, settingsOf } from "../shop.ts";

/** A revision as the planner reads it from the bus. */
async function readRevision(flow: FleetFlow, name: string): Promise<RevisionFacts | undefined> {
  const entry = await flow.bucket("inventory").get("one._");
  const facts = entry?.value === undefined ? undefined : readClusterFacts("one", entry.value);
  return facts?.revisions.find((each) => each.name === name);
}

/** Counts the puts of each key from now on. */
async function countPuts(flow: FleetFlow): Promise<ReadonlyMap<string, number>> {
  const puts = new Map<string, number>();
  let isLive = false;
  const watcher = {
    onEntry: ({ key }: { readonly key: string }) => void (isLive && puts.set(key, (puts.get(key) ?? 0) + 1)),
    onReady: () => void (isLive = true),
    onReset: () => undefined,
  };
  await flow.bucket("inventory").watch(">", watcher, new AbortController().signal);
  return puts;
}

test("9.1 the istiods' answers are published: proxies that move are out of sync for a moment, then in sync", async () => {
  const flow = await openShop({ readyMs: 5_000, settings: settingsOf("batchSize: 6") });
  expect(await readRevision(flow, "old")).toMatchObject({ proxies: { connected: 12, synced: 12 } });
  expect(await readRevision(flow, "new")).toMatchObject({ proxies: { connected: 0, synced: 0 } });
  const puts = await countPuts(flow);

  flow.whenMerged(file(100));
  await flow.until("a proxy is not in sync", async () => {
    const proxies = (await readRevision(flow, "new"))?.proxies;
    return proxies !== undefined && proxies.synced < proxies.connected;
  });
  await flow.until("all are there", () => countOn(flow, "new") === 6);
  // A proxy gets in sync without a change of any object; its istiod is queried within 20 s.
  await flow.pass(20_000);

  expect((await readRevision(flow, "new"))?.proxies).toMatchObject({
    connected: 12,
    synced: 12,
    byNamespace: { "shop-a": [2, 2] },
  });
  expect((await readRevision(flow, "old"))?.proxies).toEqual({ connected: 0, synced: 0, byNamespace: {} });
  // These figures are in the cluster's own key, so no namespace is published again.
  expect([puts.has("one.shop-a"), puts.has("one.default")]).toEqual([true, false]);
  await flow.untilRunsEnd(1);
  await flow.end();
});

test("an executor that may not query istiod reports it as the cluster's problem, and still moves workloads", async () => {
  const flow = await openShop();
  const allow = flow.model("one").faults.forbid("pods/portforward");
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);

  const problems = (await flow.status())?.clusters[0]?.problems ?? [];
  expect(problems).toEqual([
    expect.stringMatching(/^cannot ask istiod .*kubectl auth can-i create pods --subresource=portforward/),
  ]);
  const asked = await readRevision(flow, "new");
  expect(asked).toMatchObject({ name: "new", webhook: true, istiod: "ready" });
  expect(asked).not.toHaveProperty("proxies");
  allow();
  await flow.pass(60_000);
  expect((await flow.status())?.clusters[0]?.problems).toEqual([]);
  await flow.end();
});
