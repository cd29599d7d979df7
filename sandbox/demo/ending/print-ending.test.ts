import { expect, test } from "vitest";

import type { RunRecord } from "#libs/plan";
import { writeText } from "#libs/wording";

import { printEnding } from "./print-ending.ts";
import { type Ending, isGood } from "./summarise.ts";

const forward: RunRecord = {
  id: "aaaaaaaaaaaa",
  commit: "a".repeat(40),
  before: "0".repeat(40),
  order: 1,
  startedAt: "2026-11-21T15:14:00.000Z",
  endedAt: "2026-11-21T15:44:00.000Z",
  author: "ben",
  subject: "Merge pull request #1",
  buckets: [".*-staging"],
  changes: [{ pattern: ".*-staging", from: "25", to: "50", direction: "forward" }],
  clusters: {},
  state: "done",
  outcome: { migrated: 200, skipped: [], seen: ["one"], takenOverBy: "bbbbbbbbbbbb", left: 14 },
};
const back: RunRecord = {
  ...forward,
  id: "bbbbbbbbbbbb",
  order: 2,
  subject: "Merge pull request #2",
  changes: [{ pattern: ".*-staging", from: "50", to: "25", direction: "rollback" }],
  outcome: {
    migrated: 213,
    skipped: [
      { cluster: "one", workload: "x/Deployment/y", code: "ReadinessTimeout", message: writeText("ReadinessTimeout") },
    ],
    seen: ["one"],
  },
};
const ending: Ending = {
  runs: [forward, back],
  held: [
    {
      id: "return-bbbbbbbbbbbb-1",
      scope: "bucket/.*-staging",
      strength: "move",
      at: "2026-11-21T15:44:00.000Z",
      who: "meshroll",
      why: "run bbbbbbbbbbbb went back",
      cause: "rolledBack",
      rollbackOf: "bbbbbbbbbbbb",
    },
  ],
  stopped: { aaaaaaaaaaaa: "8 failed" },
  brokenBefore: ["one x/Deployment/y"],
  writes: 300,
  clusters: 6,
  violations: [],
  notJudged: [],
  rules: 9,
  told: { messages: 9, comments: 2 },
  tookMs: 48_400,
};

test("the summary says what was rolled back, why, what is held, and the verdict", () => {
  expect(printEnding(ending).split("\n").slice(1, 15)).toEqual([
    "run aaaaaaaaaaaa rolled back by run bbbbbbbbbbbb: 200/214 migrated, 0 skipped",
    "  Merge pull request #1",
    "  stopped: 8 failed",
    "rollback bbbbbbbbbbbb done: 213/214 migrated, 1 skipped, in 30 min of cluster",
    "  time",
    "  Merge pull request #2",
    "  • one x/Deployment/y",
    "      ReadinessTimeout; it was broken before the campaign",
    "held  bucket/.*-staging: run bbbbbbbbbbbb went back",
    "      end it:",
    `        npx meshroll unhold 'bucket/.*-staging' --reason "…"`,
    "sent  9 Slack messages, 2 pull request comments",
    "audit  ✔ passed: 9 rules checked, 300 writes in 6 clusters, no violation",
    "took 48 s",
  ]);
});

const verdicts: Record<string, { change: Partial<Ending>; want: boolean }> = {
  "all runs are over and the auditor signed": { change: {}, want: true },
  "a violation": { change: { violations: ["demanded: one x: moved"] }, want: false },
  "a run is still open": { change: { runs: [{ ...forward, state: "open" }] }, want: false },
  "there was no run": { change: { runs: [] }, want: false },
};

for (const [name, { change, want }] of Object.entries(verdicts))
  test(`good is ${want}: ${name}`, () => {
    expect(isGood({ ...ending, ...change })).toBe(want);
  });

test("skipped workloads that are not named are counted, also those that an earlier stage left over", () => {
  const outcome = { migrated: 213, seen: ["one"], earlier: { one: 2 }, skipped: back.outcome?.skipped ?? [] };
  const text = printEnding({ ...ending, runs: [{ ...back, outcome }] });
  expect(text).toContain("213/216 migrated, 3 skipped");
  expect(text).toContain("  … 2 more skipped");
});

test("it fits 80 columns, and no command is broken", () => {
  const why =
    "too many failed (failurePolicy FailFast), first: prod-euw1-a:fraud-dispatch/Deployment/app, prod-euw1-a:fraud-store/Deployment/app";
  const lines = printEnding({ ...ending, stopped: { aaaaaaaaaaaa: why } }).split("\n");
  expect(lines.filter((line) => Array.from(line).length > 80 && !/^ +npx/u.test(line))).toEqual([]);
  expect(lines).toContain("  npx meshroll status --kubeconfig ~/.kube/config --repo ../rollouts");
});

test("a violation is in the summary in full", () => {
  const text = printEnding({ ...ending, violations: ["demanded: one x: moved"] });
  expect(text).toContain("audit  ✖ failed: 1 violation\ndemanded: one x: moved");
});
