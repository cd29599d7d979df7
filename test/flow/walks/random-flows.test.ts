import { expect, test } from "vitest";

import { playWalk } from "./judge-walk.ts";
import { keptFlows, playedFirst } from "./kept-walks.ts";
import { drawSteps } from "./random-steps.ts";

/** The first kept seeds; `MESHROLL_FLOW_WALKS=200`: 200 seeds from 0 on; `MESHROLL_FLOW_WALKS=1000+200`: from 1000 on. */
function readWalks(text: string | undefined): readonly number[] {
  if (text === undefined) return keptFlows.slice(0, playedFirst.flows);
  const [count = 6, first = 0] = text.split("+").map(Number).toReversed();
  return Array.from({ length: count }, (_, index) => first + index);
}

// A walk that fails prints its steps; the same seed plays the same steps. New walks are drawn each night (`npm run
// test:walks`).
for (const seed of readWalks(process.env["MESHROLL_FLOW_WALKS"])) {
  test(`walk ${seed}: repaired and settled, each workload runs what main wants, or is named`, async () => {
    const { faults, story } = await playWalk(String(seed), drawSteps(String(seed), 25));
    expect(faults, story.join("\n")).toEqual([]);
  });
}
