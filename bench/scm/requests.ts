import { countRequests, type RequestCounts } from "#test/flow/hub/count-requests";

import { type Bench, type Figure, limitFigure } from "../bench.ts";

const openPulls = 50;
/** Counted requests: of an hour in which nothing happens, and of a stage. */
const [mostIdle, mostOfStage] = [120, 40];

/** How many requests of GitHub's hourly limit planner and notifier use, on a virtual clock: any machine counts the same. */
export const requestsBench: Bench = { name: "requests", run: measureRequests };

function report(what: string, counts: RequestCounts): number {
  console.error(`bench: requests: ${what}:`);
  for (const [route, count] of counts) console.error(`  ${String(count).padStart(5)}  ${route}`);
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

async function measureRequests(): Promise<readonly Figure[]> {
  const { idle, stage, sent } = await countRequests(openPulls);
  const idleCount = report(`an idle hour with ${openPulls} open pull requests, of ${sent} requests`, idle);
  const stageCount = report("a stage from open to merged", stage);
  return [
    limitFigure(`counted requests, an hour idle, ${openPulls} pull requests`, { value: idleCount, unit: "" }, mostIdle),
    limitFigure("counted requests, a stage from open to merged", { value: stageCount, unit: "" }, mostOfStage),
  ];
}
