import type { StopScope } from "#libs/input";
import type { ReasonWords, RenderedWorkloadReason, Text } from "#libs/wording";

/**
 * What the branch `meshroll/ledger` says: its tree, parsed. The planner writes it; `meshroll init` writes its first record, and
 * `ledger check --repair` pushes a commit for a person.
 */
export interface LedgerState {
  /** The ledger commit this was read at. */
  readonly head: string;
  /** Transitions recorded so far: tells the newer of two states. */
  readonly sequence: number;
  readonly baseline: Baseline;
  /** Main's head that the newest ledger commit was decided on. */
  readonly main: string;
  /** The newest first-parent commit of main whose `rollouts.yml` parsed and was judged: the next one is compared with it. */
  readonly judged: string;
  /** By run id. */
  readonly runs: Readonly<Record<string, RunRecord>>;
  /** Never of the branch: changes of main since `judged`, whose runs are not on record yet. Oldest first. */
  readonly ahead?: readonly Pick<RunRecord, "order" | "changes" | "reseeded">[];
  /** By stop id; ended ones stay, with their end. */
  readonly stops: Readonly<Record<string, StopRecord>>;
  /** Ids of verbs that were carried out: each counts once (rules 7.5). */
  readonly requests: Readonly<Record<string, CarriedOut>>;
  /** What stages proposed, by the head sha of their branch (rules 10.2); those of finished campaigns are forgotten. */
  readonly plans: Readonly<Record<string, PlanRecord>>;
}

/** One proposed head of a stage's branch, and exactly who moves when it is merged. */
export interface PlanRecord {
  readonly head: string;
  readonly campaign: string;
  readonly stage: string;
  readonly branch: string;
  readonly at: string;
  /** When a newer list of the same head was recorded last; absent = with the head itself. */
  readonly listedAt?: string;
  /** What its merge changes, as a run that starts with it will say: so a run finds its list again. */
  readonly changes: readonly BucketChange[];
  readonly digest: string;
  /** `namespace bucket from to cluster namespace/Kind/name`, tab-separated, one workload a line, sorted; "" = none. */
  readonly list: string;
}

/** How far the bake of a run is (rules 6.2): saved at each step, at each interruption and before a planner ends. It never decreases. */
export interface BakeRecord {
  readonly beganAt: string;
  /** As its settings said when it began, ms; a longer one that is merged later counts. */
  readonly neededMs: number;
  /** Seen healthy, ms. */
  readonly healthyMs: number;
  readonly savedAt: string;
  /** Why it was interrupted when it was saved last; absent = it was counting. */
  readonly paused?: ReasonWords;
}

/** What a gate said, with the figures that it said it by (rules 6.3). */
export interface GateRecord {
  readonly verdict: "pass" | "fail" | "noData";
  readonly at: string;
  /** Of what it found. */
  readonly code?: string;
  /** For people: value, limit and query in one sentence. */
  readonly why: Text;
  readonly value?: number;
  readonly limit?: number;
  readonly baseline?: number;
  readonly query?: string;
}

/** One measurement that missed a limit of its gate, or that had no data where that counts as bad. */
export interface BadMeasurement {
  /** When it was made: two measurements of one moment are one. */
  readonly at: string;
  readonly value?: number;
  readonly baseline?: number;
  readonly fault?: string;
  readonly baselineFault?: string;
}

/** What a gate has counted so far: a planner that starts goes on from it (rules 6.3). */
export interface GateTally {
  /** The query or the limit that it was counted by: with another one it starts again. */
  readonly by: string;
  /** Of a gate that counts measurements: the bad ones since it was last forgiven, oldest first. */
  readonly bad?: readonly BadMeasurement[];
  /** Of a ratio: since when it has been too low without a break; absent = it is not. */
  readonly lowSince?: string;
}

