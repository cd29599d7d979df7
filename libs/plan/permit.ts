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

/** A main that was read longer ago is fetched again before anything is judged by it. */
const mainLimitMs = 120_000;

function say(kind: "wait" | "skip" | "end", code: string, message: string, owner = "meshroll"): Permit {
  return { kind, reason: { code, message, owner } };
}

type Check = (world: ExecutorWorld, job: JobFacts) => Permit | undefined;

const checkLock: Check = (_, job) =>
  job.holdsLock ? undefined : say("end", "LockLost", "the lock on the job was lost: another executor may have it");

const checkIdentity: Check = (world, job) =>
  world.cluster.facts.uid === job.clusterUid
    ? undefined
    : say("end", "OtherCluster", `${world.cluster.name} answers as another cluster than the job was made for`, "whoever set the kubeconfig context");

const checkControl: Check = (world) => {
  if (world.control === "stale") return say("wait", "ControlUnknown", "KV control is not seeded or older than 30 s", "the planner");
  if (world.control === "ahead") return say("wait", "ControlAhead", "KV control names a commit that is not fetched yet");
  return world.mainAgeMs > mainLimitMs ? say("wait", "MainUnknown", "main was not read for two minutes", "the git server") : undefined;
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
const jobChecks: readonly Check[] = [checkLock, checkIdentity, checkControl, checkRun];

/** May this job go on at all? Asked before each patch and while it only waits. */
export function permitJob(world: ExecutorWorld, job: JobFacts): Permit {
  for (const check of jobChecks) {
    const verdict = check(world, job);
    if (verdict !== undefined) return verdict;
  }
  const stop = world.stops.find((each) => isWholeJob(each, job, world.cluster.name));
  return stop === undefined ? { kind: "go" } : say("end", "Stopped", `${stop.scope} is stopped by ${stop.who}: ${stop.why}`, stop.who);
}

function isWholeJob(stop: ActiveStop, job: JobFacts, cluster: string): boolean {
  return coversSubject(stop, { cluster, run: job.run, namespace: "", bucket: "" });
}

/** May this workload be patched now? `judged` is its standing by this executor's own main and cache, undefined when it is gone. */
export function permitPatch(world: ExecutorWorld, job: JobFacts, item: BatchItem, judged: WorkloadStanding | undefined): Permit {
  const whole = permitJob(world, job);
  if (whole.kind !== "go") return whole;
  if (judged === undefined || judged.workload.uid !== item.uid) {
    return say("skip", "Gone", `${item.namespace}/${item.kind}/${item.name} was deleted or made anew since it was handed out`);
  }
  const { standing, workload, key } = judged;
  if (judged.desired !== item.target || judged.run?.id !== job.run) {
    return say("skip", "NotDemanded", `main asks for ${judged.desired} in ${workload.namespace}, not for ${item.target}`);
  }
  if (standing.kind !== "due") return say("skip", "NotDue", `${key} is ${standing.kind}`);
  const subject = { cluster: judged.cluster, run: job.run, namespace: workload.namespace, bucket: judged.bucket };
  const stop = world.stops.find((each) => coversSubject(each, subject));
  if (stop !== undefined) return say("skip", "Stopped", `${stop.scope} is stopped by ${stop.who}: ${stop.why}`, stop.who);
  const obstacle = findRevisionObstacle(world.cluster, judged.desired);
  if (obstacle !== undefined) return { kind: "wait", reason: obstacle };
  const batchSize = world.head?.settings.batch.batchSize ?? 1;
  const others = [...world.rolling].filter((each) => each !== key).length;
  return others < batchSize ? { kind: "go" } : say("wait", "BatchFull", `${others} workloads roll, batchSize is ${batchSize}`, "the workloads");
}
