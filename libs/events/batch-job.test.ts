import { makeBatchJob, readBatchJob } from "#libs/events";
import type { Batch } from "#libs/plan";
import { describe, expect, test } from "vitest";

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

test("4.1 a batch travels as it is", () => {
  const read = readBatchJob(JSON.parse(JSON.stringify(makeBatchJob(batch))));
  expect(read).toEqual({ ok: true, job: { version: 1, ...batch } });
});

describe("a job that is not ours is refused with the reason, never guessed", () => {
  const job = makeBatchJob(batch);
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    ["nothing", undefined, /expected object/],
    ["another version", { ...job, version: 2 }, /version/],
    ["no version", { ...job, version: undefined }, /version/],
    [
      "a kind that meshroll does not move",
      { ...job, items: [{ ...job.items[0], kind: "CronJob" }] },
      /items\[0\]\.kind/,
    ],
    ["a strategy of a later version", { ...job, strategy: "OnDeploy" }, /strategy/],
    ["nobody in it", { ...job, items: [] }, /items/],
    ["a try before the first", { ...job, items: [{ ...job.items[0], attempt: 0 }] }, /attempt/],
  ];
  test.each(cases)("%s", (_, data, why) => {
    const read = readBatchJob(data);
    expect([read.ok, read.ok ? "" : read.why]).toEqual([false, expect.stringMatching(why)]);
  });
});