/** The first record, by `meshroll init`: what differs from the file that day is drift (rules 1.2). */
export interface Baseline {
  readonly commit: string;
  readonly at: string;
  readonly by: string;
  /** Who this ledger speaks for: the same as in the names of its buckets, subjects and queues. */
  readonly installation: string;
}

/**
 * Of a record that stands in the ledger's archive. `facts`: only what decisions ask of it is at hand. `whole`: it was read
 * for a verb on its way, or a rollback in force. `unreadable`: it should have been, and what stands there is no such record.
 */
export type Archived = "facts" | "whole" | "unreadable";

/** A merged change of the parsed file or the seed, being carried out (rules 1.1). */
export interface RunRecord {
  /** Short SHA (12) of its commit. */
  readonly id: string;
  readonly commit: string;
  /** The commit whose answers it replaced. */
  readonly before: string;
  /** Counts runs in the order of main; older runs are served first. */
  readonly order: number;
  readonly startedAt: string;
  readonly author: string;
  readonly subject: string;
  /** Patterns whose distribution it changed. */
  readonly buckets: readonly string[];
  /** What it did to each of `buckets`, and whether that was a rollback (rules 2.1). */
  readonly changes: readonly BucketChange[];
  /** The seed changed with it: what main had before is no earlier entry any more. */
  readonly reseeded?: true;
  /**
   * By `cluster:namespace/Kind/name` (or `cluster:namespace/*`): tries up to this one were forgiven by `retry` (rules 3.3). The
   * names of a converging run are all that it is about.
   */
  readonly retried?: Readonly<Record<string, number>>;
  /** No change of main made it: it brings workloads back to what main says at `commit`, which is `before` too. */
  readonly converge?: ConvergeRecord;
  /** Clusters whose wave is open, by name (rules 6.1: records name clusters, not numbers). */
  readonly clusters: Readonly<Record<string, OpenedCluster>>;
  /** Clusters that were known but not seen when it started: they enter when they are, and it is not done before (rules 3.4). */
  readonly expected?: readonly string[];
  /** The unfinished campaign that it belongs to, and its last reached stage that sets one of the buckets (rules 1.5). */
  readonly campaign?: string;
  readonly stage?: string;
  /** The head whose list it carries out: a key of `plans`. */
  readonly list?: string;
  readonly bake?: BakeRecord;
  /** By name of the gate: what was said last. */
  readonly gates?: Readonly<Record<string, GateRecord>>;
  /** Of an open run, by name of the gate: what it has counted so far. */
  readonly measured?: Readonly<Record<string, GateTally>>;
  readonly state: "open" | "done" | "empty" | "gone";
  readonly endedAt?: string;
  readonly outcome?: RunOutcome;
  /** With `facts` clusters are none, and bake, gates, retries and outcome are absent, whatever they were. */
  readonly archived?: Archived;
  /** Of an archived one: how many the outcome named. */
  readonly counts?: { readonly migrated: number; readonly idle?: number; readonly skipped: number };
}

/** What a converging run was asked for (ADR 46); who asked is its author. */
export interface ConvergeRecord {
  readonly scope: StopScope;
  /** `deploys`: no person did, `drift: converge` says so. */
  readonly cause: "verb" | "deploys";
  readonly why: string;
}

/** One bucket's distribution before and after a run, as `printDistribution` writes it; "" = not in the file. */
export interface BucketChange {
  readonly pattern: string;
  readonly from: string;
  readonly to: string;
  readonly direction: "forward" | "rollback";
}

export interface OpenedCluster {
  readonly openedAt: string;
  /** kube-system's UID when the wave opened: another one under the same name is another cluster (rules 9.1). */
  readonly uid?: string;
  /** Workloads that were unavailable when the wave opened: they never count against us. Keys `namespace/Kind/name`. */
  readonly unhealthyBefore: readonly string[];
  /** When nothing was left of the run in it: the delay to the next wave counts from there. */
  readonly doneAt?: string;
}

