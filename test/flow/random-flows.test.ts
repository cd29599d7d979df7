import { expect, test } from "vitest";

import { playWalk } from "./judge-walk.ts";
import { drawSteps } from "./random-steps.ts";

/** How many walks, or from where on: `MESHROLL_FLOW_WALKS=200`, `MESHROLL_FLOW_WALKS=1000+200`. */
function readWalks(text = "6"): readonly number[] {
  const [count = 6, first = 0] = text.split("+").map(Number).toReversed();
  return Array.from({ length: count }, (_, index) => first + index);
}

// A walk that fails prints what happened on it, step by step; the same seed does the same again.
for (const seed of readWalks(process.env["MESHROLL_FLOW_WALKS"])) {
  test(`walk ${seed}: mended, lifted and left alone, everybody is where main wants them, or named`, async () => {
    const { faults, story } = await playWalk(String(seed), drawSteps(String(seed), 25));
    expect(faults, story.join("\n")).toEqual([]);
  }, 120_000);
}
