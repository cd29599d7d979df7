import { describe, expect, test } from "vitest";

import { printBrokenBatches, readBrokenBatches } from "./broken-batches.ts";

const kept = {
  run: "abcdefabcdef",
  times: 3,
  reason: "forbidden",
  workloads: ["shop/Deployment/a"],
  until: "2026-11-20T12:00:00.000Z",
  last: "7e0b8a2e-0000-4000-8000-000000000000",
  carried: { id: "one-more", workloads: ["shop/Deployment/a"] },
};

test("what is printed is read back, with a reason of one line", () => {
  const text = printBrokenBatches({ ...kept, reason: "for\u001bbidden" });
  expect(readBrokenBatches(text)).toEqual({ version: 1, ...kept, reason: "for bidden" });
});

test("more workloads than a value of the bus has room for are cut: the others come in their usual order", () => {
  const many = Array.from({ length: 9000 }, (_, index) => `${"n".repeat(63)}/Deployment/${"w".repeat(240)}-${index}`);
  const text = printBrokenBatches({ ...kept, workloads: many });
  expect(text.length).toBeLessThan(1 << 20);
  expect(readBrokenBatches(text)?.workloads).toEqual(many.slice(0, 2500));
});

describe("what is not ours is nothing", () => {
  const cases: readonly (readonly [string, object])[] = [
    ["a run that is none", { run: "all" }],
    ["a number below nought", { times: -1 }],
    ["a half", { times: 1.5 }],
    ["a time that is none", { until: "tomorrow" }],
    ["a workload with a blank in it", { workloads: ["shop/Deployment/a b"] }],
    ["too many workloads", { workloads: Array.from({ length: 2501 }, () => "a") }],
    ["no reason", { reason: undefined }],
    ["another version", { version: 2 }],
  ];
  test.each(cases)("%s", (_, change) => {
    const text = JSON.stringify({ version: 1, ...kept, ...change });
    expect(readBrokenBatches(text)).toBe(undefined);
  });
});
