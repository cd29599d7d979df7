import type { Settings } from "#libs/campaign";

import { countAllowed, countUnavailable } from "./availability.ts";
import { describeSubject } from "./batch-choice.ts";
import type { Standings } from "./cluster-index.ts";
import { findClosed } from "./calendar-stop.ts";
import type { BatchItem, Reason } from "./decision.ts";
import { findRevisionObstacle } from "./cluster-readiness.ts";
import type { LedgerState } from "./ledger-state.ts";
import { listReturnedBuckets } from "./returns.ts";
import { findRevertedRun } from "./reverts.ts";
import { nameCampaigns } from "./run-campaigns.ts";
import { settingsOver } from "./run-settings.ts";
import type { WorkloadStanding } from "./standing.ts";
import { type ActiveStop, coversSubject } from "./stops.ts";
import type { ClusterWorld, Spec } from "./world.ts";

/** What an executor knows by itself before a patch: its own newest main, never the job's word (rules 4.3). */
export interface ExecutorWorld {
  /** `control` changed within 30 s of this process's clock, is seeded, and names commits that this process has. */
  readonly control: "fresh" | "stale" | "ahead";
  /** Real ms since this process read main and ledger. */
  readonly mainAgeMs: number;
  /** Head of main, parsed; absent = it does not parse. */
  readonly head: Spec | undefined;
  /** Head's `meshroll.yml`, or that of the last commit that parsed: a rollback goes on by it. A stage's own settings go before. */
  readonly settings: Settings | undefined;
  /** Epoch ms of the time people live in: windows and freezes are told by it. */
  readonly now: number;
  readonly ledger: LedgerState | undefined;
  /** From ledger, control and this cluster's ConfigMaps: a stop counts from anywhere. */
  readonly stops: readonly ActiveStop[];
  readonly cluster: ClusterWorld;
  /** Where every workload of this cluster stands by that main. */
  readonly judged: Standings;
  /** Workloads of this cluster that roll because of us, writes not yet seen in the watch included (rules 4.2). */
  readonly rolling: ReadonlySet<string>;
}

/** A job in hand, as far as a permit depends on it. */
export interface JobFacts {
  readonly run: string;
  readonly commit: string;
  readonly clusterUid: string;
  /** The job's commit is in the first-parent history of this executor's main. */
  readonly isContained: boolean;
  readonly holdsLock: boolean;
}

export type Permit =
  | { readonly kind: "go" }
  /** Not now: look again. */
  | { readonly kind: "wait"; readonly reason: Reason }
  /** This workload is not to be moved by this job; the next one may be. */
  | { readonly kind: "skip"; readonly reason: Reason }
  /** The job is over at once. */
  | { readonly kind: "end"; readonly reason: Reason };

/** A main that was last read longer ago is not known any more, real ms (rules 12.1); it is fetched every minute. */
const mainLimitMs = 10 * 60_000;

function say(kind: "wait" | "skip" | "end", code: string, message: string, owner = "meshroll"): Permit {
  return { kind, reason: { code, message, owner } };
}

function describeStop(stop: ActiveStop): string {
  return `${stop.scope} is stopped by ${stop.who}: ${stop.why}`;
}

type Check = (world: ExecutorWorld, job: JobFacts) => Permit | undefined;

const checkLock: Check = (_, job) =>
  job.holdsLock ? undefined : say("end", "LockLost", "the lock on the job was lost: another executor may have it");

const checkIdentity: Check = (world, job) =>
  world.cluster.facts.uid === job.clusterUid && job.clusterUid !== ""
    ? undefined
    : say(
        "end",
        "OtherCluster",
        `${world.cluster.name} answers as another cluster than the job was made for`,
        "whoever set the kubeconfig context",
      );

const checkFresh: Check = (world) =>
  world.cluster.fresh
    ? undefined
    : say("wait", "ClusterUnreachable", `the API server of ${world.cluster.name} says nothing`, "the cluster");

const checkControl: Check = (world) => {
  if (world.control === "stale")
    return say("wait", "ControlUnknown", "KV control is not seeded or older than 30 s", "the planner");
  if (world.control === "ahead")
    return say("wait", "ControlAhead", "KV control names a commit that is not fetched yet");
  return world.mainAgeMs > mainLimitMs
    ? say("wait", "MainUnknown", "main was not read for ten minutes", "the git server")
    : undefined;
};

/** A rollback in force goes on for a run that is over, and while main does not parse (rules 2.4). */
function isReverted({ stops, ledger }: ExecutorWorld, { run }: JobFacts): boolean {
  return stops.some((stop) => findRevertedRun(stop, ledger)?.id === run);
}

const checkRun: Check = (world, job) => {
  const reverted = isReverted(world, job);
  if (world.ledger === undefined || (world.head === undefined && !reverted)) {
    return say("end", "MainUnparsable", "main does not parse, or no ledger is recorded", "whoever merged last");
  }
  if (!job.isContained) return say("end", "CommitGone", `commit ${job.commit.slice(0, 12)} is not in main's history`);
  const run = world.ledger.runs[job.run];
  const isServed = run !== undefined && (run.state === "open" || reverted);
  return isServed ? undefined : say("end", "RunOver", `run ${job.run} is not open`);
};

/** In this order: who may act at all, on which facts, for which run. */
const jobChecks: readonly Check[] = [checkLock, checkIdentity, checkFresh, checkControl, checkRun];

/** May this job go on at all? Asked before each patch and while it only waits. */
export function permitJob(world: ExecutorWorld, job: JobFacts): Permit {
  for (const check of jobChecks) {
    const verdict = check(world, job);
    if (verdict !== undefined) return verdict;
  }
  const stop = world.stops.find((each) => isWholeJob(each, world, job));
  return stop === undefined ? { kind: "go" } : say("end", "Stopped", describeStop(stop), stop.who);
}