/** A workload that its run gave up, and why as people read it. */
export interface SkippedWorkload extends RenderedWorkloadReason {
  readonly cluster: string;
  readonly workload: string;
  /** Our failure: it carries a failure annotation of this run. */
  readonly failed?: true;
}

/** How a run ended; each workload that is not where the file wants it is named with its reason. */
export interface RunOutcome {
  readonly migrated: number;
  /** Their label is set, and they have 0 replicas; absent = none. */
  readonly idle?: number;
  readonly skipped: readonly SkippedWorkload[];
  /** The later run that took its workloads over, when none was left to it: after a rollback, its rollback. */
  readonly takenOverBy?: string;
  /** The clusters whose fresh inventory was judged. */
  readonly seen: readonly string[];
  /** Against the list that its pull request named (rules 10.2): each difference between list and deed. */
  readonly differences?: readonly ListDifference[];
}

/** One workload that the list names and the run did not move, or the other way round. */
export interface ListDifference {
  readonly cluster: string;
  readonly workload: string;
  readonly why: "gone" | "already there" | "unhealthy" | "failed" | "overwritten" | "rolled back" | "late" | "skipped";
  /** For people, where there is more to say. */
  readonly reason?: string;
}

/** `propose` (a hold: propose nothing) or `move` (a pause: move nothing). */
export interface StopRecord {
  readonly id: string;
  readonly scope: StopScope;
  readonly strength: "propose" | "move";
  readonly at: string;
  readonly who: string;
  readonly why: string;
  /**
   * What placed it: a person's verb (`rollback` is one), a rollback that leaves its hold, an entry found in a cluster, or one
   * of our own guards.
   */
  readonly cause:
    | "verb"
    | "rollback"
    | "rolledBack"
    | "cluster"
    | "failures"
    | "jobFailed"
    | "forcedPush"
    | "otherCluster"
    /** A gate failed; `gate` names it. */
    | "gate"
    /** A stage's pull request was closed unmerged; `pull` is its number (rules 10.3). */
    | "closed";
  /** Of an entry found in a cluster: which one. Whatever its scope, it holds there and nowhere else. */
  readonly foundIn?: string;
  /** Of a stop for a gate: its name. */
  readonly gate?: string;
  /** Of a hold for a closed pull request: its number and the stage. */
  readonly pull?: number;
  readonly stage?: string;
  /** ISO time at which it is overdue: nothing moves by itself then, its owner is notified (rules 7.1). */
  readonly until?: string;
  /** A rollback of `run/<id>`: the commit whose distributions the run's buckets are rolled back to (rules 2.4). */
  readonly revertTo?: string;
  /** With `revertTo`: its answer is desired at once, before main says so; without, a pull request has to be merged first. */
  readonly now?: true;
  /** A rollback's hold: the run that placed it. It binds forward runs only (rules 2.2). */
  readonly rollbackOf?: string;
  /** Failures that it was placed for, `cluster:namespace/Kind/name`: after a resume they do not count again (rules 3.3). */
  readonly failures?: readonly string[];
  readonly resume?: { readonly at: string; readonly who: string; readonly why: string };
  /** With `facts` reasons are "", and failures, gate, number and time limit are absent, whatever they were. */
  readonly archived?: Archived;
}

export interface CarriedOut {
  readonly at: string;
  /** For people. */
  readonly answer: string;
  /** Absent = it was done. `refused`: it cannot be; `nothing`: there was nothing to do. */
  readonly outcome?: "refused" | "nothing";
}

/** One change of the ledger's tree, with the sentence that history shows. Written as one commit. */
export interface LedgerEntry {
  /** For people, one sentence. */
  readonly sentence: string;
  readonly actor: string;
  readonly cause: string;
  /** Scopes that it is about; absent = none. */
  readonly about?: readonly string[];
  /** ISO, by the clock that the records' own times have: the commit's time is the machine's. Absent in older ones. */
  readonly at?: string;
  readonly next: LedgerState;
}
