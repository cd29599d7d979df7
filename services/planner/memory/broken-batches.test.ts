import type { BatchFacts } from "#libs/plan";
import { expect, test } from "vitest";

import { type BrokenMemory, noteBatch, readBroken } from "./broken-batches.ts";

const failed = (names: string): BatchFacts => ({
  run: "r1",
  commit: "c",
  state: "failed",
  reason: "forbidden",
  workloads: names.split(" "),
});
const active = (names: string): BatchFacts => ({ ...failed(names), state: "active" });

/** Plays what each reconcile saw in the queue, at that `elapsed`; undefined = nothing. */
function play(...reconciles: readonly (readonly [number, BatchFacts | undefined])[]): BrokenMemory {
  const memory: BrokenMemory = new Map();
  let before: BatchFacts | undefined;
  for (const [elapsed, batch] of reconciles) {
    noteBatch(memory, "one", before, batch, elapsed);
    before = batch;
  }
  return memory;
}

const read = (memory: BrokenMemory, elapsed: number, now = 5000) => readBroken(memory, "one", { now, elapsed }).broken;

test("4.1 a batch that broke counts once however often it is seen, and the pause doubles up to five minutes, after none", () => {
  const twice = play([0, active("a b")], [1, failed("a b")], [2, failed("a b")], [3, undefined], [4, failed("a c")]);
  expect(read(play([0, failed("a")]), 0)?.until).toBe(5000);
  expect(read(twice, 4)).toMatchObject({ times: 2, until: 15_000, reason: "forbidden" });
  expect([...(read(twice, 4)?.workloads ?? [])]).toEqual(["a", "b", "c"]);
  const often = play(
    ...Array.from({ length: 20 }, (_, index) => [0, index % 2 === 0 ? failed("a") : undefined] as const),
  );
  expect(read(often, 0)?.until).toBe(305_000);
});

test("4.1 whom a later batch carried well is forgotten; with the last of them everything is", () => {
  const some = play([0, failed("a b")], [1, undefined], [2, active("b")], [3, undefined]);
  expect(read(some, 3)).toMatchObject({ times: 0, workloads: new Set(["a"]) });
  expect(read(play([0, failed("a")], [1, undefined], [2, active("a")], [3, undefined]), 3)).toBeUndefined();
});

test("12.1 a clock that is set back or forth makes the pause neither longer nor shorter", () => {
  const memory = play([0, failed("a")], [50, undefined], [100, failed("a")]);
  expect(read(memory, 4_100, 1_000_000)?.until).toBe(1_006_000);
  expect(read(memory, 4_100, 0)?.until).toBe(6_000);
  expect(read(memory, 99_000, 0)?.until).toBe(0);
});

test("4.1 a planner that starts without what was kept tries what broke once more at once, and a job that failed already counts", () => {
  expect(read(play(), 0)).toBeUndefined();
  expect(read(play([0, failed("a")]), 0)).toMatchObject({ times: 1, workloads: new Set(["a"]) });
});
