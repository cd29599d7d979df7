import { countAllowed, countUnavailable } from "./availability.ts";
import type { BatchItem, Reason } from "./decision.ts";
import { findRevisionObstacle } from "./cluster-readiness.ts";
import type { LedgerState } from "./ledger-state.ts";
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
  readonly ledger: LedgerState | undefined;
  /** From ledger, control and this cluster's ConfigMaps: a stop counts from anywhere. */
  readonly stops: readonly ActiveStop[];
  readonly cluster: ClusterWorld;
  /** Where every workload of this cluster stands by that main. */
  readonly judged: readonly WorkloadStanding[];
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

const checkRun: Check = (world, job) => {
  if (world.ledger === undefined || world.head === undefined) {
    return say("end", "MainUnparsable", "main does not parse, or no ledger is recorded", "whoever merged last");
  }
  if (!job.isContained) return say("end", "CommitGone", `commit ${job.commit.slice(0, 12)} is not in main's history`);
  const run = world.ledger.runs[job.run];
  if (run === undefined || run.state !== "open") return say("end", "RunOver", `run ${job.run} is not open`);
  const isOpen = run.clusters[world.cluster.name] !== undefined;
  return isOpen ? undefined : say("end", "WaveClosed", `the wave of ${world.cluster.name} is not open`);
};

/** In this order: who may act at all, on which facts, for which run. */
const jobChecks: readonly Check[] = [checkLock, checkIdentity, checkFresh, checkControl, checkRun];

/** May this job go on at all? Asked before each patch and while it only waits. */
export function permitJob(world: ExecutorWorld, job: JobFacts): Permit {
  for (const check of jobChecks) {
    const verdict = check(world, job);
    if (verdict !== undefined) return verdict;
  }
  const stop = world.stops.find((each) => isWholeJob(each, job, world.cluster.name));
  return stop === undefined ? { kind: "go" } : say("end", "Stopped", describeStop(stop), stop.who);
}

function isWholeJob(stop: ActiveStop, job: JobFacts, cluster: string): boolean {
  return coversSubject(stop, { cluster, run: job.run, namespace: "", bucket: "" });
}

type ItemCheck = (world: ExecutorWorld, job: JobFacts, item: BatchItem, judged: WorkloadStanding) => Permit | undefined;

const checkDemand: ItemCheck = (_, job, item, judged) =>
  judged.desired === item.target && judged.run?.id === job.run
    ? undefined
    : say("skip", "NotDemanded", `main asks for ${judged.desired} in ${item.namespace}, not for ${item.target}`);

const checkTurn: ItemCheck = (_, __, ___, { standing, key }) =>
  standing.kind === "due" ? undefined : say("skip", "NotDue", `${key} is ${standing.kind}`);

const checkItemStops: ItemCheck = (world, job, item, judged) => {
  const subject = { cluster: judged.cluster, run: job.run, namespace: item.namespace, bucket: judged.bucket };
  const stop = world.stops.find((each) => coversSubject(each, subject));
  return stop === undefined ? undefined : say("skip", "Stopped", describeStop(stop), stop.who);
};

const checkRevision: ItemCheck = (world, _, __, judged) => {
  const obstacle = findRevisionObstacle(world.cluster, judged.desired);
  // The planner hands it out again, and names the cause meanwhile: a job that only waits says nothing to anybody.
  return obstacle === undefined ? undefined : { kind: "end", reason: obstacle };
};

/** A workload's own patch does not count against itself (rules 4.2): one that rolls already takes no new place. */
const checkRoom: ItemCheck = (world, _, __, { key }) => {
  const batchSize = world.head?.settings.batch.batchSize ?? 1;
  const message = `${world.rolling.size} workloads roll, batchSize is ${batchSize}`;
  return world.rolling.has(key) || world.rolling.size < batchSize
    ? undefined
    : say("wait", "BatchFull", message, "the workloads");
};

/** What moves plus what became unavailable since the run began, by what this cluster shows now (rules 3.3). */
const checkUnavailable: ItemCheck = (world, job) => {
  const { maxUnavailable } = world.head?.settings.batch ?? {};
  const before = world.ledger?.runs[job.run]?.clusters[world.cluster.name]?.unhealthyBefore ?? [];
  const missing = countUnavailable(world.judged, new Set(before));
  const allowed = countAllowed(maxUnavailable, world.judged);
  const message = `${missing} workloads are unavailable, ${allowed} are allowed`;
  return missing < allowed ? undefined : say("wait", "MaxUnavailable", message, "the workloads");
};

/** The room is looked at last: everything else may end the wait for it. */
const itemChecks: readonly ItemCheck[] = [
  checkDemand,
  checkTurn,
  checkItemStops,
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
