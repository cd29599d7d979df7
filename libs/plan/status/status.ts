import {
  type ComingEvent,
  type CommandStatus,
  renderComing,
  renderPause,
  type UndoStatus,
  type VmGroupWords,
  type WaitEnd,
} from "#libs/wording";

import {
  type ClusterIndex,
  countLeft,
  countShares,
  type Evaluation,
  type RevisionCounts,
  type RunView,
} from "../index/index.ts";
import { type Decision, printTime, type Snapshot, type Spec } from "../records/index.ts";
import { type ClusterStatus, describeClusters, type LeftLists } from "./cluster/describe-clusters.ts";
import { describeStops, findRunGuardStop, holdsWholeRun, listRecordedStops, type StopStatus } from "../stops/index.ts";
import { findLastDeadline } from "../workloads/index.ts";
import { listDeployEvents } from "./campaign-coming.ts";
import { renderWait } from "./campaign-waits.ts";
import { mergeRunStops } from "./waits/merge-run-stops.ts";
import { needsPerson } from "./waits/needs-person.ts";
import type { CampaignStatus, WaitStatus } from "./campaign-status.ts";
import { roundToTenth } from "./campaign-figures.ts";
import { describeCampaigns } from "./describe-campaigns.ts";
import { describeFailures, type FailureStatus, listFleetFailures } from "./failure-status.ts";
import { describePutBack, type PutBackStatus } from "./drift/put-back.ts";
import { describeUnmoved, type UnmovedStatus } from "./drift/unmoved.ts";
import { describeSkipped, listFleetSkipped, type SkippedSummary } from "./skipped/list-skipped.ts";
import { describeRun, mostListed, type RunStatus } from "./status-runs.ts";
import { describeRollback, describeUndo, type RollbackStatus } from "./status-undo.ts";
import { describeVmGroups } from "./vms/describe-vm-groups.ts";

/** Requested and actual share of one revision in one bucket. */
export interface ShareStatus {
  readonly revision: string;
  /** The percentage in the file. */
  readonly requested: number;
  /** Managed namespaces of the bucket whose workloads all run it. */
  readonly namespaces: number;
  /** `namespaces` in percent of the bucket's, one decimal. */
  readonly actual: number;
}

export interface BucketStatus {
  readonly bucket: string;
  readonly namespaces: number;
  readonly shares: readonly ShareStatus[];
  /** Namespaces whose workloads run more than one revision, or one that the file does not have. */
  readonly mixed: number;
}

/** The five answers, the same on all surfaces. */
export interface FleetStatus {
  readonly apiVersion: "meshroll.dev/v1";
  readonly kind: "FleetStatus";
  readonly at: string;
  /** System time at which the planner wrote it, epoch ms; absent when it was computed by a command. */
  readonly wroteAt?: number;
  /** The address of this installation's page; absent where the planner does not know it. */
  readonly page?: string;
  /** `head` is empty before main was read; `ageSeconds` is absent where this planner did not read it itself. */
  readonly main: { readonly head: string; readonly ageSeconds?: number };
  /** In Sail's words. */
  readonly state: "Idle" | "InProgress" | "Failed";
  readonly where: readonly BucketStatus[];
  readonly rollouts: readonly {
    readonly cluster: string;
    readonly run: string;
    readonly workloads: readonly string[];
    /** The groups of VMs among all that rolls, the first ten; absent where there is none. */
    readonly vms?: readonly VmGroupWords[];
  }[];
  readonly waiting: readonly WaitStatus[];
  /** Never empty: the next events of open runs, else of each campaign. */
  readonly next: readonly ComingEvent[];
  readonly stop: CommandStatus;
  readonly undo: UndoStatus;
  readonly runs: readonly RunStatus[];
  /** Unfinished campaigns, by name; absent in an earlier version's status. */
  readonly campaigns?: readonly CampaignStatus[];
  /** Absent while nothing is rolled back. */
  readonly rollback?: RollbackStatus;
  /** Failures of all runs, ended ones included; absent without a head. */
  readonly failures?: FailureStatus;
  /** Skipped workloads of all runs, without failures; absent without a head, and in an earlier version's status. */
  readonly skipped?: SkippedSummary;
  readonly clusters: readonly ClusterStatus[];
  /** Workloads that owners' deploys overwrote after the runs were over; absent where there are none. */
  readonly putBack?: PutBackStatus;
  /** Other workloads that differ from main though no run moves them; absent where there are none. */
  readonly unmoved?: UnmovedStatus;
  /** Every hold and pause in force. */
  readonly stops: readonly StopStatus[];
}

