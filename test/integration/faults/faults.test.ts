import { afterAll, beforeAll, expect, test } from "vitest";

import { playFault } from "./passes/fault.ts";
import { type Lane, openLane } from "./passes/lane.ts";
import { faults } from "./list.ts";

// Plays one pass of each fault that is marked `inTests`, at a fixed moment; `npm run test:faults` plays all, at many
// moments.
let lane: Lane | undefined;

beforeAll(async () => {
  lane = await openLane();
});

afterAll(async () => lane?.end());

for (const fault of faults.filter(({ inTests }) => inTests)) {
  // Against a hang: a pass takes a tenth of this on an idle machine.
  test(`${fault.name}: ${fault.shows}`, { timeout: 120_000 }, async () => {
    if (lane === undefined) throw new Error("no servers");
    const { problem } = await playFault(fault, lane, 7);
    expect(problem).toBeUndefined();
  });
}
