import { expect, it } from "vitest";

import { cutPowerOften } from "./test-cuts.ts";
import { makeTestFolder } from "./test-vm.ts";

// `npm run test:vm` cuts a thousand times.
it("a power cut at any byte leaves the old tree or the new one, and the next agent goes on to the same end", async () => {
  const tally = await cutPowerOften(makeTestFolder(), 60, 20_261_124);
  expect(tally.mixed).toBe(0);
  // On both sides of the swap, or nothing was tried.
  expect(Math.min(tally.none, tally.old, tally.new)).toBeGreaterThan(5);
});
