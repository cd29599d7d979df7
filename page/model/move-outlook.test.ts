import type { CampaignStatus, FleetStatus } from "#libs/plan";
import { expect, it } from "vitest";

import { judgeMove } from "./move-outlook.ts";
import type { NamespaceLine } from "./namespace-view.ts";

const stage = (index: number, percent: number, more: object = {}) => ({
  name: `prod-${percent}`,
  index,
  set: { production: percent },
  reached: false,
  state: "Pending",
  ...more,
});
const [five, half, whole] = [
  stage(1, 25, { reached: true, state: "Running", run: "0123456789ab" }),
  stage(2, 50, { state: "Next" }),
  stage(3, 100, { notBefore: "2026-11-23T08:00:00Z" }),
];
const opens = { event: "PullRequestOpens", stage: "prod-50", at: "2026-11-20T12:00:00Z" };
const campaign = {
  name: "istio-1-25",
  target: "1-25-2",
  stages: [five, half, whole],
  next: [opens, { event: "PullRequestOpens", at: "2026-11-21T12:00:00Z" }],
  waiting: [],
  leftOut: [],
  runs: [],
};
const line: NamespaceLine = {
  name: "shop",
  bucket: "production",
  to: "1-25-2",
  movesAt: 40,
  requested: "1-24-5",
  actual: "1-24-5",
  state: "OnTrack",
  workloads: 1,
  unhealthy: 0,
  clusters: ["east"],
};
const here = { requested: "1-25-2" };
const pace = { event: "BatchesEnd", at: "2026-11-19T13:00:00Z", isEstimate: true };
const deadline = { event: "BatchesBegin", at: "2026-11-19T18:00:00Z" };
const freeze = { pattern: "payments-.*", reason: "audit", until: "2026-12-04T00:00:00Z" };

const cases: readonly {
  readonly name: string;
  readonly line?: Partial<NamespaceLine>;
  readonly campaign?: object;
  /** Undefined in it: absent. */
  readonly want: Readonly<Record<string, unknown>>;
}[] = [
  {
    name: "the next stage moves it, when its pull request is open",
    want: { kind: "stage", stage: half, before: [], notBefore: opens.at },
  },
  {
    name: "a later stage moves it, after those before it and not before its earliest start",
    line: { movesAt: 50 },
    want: { kind: "stage", stage: whole, before: [half], notBefore: "2026-11-23T08:00:00Z" },
  },
  {
    name: "a stage whose window opens later than its pull request moves it then",
    campaign: { next: [opens, { event: "WindowOpens", stage: "prod-50", at: "2026-11-22T08:00:00Z" }] },
    want: { kind: "stage", stage: half, before: [], notBefore: "2026-11-22T08:00:00Z" },
  },
  {
    name: "a pull request that is merged by itself says when it is expected",
    campaign: {
      stages: [five, { ...half, state: "Proposed" }, whole],
      next: [],
      waiting: [{ scope: "campaign/istio-1-25", code: "MergeNotice", until: "2026-11-20T12:10:00Z" }],
    },
    want: { kind: "stage", stage: { ...half, state: "Proposed" }, before: [], expected: "2026-11-20T12:10:00Z" },
  },
  {
    name: "it runs the target already, by the first stage that gives it",
    line: { ...here, actual: "1-25-2", movesAt: 10 },
    want: { kind: "moved", stage: five },
  },
  {
    name: "main requests the move, and the pace says until when",
    line: { ...here, movesAt: 10, state: "Pending" },
    campaign: { next: [pace] },
    want: { kind: "now", stage: five, expected: pace.at },
  },
  {
    name: "main requests the move, and its window is closed",
    line: { ...here, movesAt: 10, state: "Pending" },
    campaign: { next: [{ event: "WindowOpens", at: "2026-11-20T08:00:00Z" }] },
    want: { kind: "now", stage: five, notBefore: "2026-11-20T08:00:00Z" },
  },
  {
    name: "it waits for its owner's deploy, until batches begin",
    line: { ...here, movesAt: 10, state: "Waiting" },
    campaign: { next: [deadline] },
    want: { kind: "waiting", stage: five, latest: deadline.at },
  },
  { name: "it failed", line: { ...here, movesAt: 10, state: "Failed" }, want: { kind: "failed", stage: five } },
  { name: "it was skipped", line: { ...here, movesAt: 10, state: "Skipped" }, want: { kind: "skipped", stage: five } },
  {
    name: "the campaign leaves its bucket out",
    line: { bucket: "payments-.*" },
    campaign: { leftOut: [freeze] },
    want: { kind: "leftOut", leftOut: freeze },
  },
  { name: "no campaign has that target", line: { to: "1-26-0" }, want: { kind: "unplanned", campaign: undefined } },
  {
    name: "a bucket with the name of a property",
    line: { bucket: "constructor" },
    want: { kind: "unplanned", campaign: undefined },
  },
  { name: "no stage reaches its position", line: { movesAt: 100 }, want: { kind: "unplanned" } },
];

it.each(cases)("$name", ({ line: change = {}, campaign: more = {}, want }) => {
  const own = { ...campaign, ...more } as unknown as CampaignStatus;
  const fleet = { campaigns: [own], next: [] } as unknown as FleetStatus;
  expect(judgeMove({ ...line, ...change }, fleet)).toEqual({ campaign: own, ...want });
});

it("a run without a campaign has the fleet's pace", () => {
  const fleet = { next: [pace] } as unknown as FleetStatus;
  expect(judgeMove({ ...line, ...here, state: "Moving" }, fleet)).toEqual({ kind: "now", expected: pace.at });
});
