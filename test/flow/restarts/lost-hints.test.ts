import { openFakeBus } from "#fakes/bus";
import { createMetrics } from "#libs/runtime";
import { expect, it } from "vitest";

import { createHintSender } from "../../../services/api/hints/send-hints.ts";
import { file, makeShop } from "../shop.ts";
import { createSilentLogger } from "../parts/silent-logger.ts";
import { describeLeft, type Left } from "./stories.ts";

const names = ["a", "b", "c", "d"];
const settings = "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 5s, readinessTimeout: 30s }\n";

interface Played {
  readonly hints: number;
  /** Ms from the merge until the planner had fetched it. */
  readonly knownAfterMs: number;
  readonly left: Left;
}

/** Merges, and has GitHub deliver the webhook to an api. */
async function playMerge(isKilled: boolean): Promise<Played> {
  const flow = await makeShop({ settings, names, readyMs: 2000 });
  await flow.startExecutor().startPlanner().pass(15_000);
  const [stop, metrics] = [new AbortController(), createMetrics()];
  const parts = { bus: openFakeBus(flow.bus), clock: flow.clock, log: createSilentLogger([]), metrics };
  const hint = createHintSender(parts, stop.signal);
  const mergedAt = flow.clock.now();
  flow.whenMerged(file(100));
  // Killed after it received the delivery and before it published the hint.
  if (isKilled) stop.abort();
  hint({ main: true, pulls: true });
  await flow.until("the run is on record", async () => (await flow.runs()).length === 1, 60_000);
  const knownAfterMs = flow.clock.now() - mergedAt;
  await flow.untilRunsEnd(1);
  await flow.pass(5000);
  const hints = flow.bus.messages.filter(({ subject }) => subject.endsWith("hint.v1.github")).length;
  const left = await describeLeft(flow);
  await flow.end();
  stop.abort();
  return { hints, knownAfterMs, left };
}

it("losing the hints of the last 100 ms: the same ledger, writes and messages as undisturbed, at most one poll later", async () => {
  const [want, lost] = [await playMerge(false), await playMerge(true)];
  expect([want.hints, lost.hints]).toEqual([1, 0]);
  expect(lost.left).toEqual(want.left);
  expect(lost.knownAfterMs).toBeGreaterThan(want.knownAfterMs);
  expect(lost.knownAfterMs).toBeLessThanOrEqual(15_000);
});
