import type { RunOutcome, RunRecord } from "#libs/plan";
import { writeText } from "#libs/wording";
import { expect, it } from "vitest";

import { summariseEnd } from "./summarise-end.ts";

function runOf(outcome?: RunOutcome): RunRecord {
  const base = { id: "abcdefabcdef", commit: "abcdefabcdef", before: "b", order: 1, startedAt: "", author: "ana" };
  const ended = { ...base, subject: "s", buckets: [], changes: [], clusters: {}, state: "done" } as const;
  return outcome === undefined ? ended : { ...ended, outcome };
}

it("skipped workloads are counted by cluster, with failures apart, and by reason without its time", () => {
  const skipped = [
    {
      cluster: "one",
      workload: "a/Deployment/x",
      code: "ReadinessTimeout",
      message: writeText("ReadinessTimeout"),
      at: "2026-11-21T13:18:56.537Z",
      failed: true as const,
    },
    {
      cluster: "two",
      workload: "a/Deployment/x",
      code: "ReadinessTimeout",
      message: writeText("ReadinessTimeout"),
      at: "2026-11-21T13:19:00.000Z",
      failed: true as const,
    },
    { cluster: "two", workload: "b/Deployment/y", code: "Overwritten", message: writeText("Overwritten by helm") },
  ];
  expect(summariseEnd(runOf({ migrated: 3, skipped, seen: ["one", "three", "two"] }))).toEqual({
    clusters: [
      { name: "one", skipped: 1, failed: 1 },
      { name: "three", skipped: 0, failed: 0 },
      { name: "two", skipped: 2, failed: 1 },
    ],
    reasons: [
      {
        code: "ReadinessTimeout",
        reason: "ReadinessTimeout",
        count: 2,
        workloads: ["one:a/Deployment/x", "two:a/Deployment/x"],
      },
      { code: "Overwritten", reason: "Overwritten by helm", count: 1, workloads: ["two:b/Deployment/y"] },
    ],
  });
});

it("of a thousand workloads ten are named, and all are counted", () => {
  const skipped = Array.from({ length: 1000 }, (_, index) => ({
    cluster: "one",
    workload: `n/Deployment/w-${index}`,
    code: "ReadinessTimeout",
    message: writeText("ReadinessTimeout"),
    at: "2026-11-21T13:18:56.537Z",
  }));
  const [reason] = summariseEnd(runOf({ migrated: 0, skipped, seen: ["one"] })).reasons;
  expect(reason).toMatchObject({ count: 1000 });
  expect(reason?.workloads).toHaveLength(10);
});

it("a run without an outcome has an empty summary", () => {
  expect(summariseEnd(runOf())).toEqual({ clusters: [], reasons: [] });
});
