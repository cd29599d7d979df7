import { expect, it } from "vitest";

import { cutPowerOften } from "./test-cuts.ts";
import { makeTestFolder } from "./test-vm.ts";

// `npm run test:vm` cuts the power a thousand times.
it("a power cut at any byte leaves the old tree or the new one, and the next agent ends in the same state", async () => {
  const tally = await cutPowerOften(makeTestFolder(), 60, 20_261_124);
  expect(tally.mixed).toBe(0);
  // Enough cuts came on each side of the swap; otherwise nothing was tested.
  expect(Math.min(tally.none, tally.old, tally.new)).toBeGreaterThan(5);
});
