import { type Batch, mostInBatch } from "#libs/plan";
import { describe, expect, test } from "vitest";

import { makeBatchJob, readBatchJob } from "./batch-job.ts";

const batch: Batch = {
  cluster: "one",
  clusterUid: "uid-1",
  run: "abcdefabcdef",
  commit: "a".repeat(40),
  strategy: "Window",
  items: [
    { namespace: "shop", kind: "StatefulSet", name: "db", uid: "u1", target: "new", attempt: 2, unhealthyBefore: true },
  ],
};

test("4.1 a batch travels as whom to look at, and not how they are moved", () => {
  const read = readBatchJob(JSON.parse(JSON.stringify(makeBatchJob(batch))), "one");
  const { strategy: _, items, ...rest } = batch;
  const named = items.map(({ attempt: __, unhealthyBefore: ___, ...item }) => item);
  expect(read).toEqual({ ok: true, job: { version: 1, ...rest, items: named } });
});

test("the largest batch that the planner hands out can be read", () => {
  const [item] = batch.items;
  const items = item === undefined ? [] : Array.from({ length: mostInBatch }, () => item);
  expect(readBatchJob(makeBatchJob({ ...batch, items }), "one").ok).toBe(true);
});

describe("a job that is not ours is refused with the reason, never guessed", () => {
  const job = makeBatchJob(batch);
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    ["nothing", undefined, /it names no version/],
    [
      "another version",
      { ...job, version: 2 },
      /it is of version 2 and this build of meshroll reads version 1: install the build that wrote it/,
    ],
    ["no version", { ...job, version: undefined }, /version/],
    [
      "a kind that meshroll does not move",
      { ...job, items: [{ ...job.items[0], kind: "CronJob" }] },
      /items\[0\]\.kind/,
    ],
    ["for another cluster", { ...job, cluster: "two" }, /another cluster/],
    [
      "more than the planner ever hands out",
      { ...job, items: Array.from({ length: 1001 }, () => job.items[0]) },
      /items/,
    ],
    ["no items", { ...job, items: [] }, /items/],
    ["an item without a name", { ...job, items: [{ ...job.items[0], name: undefined }] }, /name/],
  ];
  test.each(cases)("%s", (_, data, why) => {
    const read = readBatchJob(data, "one");
    expect([read.ok, read.ok ? "" : read.why]).toEqual([false, expect.stringMatching(why)]);
  });
});
