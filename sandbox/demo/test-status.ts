import type { FleetStatus } from "#libs/plan";
import { makeComing } from "#test/world/words";
import { renderUndo, writeText } from "#libs/wording";

type Run = FleetStatus["runs"][number];
type Share = Run["clusters"][number];

const names = ["stage-use1", "prod-use1-a", "prod-use1-b", "prod-usw2-a", "prod-euw1-a", "prod-apne1-a"];
const totals = [65, 39, 41, 21, 30, 18];

/** The share of one cluster; workloads without a figure are pending. */
export function share(cluster: string, workloads: number, figures: Partial<Share> = {}): Share {
  const { migrated = 0, idle = 0, migrating = 0, waiting = 0, skipped = 0, failed = 0 } = figures;
  return {
    cluster,
    workloads,
    migrated,
    idle,
    migrating,
    waiting,
    skipped,
    failed,
    pending: workloads - migrated - idle - migrating - waiting - skipped,
  };
}

/** The demo's run with the counts of these shares. */
export function run(clusters: readonly Share[], skipped: Run["skipped"] = []): Run {
  const sum = (pick: (each: Share) => number): number => clusters.reduce((total, each) => total + pick(each), 0);
  return {
    id: "a17ecec1ed5f",
    subject: "Merge pull request #1 from acme/ana/staging-50",
    author: "ben",
    startedAt: "2026-11-21T15:14:00.000Z",
    workloads: sum((each) => each.workloads),
    migrated: sum((each) => each.migrated),
    idle: sum((each) => each.idle),
    migrating: sum((each) => each.migrating),
    pending: sum((each) => each.pending),
    waiting: sum((each) => each.waiting),
    skipped,
    skippedTotal: sum((each) => each.skipped),
    clusters,
  };
}

/** Six clusters before the first move. */
export const untouched: readonly Share[] = names.map((name, at) => share(name, totals[at] ?? 0));

/** A status as the planner publishes it. */
export function makeStatus(change: Partial<FleetStatus> = {}): FleetStatus {
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "FleetStatus",
    at: "2026-11-21T15:22:30.000Z",
    main: { head: "ff871c7d60ad4e1f0c8d5b1f3d2a1b0c9e8f7a6b", ageSeconds: 1 },
    state: "Idle",
    where: [
      {
        bucket: ".*-staging",
        namespaces: 333,
        shares: [
          { revision: "1-24-5", requested: 50, namespaces: 180, actual: 54.1 },
          { revision: "1-25-2", requested: 50, namespaces: 132, actual: 39.6 },
        ],
        mixed: 21,
      },
    ],
    rollouts: [],
    waiting: [],
    next: makeComing({ code: "MergeNeeded" }),
    stop: { command: 'meshroll pause all --reason "…"', effect: writeText("nothing more starts") },
    undo: renderUndo({ code: "NoRun" }),
    runs: [],
    clusters: names.map((name, at) => ({
      name,
      mode: "act",
      fresh: true,
      ageSeconds: 1,
      namespaces: 100,
      workloads: 10 * (totals[at] ?? 0) + 12,
      unmanaged: 12,
      rolling: 0,
      unhealthy: 7,
      drift: 0,
      problems: [],
    })),
    stops: [],
    ...change,
  };
}

type Campaign = NonNullable<FleetStatus["campaigns"]>[number];

const stages = ["staging-100", "prod-25", "prod-100"];

/** The demo's campaign, as a status reports it: its second stage is next. */
export function makeCampaign(change: Partial<Campaign> = {}): Campaign {
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "CampaignStatus",
    name: "istio-1-25",
    at: "2026-11-21T15:22:30.000Z",
    target: "1-25-2",
    replaces: ["1-24-5"],
    owners: [],
    state: "InProgress",
    stage: { name: "prod-25", index: 2, of: 3 },
    stages: stages.map((name, at) => ({
      name,
      index: at + 1,
      set: {},
      state: at === 0 ? "Completed" : "Next",
      reached: at === 0,
      baked: at === 0,
    })),
    runs: [],
    where: [],
    rollouts: [],
    waiting: [],
    next: [],
    stop: { command: 'meshroll pause istio-1-25 --reason "…"', effect: writeText("nothing more starts") },
    undo: { effect: writeText("nothing moved yet") },
    counts: { workloads: 0, migrated: 0, idle: 0, migrating: 0, pending: 0, waiting: 0, skipped: 0 },
    gates: [],
    failures: { count: 0, namespaces: 0, counted: 0, items: [] },
    leftOut: [],
    stops: [],
    ...change,
  };
}

/** The pull request of a stage; the plan check is green. */
export function makePull(
  stage: string,
  change: Partial<NonNullable<Campaign["pull"]>> = {},
): NonNullable<Campaign["pull"]> {
  return {
    stage,
    number: 3,
    url: "http://127.0.0.1/acme/rollouts/pull/3",
    branch: `meshroll/istio-1-25/${stage}`,
    state: "open",
    headSha: "f".repeat(40),
    checks: { plan: "success", approvals: "pending" },
    ...change,
  };
}
