import type { Event, NotifyFacts } from "#libs/events";
import type { FleetStatus } from "#libs/plan";

import * as make from "./delivery/test-world.ts";

/** A message of the bus, or a status that the planner publishes. */
export type Step = Event | FleetStatus;

/** A value that the notifier has only in memory, with events during which it is needed. */
export interface NotifierRow {
  readonly value: string;
  readonly notify?: NotifyFacts;
  /** `commit`: of the run, merged by pull request 1. */
  readonly steps: (commit: string) => readonly Step[];
}

const clusters = ["one", "two"];
const startedAt = "2026-11-21T13:00:00.000Z";
const next = { run: "fedcbafedcba", commit: "f".repeat(40), subject: "5 to 50", author: "ana" };
const github = { dashboardIssue: true, deployments: true, labels: [] };

const handedOut = (cluster: string, id: string): Event =>
  make.eventOf("batchHandedOut", id, { run: make.run, cluster });

/** A status as the planner writes it, with the run's commit and clusters. */
function statusAt(commit: string, migrated: number, more: Partial<FleetStatus> = {}): FleetStatus {
  const rest = { idle: 0, pending: 20, migrating: 0, waiting: 0, skipped: 0, failed: 0 };
  const shares = clusters.map((cluster) => ({ cluster, workloads: 20, migrated: 0, ...rest }));
  return make.statusOf({ runs: [make.runStatusOf({ migrated, commit, clusters: shares })], ...more });
}

/** The message of the run's end as the planner sends it, with the run's facts. */
function doneOf(commit: string, failed = 0): Event {
  const of = { commit, subject: "production: 5 to 25", author: "ana", startedAt };
  return make.doneOf({ ...of, skipped: failed, clusters: clusters.map((name) => ({ name, skipped: failed, failed })) });
}

const startedOf = (commit: string): Event => make.startedOf({ commit, clusters });

export const notifierRows: readonly NotifierRow[] = [
  {
    value: "which messages of the bus are sent",
    steps: (commit) => [
      startedOf(commit),
      make.failedOf("shop/Deployment/a"),
      make.placedOf("v1", `run/${make.run}`),
      make.resumedOf("v1", `run/${make.run}`),
      make.placedOf("v2", "all"),
      make.resumedOf("v2", "all"),
      doneOf(commit, 1),
    ],
  },
  {
    value: "threads, groups and messages as found last in each channel",
    notify: make.campaignOf({ channel: "mesh", broadcast: ["failed"] }),
    steps: (commit) => [
      make.startedOf({ commit, campaign: "istio-1-29", stage: "prod-25" }),
      statusAt(commit, 10),
      ...["a", "b", "c"].map((name) => make.failedOf(`shop/Deployment/${name}`)),
      ...make.campaignStory().slice(1),
    ],
  },
  {
    value: "which stop has which scope",
    steps: (commit) => [
      startedOf(commit),
      make.placedOf("v1", `run/${make.run}`),
      statusAt(commit, 10, { stops: [make.stopOf("v1", `run/${make.run}`)] }),
      statusAt(commit, 10),
      make.resumedOf("v1", `run/${make.run}`),
    ],
  },
  {
    value: "what a run did in each cluster",
    steps: (commit) => [
      startedOf(commit),
      statusAt(commit, 0),
      handedOut("one", "b1"),
      handedOut("two", "b2"),
      make.failedOf("shop/Deployment/a", 60, "ReadinessTimeout", "two"),
      make.failedOf("shop/Deployment/b", 61, "ReadinessTimeout", "two"),
      handedOut("one", "b3"),
      handedOut("two", "b4"),
      make.failedOf("shop/Deployment/c", 90, "CrashLoop", "two"),
      doneOf(commit, 3),
    ],
  },
  {
    value: "which notifier edits a message, and when (KV `status`, `told.…`)",
    steps: (commit) => [
      startedOf(commit),
      ...[1, 12, 23, 34].map((migrated) => statusAt(commit, migrated)),
      doneOf(commit),
      make.statusOf({ at: "2026-11-21T13:20:00.000Z", runs: [] }),
    ],
  },
  {
    value: "pull requests, deployments and channels by name",
    notify: make.notifyOf({ fleet: { slack: { channel: "mesh", broadcast: [] }, github } }),
    steps: (commit) => [
      startedOf(commit),
      statusAt(commit, 3),
      handedOut("one", "b1"),
      statusAt(commit, 30),
      doneOf(commit),
    ],
  },
  {
    value: "the commit whose deployment a cluster shows (KV `status`, `told.environment.…`)",
    steps: (commit) => [
      startedOf(commit),
      doneOf(commit),
      make.eventOf("runStarted", "n1", { ...next, workloads: 1, clusters }),
      make.eventOf("runDone", "n2", { ...next, startedAt, state: "done", migrated: 1, skipped: 0, clusters: [] }),
    ],
  },
];
