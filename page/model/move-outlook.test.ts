import type { CampaignStatus } from "#libs/plan";
import { expect, it } from "vitest";

import { judgeMove } from "./move-outlook.ts";
import type { NamespaceLine } from "./namespace-view.ts";

const stage = (name: string, percent: number, reached = false) => ({ name, set: { production: percent }, reached });
const campaign = {
  name: "istio-1-25",
  target: "1-25-2",
  stages: [stage("prod-25", 25, true), stage("prod-50", 50), stage("prod-100", 100)],
  next: [
    { event: "PullRequestOpens", stage: "prod-50", at: "2026-11-20T12:00:00Z" },
    { event: "PullRequestOpens", at: "2026-11-21T12:00:00Z" },
  ],
};
const campaigns = [campaign as unknown as CampaignStatus];
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

const cases: readonly {
  readonly name: string;
  readonly change: Partial<NamespaceLine>;
  readonly want: Readonly<Record<string, unknown>>;
}[] = [
  {
    name: "the next stage moves it",
    change: {},
    want: { kind: "stage", stage: "prod-50", percent: 50, opensAt: "2026-11-20T12:00:00Z" },
  },
  { name: "a later stage moves it", change: { movesAt: 50 }, want: { kind: "stage", stage: "prod-100", percent: 100 } },
  { name: "it runs the target already", change: { requested: "1-25-2", actual: "1-25-2" }, want: { kind: "moved" } },
  {
    name: "main already gives it the target",
    change: { requested: "1-25-2", state: "Pending" },
    want: { kind: "now" },
  },
  { name: "it failed", change: { state: "Failed" }, want: { kind: "stopped" } },
  { name: "it waits for its owner", change: { state: "Waiting" }, want: { kind: "waiting" } },
  { name: "no campaign has that target", change: { to: "1-26-0" }, want: { kind: "unplanned" } },
  { name: "a bucket with the name of a property", change: { bucket: "constructor" }, want: { kind: "unplanned" } },
];

it.each(cases)("$name", ({ change, want }) =>
  expect(judgeMove({ ...line, ...change }, campaigns)).toEqual({
    ...(want["kind"] === "stage" ? { campaign: "istio-1-25" } : {}),
    ...want,
  }),
);
