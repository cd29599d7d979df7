import { expect, it, vi } from "vitest";

import { createMetrics } from "./metrics.ts";

it("after weeks of suspension the metrics of a process cost nothing, because none of them counts that time", async () => {
  const intervals = vi.spyOn(globalThis, "setInterval");
  const { text } = await createMetrics().print();
  expect(intervals.mock.calls.filter(([, ms = 0]) => ms < 2 ** 31 - 1)).toEqual([]);
  expect(text).toContain("nodejs_eventloop_lag_seconds");
  expect(text).not.toContain("utilization");
});
