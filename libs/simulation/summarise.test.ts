import { writeText } from "#libs/wording";

import { expect, test } from "vitest";

import type { SimulatedRun } from "./answer/answer.ts";
import { summarise } from "./summarise.ts";

const ended = (at: number): SimulatedRun => ({
  seed: "1",
  start: 0,
  stages: [],
  end: { kind: "complete", at },
  handedOut: 0,
  reconciles: 0,
});
const stuck: SimulatedRun = {
  ...ended(0),
  end: { kind: "stuck", at: 1, reason: { code: "Stopped", message: writeText(""), owner: "" }, hasFailed: true },
};

test("P50 and P95 are ends of runs that were simulated", () => {
  const runs = Array.from({ length: 20 }, (_, index) => ended(100 - index));
  expect(summarise(runs)).toEqual({ runs: 20, complete: 20, p50: 90, p95: 99 });
});

test("a run that never ends is later than any other", () => {
  expect(summarise([ended(5), stuck, ended(3)])).toEqual({ runs: 3, complete: 2, p50: 5 });
  expect(summarise([stuck])).toEqual({ runs: 1, complete: 0 });
});
