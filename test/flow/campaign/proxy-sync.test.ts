import type { GateRecord } from "#libs/plan";
import { expect, test } from "vitest";

import { countOn } from "../shop.ts";
import { openStages } from "./stage-bench.ts";
import { sentenceOf } from "#test/world/words";
import { campaignOf } from "./stage-campaign.ts";

/** All proxies must be synced at the end of a bake; only the gate's own verdict counts, there is no other one. */
const gated =
  "  defaults:\n    bake: 1m\n    batch: { batchSize: 6, delayBetweenBatches: 10s }\n    gates:\n" +
  "      - { name: synced, when: after, proxySync: { minSyncedRatio: 1, within: 90s }, onFail: pause }\n";

test("6.3 a campaign's gate proxySync reads the istiods: it passes at 100 %, and holds a stage while one proxy is not synced", async () => {
  const { flow, merge, untilOpen, find, github } = await openStages(campaignOf(gated));
  const findGate = async (id: string): Promise<GateRecord | undefined> =>
    (await flow.runs()).find((run) => run.id === id)?.gates?.["synced"];
  const isHeld = async (words: string): Promise<boolean> =>
    ((await flow.status())?.waitingFor ?? []).some((wait) => sentenceOf(wait).includes(words));

  const half = await merge("meshroll/shop/half");
  const good = await findGate(half);
  const moved = countOn(flow, "new");

  // Its pods are ready and run the new revision, but one that the next stage moves does not take its configuration.
  const left = ["a", "b", "c", "d", "e", "f"].find((name) => countOn(flow, "old", [name]) === 1) ?? "";
  const fix = flow
    .model("one")
    .breakWorkload((ref) => ref.namespace === `shop-${left}`, { how: "nack", whenRevision: "new" });
  const { number } = await untilOpen("meshroll/shop/all");
  await flow.pass(31_000);
  github.review(number, { author: "ben", state: "approved" });
  await flow.pass(31_000);
  const { headSha } = await find("meshroll/shop/all");
  const merged = await github.as("ana").merge(number, headSha);
  const all = merged.kind === "merged" ? merged.sha.slice(0, 12) : "";
  // Each workload has two proxies, and those that the first stage moved are not this run's.
  const own = 2 * (6 - moved);
  const count = `${own - 2} of ${own} proxies`;
  await flow.until("the gate looks again", async () => isHeld(`gate synced cannot say yet: ${count}`), 600_000);
  await flow.until("the gate stopped the run", async () => isHeld(`gate synced failed: ${count}`), 600_000);
  const [bad, migrated] = [await findGate(all), countOn(flow, "new")];
  fix();
  await flow.pass(60_000);
  const stillHeld = await isHeld("gate synced failed");
  await flow.whenAsked({ verb: "resume", scope: `run/${all}` });
  await flow.until("the run is over", async () => (await flow.runs()).every(({ state }) => state !== "open"));

  expect(good).toMatchObject({
    verdict: "pass",
    value: 1,
    limit: 1,
    why: expect.stringContaining(`${2 * moved} of ${2 * moved}`),
  });
  expect([bad?.verdict, bad?.limit, migrated, stillHeld]).toEqual(["fail", 1, 6, true]);
  expect(bad?.value).toBeCloseTo((own - 2) / own);
  expect(await findGate(all)).toMatchObject({ verdict: "pass", value: 1 });
  await flow.end();
});
