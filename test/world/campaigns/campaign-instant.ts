import { writeText } from "#libs/wording";
import { readFileSync } from "node:fs";

import type { Workload } from "#libs/fleet";
import {
  type ClusterSnapshot,
  compileSpec,
  decide,
  type CampaignStatus,
  describeFleet,
  type FleetStatus,
  type RunRecord,
  type StagePull,
  type Spec,
  type StopRecord,
  evaluateFleet,
  type Snapshot,
} from "#libs/plan";

import {
  makeMigrated,
  failed,
  makeCluster,
  makeLedger,
  makeRun,
  makeStop,
  makeWorkload,
  moved,
  noon,
  sha,
} from "../build.ts";

const file = "campaigns/istio-1-25.yml";
/** One percent of 29 workloads would be none: here one failure is allowed, the second one stops. */
const text = readFileSync(new URL("../../fixtures/campaigns/istio-1-25.yml", import.meta.url), "utf8").replace(
  "maxFailures: 1%",
  "maxFailures: 2",
);
const [before, head] = [sha("before"), sha("merge")];
/** The id of stage prod-25's run. */
export const instantRun = head.slice(0, 12);

function compile(commit: string, production: number): Spec {
  const rollouts = [
    `production:\n  1-24-5: ${100 - production}\n  1-25-2: ${production}`,
    `".*-staging":\n  1-24-5: 0\n  1-25-2: 100`,
    `istio-e2e:\n  1-24-5: 0\n  1-25-2: 100`,
    `"payments-.*":\n  1-24-5: 100\n  1-25-2: 0`,
  ];
  const compiled = compileSpec(commit, `${rollouts.join("\n")}\n`, undefined, { [file]: text });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

const specs = new Map([
  [before, compile(before, 5)],
  [head, compile(head, 25)],
]);

function answer(commit: string, namespace: string): string {
  return specs.get(commit)?.resolver.resolve(namespace).revision ?? "";
}

const names = Array.from({ length: 120 }, (_, index) => `team-${String(index).padStart(3, "0")}`);
/** Namespaces that the stage moves, by name. */
const movers = names.filter((name) => answer(before, name) !== answer(head, name));

const order = ["stage-use1", "prod-use1-a", "prod-use1-b", "prod-usw2-a", "prod-euw1-a", "prod-apne1-a"];
const opened = { openedAt: "2026-11-19T10:02:00.000Z", unhealthyBefore: [], doneAt: "2026-11-19T11:01:00.000Z" };
const later = { openedAt: "2026-11-19T11:31:00.000Z", unhealthyBefore: [] };

/** State of a workload, by its cluster and its place among the cluster's namespaces that move. */
export type Progress = (cluster: string, index: number) => "pending" | "migrating" | "migrated" | "failed";

/** Two waves are done with one failure, the third one is in progress, the last one has not begun. */
const usual: Progress = (name, index) => {
  if (name.startsWith("stage-") || name === "prod-use1-a")
    return index === 1 && name === "prod-use1-a" ? "failed" : "migrated";
  if (name !== "prod-use1-b" && name !== "prod-usw2-a") return "pending";
  return index === 0 ? "migrated" : "migrating";
};

function failAt(workload: Workload, at: string): Workload {
  const marked = failed(workload, "1-25-2", instantRun);
  return { ...marked, annotations: { ...marked.annotations, "meshroll.dev/failed": `1-25-2 ReadinessTimeout ${at}` } };
}

function make(cluster: string, namespace: string, index: number, progress: Progress): Workload {
  const base = makeWorkload(`${namespace}/api`, {}, answer(before, namespace));
  switch (index < 0 ? "pending" : progress(cluster, index)) {
    case "pending":
      return base;
    case "migrating":
      return moved(base, "1-25-2", instantRun);
    case "migrated":
      return makeMigrated(base, "1-25-2", instantRun);
    case "failed":
      return failAt(base, "2026-11-19T10:31:00Z");
  }
}

function makeMember(name: string, workloads: readonly Workload[], isOpen: boolean): ClusterSnapshot {
  const revisions = ["1-24-5", "1-25-2"].map((revision) => ({
    name: revision,
    webhook: true,
    istiod: "ready" as const,
    version: revision.replaceAll("-", "."),
    proxies: { connected: 100, synced: 100 },
  }));
  return makeCluster(name, workloads, {
    facts: { revisions },
    ...(isOpen && workloads.length > 0 ? { batch: { run: instantRun, state: "active" as const } } : {}),
  });
}

export interface Instant {
  readonly progress?: Progress;
  readonly stops?: Readonly<Record<string, StopRecord>>;
  readonly run?: Parameters<typeof makeRun>[2];
  readonly snapshot?: Partial<Snapshot>;
}

/**
 * Thu 19 Nov 2026, 12:43 CET: stage prod-25 of `istio-1-25` is in the third of its four waves, as in the samples of the
 * documents. One workload failed, some migrate, the others are pending.
 */
export function makeInstant({ progress = usual, stops = {}, run = {}, snapshot = {} }: Instant = {}): Snapshot {
  const byCluster = order.map((name, at) => {
    const own = names.filter((_, index) => index % order.length === at);
    const moving = own.filter((each) => movers.includes(each));
    return makeMember(
      name,
      own.map((namespace) => make(name, namespace, moving.indexOf(namespace), progress)),
      at === 2 || at === 3,
    );
  });
  const changes = [
    {
      pattern: "production",
      from: "1-24-5: 95, 1-25-2: 5",
      to: "1-24-5: 75, 1-25-2: 25",
      direction: "forward" as const,
    },
  ];
  const record = makeRun(head, before, {
    campaign: "istio-1-25",
    stage: "prod-25",
    subject: "Merge pull request #118 from acme/meshroll/istio-1-25/prod-25",
    startedAt: "2026-11-19T10:02:00.000Z",
    changes,
    clusters: Object.fromEntries(order.slice(0, 4).map((name, at) => [name, at < 2 ? opened : later])),
    expected: order,
    gates: {
      restarts: {
        verdict: "pass",
        at: "2026-11-19T11:42:00.000Z",
        why: writeText("0 of 13 failed, 2 % are allowed"),
        value: 0,
        limit: 0.02,
      },
    },
    ...run,
  });
  return {
    now: noon,
    main: { head, ageMs: 2000, contained: true, vanished: [], points: [] },
    ledger: makeLedger({ main: head, judged: head, runs: { [instantRun]: record }, stops }),
    specs,
    clusters: new Map(byCluster.map((each) => [each.name, each])),
    requests: [],
    waitingSince: new Map(),
    pulls: new Map(),
    queueUp: true,
    ...snapshot,
  };
}

/** The status that a planner publishes for this snapshot. */
export function statusOf(snapshot: Snapshot): FleetStatus {
  const spec = snapshot.specs.get(snapshot.main.head);
  if (spec === undefined) throw new Error("main does not parse");
  const { judged, views } = evaluateFleet(snapshot, spec);
  return describeFleet(snapshot, spec, judged, views, decide(snapshot));
}

/** The only campaign in a snapshot's status. */
export function see(snapshot: Snapshot): CampaignStatus {
  const [campaign] = statusOf(snapshot).campaigns ?? [];
  if (campaign === undefined) throw new Error("the status names no campaign");
  return campaign;
}

/** All of the run's workloads have migrated. */
export const allMigrated = () => "migrated" as const;
/** A run that has ended. */
export const over: Partial<RunRecord> = { state: "done", endedAt: "2026-11-19T11:00:00.000Z" };
/** A stop by its id, as the ledger has it. */
export const stopOf = (change: Partial<StopRecord> & Pick<StopRecord, "id" | "scope">) => ({
  [change.id]: makeStop(change),
});
const pull: StagePull = {
  branch: "meshroll/istio-1-25/prod-50",
  number: 119,
  url: "https://github.com/acme/rollouts/pull/119",
  state: "open",
  headSha: "b".repeat(40),
  checks: { plan: "success", approvals: "pending" },
};
/** The open pull request of the next stage, with these changes. */
export const pulls = (change: Partial<StagePull> = {}): Partial<Snapshot> => {
  const one = { ...pull, ...change };
  return { pulls: new Map([[one.branch, one]]) };
};