function describeMain({ main }: Snapshot): FleetStatus["main"] {
  const { head, ageMs } = main;
  return Number.isFinite(ageMs) ? { head, ageSeconds: Math.round(ageMs / 1000) } : { head };
}

function describeBuckets(head: Spec, fleet: ReadonlyMap<string, ClusterIndex>): readonly BucketStatus[] {
  const tally = countShares(head, fleet);
  return head.rollouts.buckets.map((bucket) => {
    const counts: RevisionCounts = tally.get(bucket.pattern) ?? new Map();
    const namespaces = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const shares = bucket.shares.map(({ revision, weight }) => {
      const count = counts.get(revision) ?? 0;
      return {
        revision,
        requested: weight,
        namespaces: count,
        actual: namespaces === 0 ? 0 : roundToTenth((100 * count) / namespaces),
      };
    });
    const named = shares.reduce((sum, share) => sum + share.namespaces, 0);
    return { bucket: bucket.pattern, namespaces, shares, mixed: namespaces - named };
  });
}

function describeRollouts(snapshot: Snapshot, fleet: ReadonlyMap<string, ClusterIndex>): FleetStatus["rollouts"] {
  return [...snapshot.clusters.values()].flatMap((cluster) => {
    const all = [...(fleet.get(cluster.name)?.list("rolling") ?? [])];
    const rolling = all.slice(0, mostListed);
    const run = cluster.batch?.run ?? "";
    return rolling.length === 0 && cluster.batch === undefined
      ? []
      : [{ cluster: cluster.name, run, workloads: rolling.map((each) => each.key), ...describeVmGroups(all) }];
  });
}

/** Without an open run: the next events of campaigns, else nothing until a merge (rules 7.6). */
function listRest(campaigns: readonly CampaignStatus[]): readonly ComingEvent[] {
  const coming = campaigns.flatMap(({ name, next: [first] }) =>
    first === undefined ? [] : [{ ...first, campaign: name }],
  );
  return coming.length === 0 ? [renderComing({ code: "MergeNeeded" })] : coming;
}

const waitEnds: ReadonlyMap<string, WaitEnd> = new Map([
  ["Baking", "bake"],
  ["BakeUnseen", "seen"],
  ["BakeUnhealthy", "healthy"],
  ["GatePending", "gate"],
  ["WindowClosed", "window"],
  ["Frozen", "freeze"],
]);

/** What ends the waits, each once. */
function listWaitEnds(waiting: FleetStatus["waiting"]): readonly WaitEnd[] {
  return [...new Set(waiting.flatMap(({ code }) => waitEnds.get(code) ?? []))];
}

/** What is left, in owners' deploys or in batches. A complete run may bake, or wait for a gate or a window, which are waits. */
function listLeft(
  views: readonly RunView[],
  waiting: FleetStatus["waiting"],
  head: Spec,
  now: number,
): readonly ComingEvent[] {
  const busy = views.filter((view) => countLeft(view).left > 0);
  const left = busy.reduce((sum, view) => sum + countLeft(view).left, 0);
  if (left === 0) return [renderComing({ code: "WaitsEnd", until: listWaitEnds(waiting) })];
  const deadlines = busy.flatMap(({ run }) => findLastDeadline({ head, now }, run) ?? []);
  if (deadlines.length < busy.length) return [renderComing({ code: "FleetBatches", left })];
  return listDeployEvents(left, Math.max(...deadlines)).map(renderComing);
}

function listNext(
  { snapshot: { now }, head }: { readonly snapshot: Snapshot; readonly head: Spec },
  views: readonly RunView[],
  waiting: FleetStatus["waiting"],
  campaigns: readonly CampaignStatus[],
  rollback: RollbackStatus | undefined,
  stops: readonly StopStatus[],
): readonly ComingEvent[] {
  if (views.length === 0) return listRest(campaigns);
  if (rollback !== undefined)
    return [renderComing({ code: "RollbackBatches", of: rollback.of, left: rollback.total - rollback.done })];
  const isHeld = waiting.some(needsPerson);
  // Also in a reconcile that decides something else.
  const areStopped = views.every(({ run: { id: run, campaign } }) =>
    stops.some((stop) => holdsWholeRun(stop, { run, campaign })),
  );
  if (isHeld || areStopped) return [renderComing({ code: "PersonNeeded" })];
  return listLeft(views, waiting, head, now);
}

