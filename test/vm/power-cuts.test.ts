import { expect, it } from "vitest";

import { cutPowerOften } from "../../agent/test-cuts.ts";
import { makeTestFolder } from "../../agent/test-vm.ts";

it("1,000 power cuts at random bytes leave no mixture of two revisions", async () => {
  const tally = await cutPowerOften(makeTestFolder(), 1000, 777);
  const { none, old, new: next, mixed } = tally;
  console.log(`1,000 power cuts, ${mixed} mixed trees: ${none} without a tree yet, ${old} old, ${next} new`);
  expect(tally.mixed).toBe(0);
  expect(tally.none + tally.old + tally.new).toBeGreaterThanOrEqual(1000);
  expect(Math.min(tally.none, tally.old, tally.new)).toBeGreaterThan(100);
});