/** A job of a run that goes back is judged item by item: few stops hold a return (rules 2.3). */
function isWholeJob(stop: ActiveStop, world: ExecutorWorld, job: JobFacts): boolean {
  const run = world.ledger?.runs[job.run];
  const subject = { cluster: world.cluster.name, run: job.run, ...nameCampaigns(run), namespace: "", bucket: "" };
  const goesBack = isReverted(world, job) || (run !== undefined && listReturnedBuckets(run).length > 0);
  return goesBack ? stop.id === "kubectl" && coversSubject(stop, subject) : coversSubject(stop, subject);
}

type ItemCheck = (world: ExecutorWorld, job: JobFacts, item: BatchItem, judged: WorkloadStanding) => Permit | undefined;

const checkDemand: ItemCheck = (_, job, item, judged) =>
  judged.desired === item.target && judged.run?.id === job.run
    ? undefined
    : say("skip", "NotDemanded", `main asks for ${judged.desired} in ${item.namespace}, not for ${item.target}`);

const checkTurn: ItemCheck = (_, __, ___, { standing, key }) =>
  standing.kind === "due" ? undefined : say("skip", "NotDue", `${key} is ${standing.kind}`);

const checkItemStops: ItemCheck = (world, job, _, judged) => {
  const stop = world.stops.find((each) => coversSubject(each, describeSubject(judged, job.run)));
  return stop === undefined ? undefined : say("skip", "Stopped", describeStop(stop), stop.who);
};

/** A return heeds no wave (rules 2.3). */
const checkWave: ItemCheck = (world, job, _, { returnSince }) =>
  returnSince !== undefined || world.ledger?.runs[job.run]?.clusters[world.cluster.name] !== undefined
    ? undefined
    : say("end", "WaveClosed", `the wave of ${world.cluster.name} is not open`);

/** A window that closed with `atEnd: stop` holds every forward patch; what is in hand ends otherwise (rules 7.1). */
const checkCalendar: ItemCheck = ({ head, ledger, now }, job, _, { returnSince }) => {
  const closed =
    head === undefined || returnSince !== undefined ? undefined : findClosed(head, ledger?.runs[job.run], now);
  return closed?.atEnd === "stop" ? say("skip", "WindowClosed", closed.why, "the calendar of the campaign") : undefined;
};

const checkRevision: ItemCheck = (world, _, __, judged) => {
  const obstacle = findRevisionObstacle(world.cluster, judged.desired);
  // The planner hands it out again, and names the cause meanwhile: a job that only waits says nothing to anybody.
  return obstacle === undefined ? undefined : { kind: "end", reason: obstacle };
};

/** What its run moves by (rules 1.4). */
function settingsFor({ head, ledger, settings }: ExecutorWorld, { run }: JobFacts): Settings | undefined {
  return settingsOver(head, ledger?.runs[run], settings);
}

/** What takes a place: a workload that is stuck on a way that is undone leaves the count (rules 4.2). */
function countPlaces({ rolling, judged }: ExecutorWorld, isReturn: boolean): number {
  if (!isReturn) return rolling.size;
  const stuck = [...rolling].filter((key) => judged.find(key)?.standing.kind === "due");
  return rolling.size - stuck.length;
}

/** A workload's own patch does not count against itself (rules 4.2), and what is broken goes back at once (rules 2.3). */
const checkRoom: ItemCheck = (world, job, _, { key, returnSince, unavailable }) => {
  const isReturn = returnSince !== undefined;
  const settings = settingsFor(world, job);
  const batchSize = (isReturn ? settings?.rollbackBatch : settings?.batch)?.batchSize ?? 1;
  const places = countPlaces(world, isReturn);
  if (world.rolling.has(key) || (isReturn && unavailable) || places < batchSize) return undefined;
  return say("wait", "BatchFull", `${places} workloads roll, batchSize is ${batchSize}`, "the workloads");
};

/** What moves plus what became unavailable since the run began, by what this cluster shows now (rules 3.3). */
const checkUnavailable: ItemCheck = (world, job, _, { returnSince }) => {
  if (returnSince !== undefined) return undefined;
  const { maxUnavailable } = settingsFor(world, job)?.batch ?? {};
  const before = world.ledger?.runs[job.run]?.clusters[world.cluster.name]?.unhealthyBefore ?? [];
  const missing = countUnavailable(world.judged.list("short"), new Set(before));
  const allowed = countAllowed(maxUnavailable, world.judged.count("managed"));
  const message = `${missing} workloads are unavailable, ${allowed} are allowed`;
  return missing < allowed ? undefined : say("wait", "MaxUnavailable", message, "the workloads");
};

/** The room is looked at last: everything else may end the wait for it. */
const itemChecks: readonly ItemCheck[] = [
  checkDemand,
  checkTurn,
  checkWave,
  checkItemStops,
  checkCalendar,
  checkRevision,
  checkUnavailable,
  checkRoom,
];

/** May this workload be patched now? `judged` is its standing by this executor's own main and cache, undefined when it is gone. */
export function permitPatch(
  world: ExecutorWorld,
  job: JobFacts,
  item: BatchItem,
  judged: WorkloadStanding | undefined,
): Permit {
  const whole = permitJob(world, job);
  if (whole.kind !== "go") return whole;
  if (judged === undefined || judged.workload.uid !== item.uid) {
    const name = `${item.namespace}/${item.kind}/${item.name}`;
    return say("skip", "Gone", `${name} was deleted or made anew since it was handed out`);
  }
  for (const check of itemChecks) {
    const verdict = check(world, job, item, judged);
    if (verdict !== undefined) return verdict;
  }
  return { kind: "go" };
}