/** Whether a run's failures or a gate stopped it, without a resume yet. */
function isStoppedByGuard({ ledger }: Snapshot, { run }: RunView): boolean {
  return ledger !== undefined && findRunGuardStop(listRecordedStops(ledger), run.id) !== undefined;
}

function nameState(snapshot: Snapshot, views: readonly RunView[]): FleetStatus["state"] {
  if (views.some((view) => isStoppedByGuard(snapshot, view))) return "Failed";
  return views.length > 0 ? "InProgress" : "Idle";
}

/** Decided waits, and those of campaigns' next stages. */
function listWaits(
  snapshot: Snapshot,
  decisions: readonly Decision[],
  campaigns: readonly CampaignStatus[],
  stops: readonly StopStatus[],
): FleetStatus["waiting"] {
  const waits = decisions.flatMap((each) => (each.kind === "wait" ? [each] : []));
  const decided = mergeRunStops(waits, stops, snapshot).map((each) => renderWait(each, snapshot, stops));
  const known = new Set(decided.map(({ scope, code }) => `${scope} ${code}`));
  const own = campaigns.flatMap(({ name, waiting }) => waiting.filter(({ scope }) => scope === `campaign/${name}`));
  return [...decided, ...own.filter(({ scope, code }) => !known.has(`${scope} ${code}`))];
}

/** The parts of a status that need main's files: campaigns, failures and skipped workloads. */
function describeByHead(
  snapshot: Snapshot,
  head: Spec | undefined,
  evaluation: Evaluation,
  decisions: readonly Decision[],
): Pick<FleetStatus, "failures" | "skipped"> & {
  readonly campaigns: readonly CampaignStatus[];
  readonly lists?: LeftLists;
} {
  if (head === undefined) return { campaigns: [] };
  const failures = listFleetFailures(evaluation, head, snapshot);
  const skipped = listFleetSkipped(evaluation, snapshot);
  return {
    campaigns: describeCampaigns(snapshot, head, evaluation, decisions, { failures, skipped }),
    failures: describeFailures(failures, evaluation.views),
    skipped: describeSkipped(skipped, evaluation.views),
    lists: { failed: failures, given: skipped, views: evaluation.views },
  };
}

/**
 * The status of one instant, from the snapshot that was decided on. Without a head (no commit of main that parses was ever
 * read) it has what is known without one: why, who can fix it, the clusters, and the stops.
 */
export function describeFleet(
  snapshot: Snapshot,
  head: Spec | undefined,
  fleet: ReadonlyMap<string, ClusterIndex>,
  views: readonly RunView[],
  decisions: readonly Decision[],
): FleetStatus {
  const evaluation = { judged: fleet, views };
  const { campaigns, lists, ...left } = describeByHead(snapshot, head, evaluation, decisions);
  const stops = describeStops(snapshot);
  const waiting = listWaits(snapshot, decisions, campaigns, stops);
  const rollback = describeRollback(views, snapshot, head);
  const putBack = describePutBack(snapshot, fleet);
  const unmoved = describeUnmoved(snapshot, head, fleet);
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "FleetStatus",
    at: printTime(snapshot.now),
    main: describeMain(snapshot),
    state: nameState(snapshot, views),
    where: head === undefined ? [] : describeBuckets(head, fleet),
    rollouts: describeRollouts(snapshot, fleet),
    waiting,
    next:
      head === undefined
        ? [renderComing({ code: "ReadableMainNeeded" })]
        : listNext({ snapshot, head }, views, waiting, campaigns, rollback, stops),
    stop: renderPause({ code: "Fleet" }),
    undo: describeUndo(Object.values(snapshot.ledger?.runs ?? {}), rollback),
    runs: views.map((view) => describeRun(view, snapshot.ledger)),
    campaigns,
    ...(rollback === undefined ? {} : { rollback }),
    ...left,
    clusters: describeClusters(snapshot, fleet, lists),
    ...(putBack === undefined ? {} : { putBack }),
    ...(unmoved === undefined ? {} : { unmoved }),
    stops,
  };
}
