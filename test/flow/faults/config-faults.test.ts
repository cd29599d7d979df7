import { createInventoryFold } from "#libs/events";
import { type ClusterSnapshot, compileSpec, NamespaceTree, proposeMoves, type Spec } from "#libs/plan";
import { describe, expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, refOf, running, settingsOf, written } from "../shop.ts";

type Files = Parameters<FleetFlow["remote"]["commitToMain"]>[0]["files"];

/** A commit that the auditor does not get: no workload may move by it. */
function commit(flow: FleetFlow, files: Files): void {
  flow.remote.commitToMain({ files, message: "oops", author: "ben", at: flow.clock.now() });
}

async function listWaits(flow: FleetFlow): Promise<readonly string[]> {
  return (await flow.status())?.waitingFor.map(({ code }) => code) ?? [];
}

/** What a file may become under people's hands. */
const faults: Readonly<Record<string, Files>> = {
  "V6 deleted": { "rollouts.yml": null },
  "V6 renamed": { "rollouts.yml": null, "rollouts.yaml": file(100) },
  "V6 empty": { "rollouts.yml": "" },
  "V6 a folder": { "rollouts.yml": null, "rollouts.yml/production.yml": file(100) },
  "V6 in capitals": { "rollouts.yml": null, "Rollouts.yml": file(100) },
  "V7 a sum of 105": { "rollouts.yml": "production: { old: 50, new: 55 }\n" },
  "V7 cut in two": { "rollouts.yml": "production:\n  old: 0\n  new: 1" },
  "V7 with a conflict's marks": { "rollouts.yml": `<<<<<<< main\n${file(50)}=======\n${file(100)}>>>>>>> raise\n` },
  "V7 its settings broken": { "meshroll.yml": "defaults: { batch: { batchSize: many } }\n" },
};

describe("main becomes invalid in the middle of a run", () => {
  for (const [name, files] of Object.entries(faults)) {
    test(`1.7 ${name}: what is in flight arrives, no other workload is written, nothing is rolled back, and fixed it goes on`, async () => {
      const flow = await openShop({ readyMs: 20_000 });
      flow.whenMerged(file(100));
      await flow.until("a batch moves", () => written(flow).length === 2);

      commit(flow, files);
      await flow.pass(900_000);
      const during = [written(flow).length, countOn(flow, "new"), countOn(flow, "old")];
      const waits = await listWaits(flow);
      commit(flow, { "rollouts.yml/production.yml": null });
      flow.whenMerged(file(100), settingsOf("batchSize: 2"));
      const runs = await flow.untilRunsEnd(1);

      expect([during, waits]).toEqual([[2, 2, 4], ["MainUnparsable"]]);
      expect(runs.map(({ state, outcome }) => [state, outcome?.migrated])).toEqual([["done", 6]]);
      expect([written(flow).length, countOn(flow, "new")]).toEqual([6, 6]);
      await flow.end();
    });
  }

  test("V7 a campaign broken holds what is its own: a run of no campaign goes on to its end", async () => {
    const flow = await openShop({ readyMs: 20_000 });
    flow.whenMerged(file(100));
    await flow.until("a batch moves", () => written(flow).length === 2);
    commit(flow, { "campaigns/raise.yml": "kind: Campaign\nspec: [\n" });
    const runs = await flow.untilRunsEnd(1);
    expect(runs.map(({ state, outcome }) => [state, outcome?.migrated])).toEqual([["done", 6]]);
    expect(await listWaits(flow)).toEqual(["CampaignUnparsable"]);
    await flow.end();
  });

  test("V6 of two files by almost the same name the one that counts is read, and the other is no harm", async () => {
    const flow = await openShop();
    commit(flow, { "rollouts.yaml": file(100), "Rollouts.yml": file(100) });
    await flow.pass(300_000);
    expect([written(flow), await listWaits(flow), await flow.runs()]).toEqual([[], [], []]);
    await flow.end();
  });
});

/** The clusters as the planner reads them from the bus. */
async function readClusters(flow: FleetFlow): Promise<readonly ClusterSnapshot[]> {
  const fold = createInventoryFold(NamespaceTree.empty);
  const stop = new AbortController();
  const onEntry = (entry: { readonly key: string; readonly value?: string }) => {
    fold.apply(entry.key, entry.value, 0);
  };
  await flow
    .bucket("inventory")
    .watch(">", { onEntry, onReady: () => undefined, onReset: () => undefined }, stop.signal);
  await flow.clock.settle();
  stop.abort();
  return fold.clusters().map(({ facts, namespaces }) => ({
    name: facts.cluster,
    facts,
    namespaces,
    fresh: true,
    ageMs: 0,
    batch: undefined,
    batchEndedAt: 0,
  }));
}

function specOf(text: string): Spec {
  const compiled = compileSpec("x", text, undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

test("V9 a bucket that goes: who falls to the default is shown as a move, and moves in batches like any workload", async () => {
  const flow = await openShop({ readyMs: 20_000 });
  const bucketed = `${file(100)}shop-[abcd]: { old: 100 }\n`;
  flow.whenMerged(bucketed);
  await flow.untilRunsEnd(1);
  const before = written(flow).length;

  const preview = proposeMoves(specOf(bucketed), specOf(file(100)), await readClusters(flow), flow.clock.now());
  flow.whenMerged(file(100));
  let most = 0;
  await flow.until("all are there", () => {
    const rolling = ["a", "b", "c", "d"].filter((name) => running(flow, refOf(name)).length > 1).length;
    most = Math.max(most, rolling);
    return countOn(flow, "new") === 6;
  });
  await flow.untilRunsEnd(2);

  const shown = preview.moves.map(({ namespace, from, to }) => `${namespace} ${from} -> ${to}`);
  expect(shown).toEqual(["a", "b", "c", "d"].map((name) => `shop-${name} old -> new`));
  const moved = written(flow).slice(before);
  expect(new Set(moved.map((path) => path.split("/")[0]))).toEqual(
    new Set(preview.moves.map(({ namespace }) => namespace)),
  );
  expect([before, moved.length, most]).toEqual([2, 4, 2]);
  await flow.end();
});
