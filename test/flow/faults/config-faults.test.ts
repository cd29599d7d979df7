import { describe, expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, listWaits, openShop, settingsOf, listMovedPaths } from "../shop.ts";

type Files = Parameters<FleetFlow["remote"]["commitToMain"]>[0]["files"];

/** A commit on main that the auditor does not know of, because no workload may move by it. */
function commit(flow: FleetFlow, files: Files): void {
  flow.remote.commitToMain({ files, message: "oops", author: "ben", at: flow.clock.now() });
}

/** Files as a person's mistake may leave them. */
const faults: Readonly<Record<string, Files>> = {
  deleted: { "rollouts.yml": null },
  "a folder": { "rollouts.yml": null, "rollouts.yml/production.yml": file(100) },
  "cut in two": { "rollouts.yml": "production:\n  old: 0\n  new: 1" },
  "its settings broken": { "meshroll.yml": "defaults: { batch: { batchSize: many } }\n" },
};

describe("main becomes invalid in the middle of a run", () => {
  for (const [name, files] of Object.entries(faults)) {
    test(`1.7 ${name}: workloads in flight arrive, nothing else is written or rolled back, and once fixed the run continues`, async () => {
      const flow = await openShop({ readyMs: 20_000 });
      flow.whenMerged(file(100));
      await flow.until("a batch moves", () => listMovedPaths(flow).length === 2);

      commit(flow, files);
      await flow.pass(900_000);
      const during = [listMovedPaths(flow).length, countOn(flow, "new"), countOn(flow, "old")];
      const waits = await listWaits(flow);
      commit(flow, { "rollouts.yml/production.yml": null });
      flow.whenMerged(file(100), settingsOf("batchSize: 2"));
      const runs = await flow.untilRunsEnd(1);

      expect([during, waits]).toEqual([[2, 2, 4], ["MainUnparsable"]]);
      expect(runs.map(({ state, outcome }) => [state, outcome?.migrated])).toEqual([["done", 6]]);
      expect([listMovedPaths(flow).length, countOn(flow, "new")]).toEqual([6, 6]);
      await flow.end();
    });
  }
});
