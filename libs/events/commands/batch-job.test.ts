import type { Batch } from "#libs/plan";
import { describe, expect, test } from "vitest";

import { makeBatchJob, readBatchJob } from "./batch-job.ts";

const batch: Batch = {
  cluster: "one",
  clusterUid: "uid-1",
  run: "abcdefabcdef",
  due: "pending",
  strategy: "Window",
  items: [
    { namespace: "shop", kind: "StatefulSet", name: "db", uid: "u1", target: "new", attempt: 2, unhealthyBefore: true },
  ],
};

test("4.1 a job says which run may work where, and names no workload", () => {
  const read = readBatchJob(JSON.parse(JSON.stringify(makeBatchJob(batch))), "one");
  const { strategy: _, items: __, ...rest } = batch;
  expect(read).toEqual({ ok: true, job: { version: 1, ...rest } });
});

describe("a job that is not ours is refused with the reason", () => {
  const job = makeBatchJob(batch);
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    ["nothing", undefined, /it names no version/],
    [
      "another version",
      { ...job, version: 2 },
      /it is of version 2 and this build of meshroll reads version 1: install the build that wrote it/,
    ],
    ["no version", { ...job, version: undefined }, /version/],
    ["for another cluster", { ...job, cluster: "two" }, /another cluster/],
    ["of no run", { ...job, run: undefined }, /run/],
    ["of a class that there is not", { ...job, due: "failed" }, /due/],
    ["with workloads", { ...job, items: batch.items }, /items/],
  ];
  test.each(cases)("%s", (_, data, why) => {
    const read = readBatchJob(data, "one");
    expect([read.ok, read.ok ? "" : read.why]).toEqual([false, expect.stringMatching(why)]);
  });
});
