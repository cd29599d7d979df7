import type { StopScope } from "#libs/input";
import type { ReasonWords, Text } from "#libs/wording";

import type { OutcomeCounts, RunOutcome, TakenPart } from "./outcome/run-outcome.ts";

/**
 * The parsed tree of branch `meshroll/ledger`. The planner writes it; `meshroll init` writes its first record, and `ledger
 * check --repair` pushes a commit for a person.
 */
export interface LedgerState {
  /** The ledger commit that this was read from. */
  readonly head: string;
  /** Number of transitions so far; of two states the higher one is newer. */
  readonly sequence: number;
  readonly baseline: Baseline;
  /** Main's head at the decision of the newest ledger commit. */
  readonly main: string;
  /** The newest first-parent commit of main whose `rollouts.yml` parsed and was judged; the next commit is compared with it. */
  readonly judged: string;
  /** By run id. */
  readonly runs: Readonly<Record<string, RunRecord>>;
  /** Not from the branch: changes of main since `judged` that are not recorded as runs yet, oldest first. */
  readonly ahead?: readonly Pick<RunRecord, "order" | "changes" | "reseeded">[];
  /** By stop id; resumed ones stay, with their resume. */
  readonly stops: Readonly<Record<string, StopRecord>>;
  /** Verbs that were carried out, by id: each counts once (rules 7.5). */
  readonly requests: Readonly<Record<string, CarriedOut>>;
  /** Proposals of stages, by the head commit of their branch (rules 10.2); those of finished campaigns are dropped. */
  readonly plans: Readonly<Record<string, PlanRecord>>;
}

/** One proposed head of a stage's branch, with the workloads that its merge moves. */
export interface PlanRecord {
  readonly head: string;
  readonly campaign: string;
  readonly stage: string;
  readonly branch: string;
  readonly at: string;
  /** When a newer list of the same head was recorded; absent = the list is that of `at`. */
  readonly listedAt?: string;
  /** The changes of its merge in the form of a run's, by which a run finds its list. */
  readonly changes: readonly BucketChange[];
  readonly digest: string;
  /** One workload a line, sorted: `namespace bucket from to cluster namespace/Kind/name`, tab-separated; "" = no workload. */
  readonly list: string;
}

/**
 * The progress of a run's bake (rules 6.2): saved at each step, at each interruption and before a planner ends. It never
 * decreases.
 */
export interface BakeRecord {
  readonly beganAt: string;
  /** By the settings when it began, ms; a longer bake that is merged later counts. */
  readonly neededMs: number;
  /** Healthy time that was seen, ms. */
  readonly healthyMs: number;
  readonly savedAt: string;
  /** Why it was paused at the last save; absent = it was counting. */
  readonly paused?: ReasonWords;
}

/** A gate's verdict with its figures (rules 6.3). */
export interface GateRecord {
  readonly verdict: "pass" | "fail" | "noData";
  readonly at: string;
  /** The code of its finding. */
  readonly code?: string;
  /** For people: value, limit and query in a sentence. */
  readonly why: Text;
  readonly value?: number;
  readonly limit?: number;
  readonly baseline?: number;
  readonly query?: string;
}

/** One measurement that missed a limit of its gate, or had no data where that counts as bad. */
export interface BadMeasurement {
  /** ISO time of the measurement; two with the same time are one. */
  readonly at: string;
  readonly value?: number;
  readonly baseline?: number;
  readonly fault?: string;
  readonly baselineFault?: string;
}

/** What a gate has counted so far, so that a new planner continues from it (rules 6.3). */
export interface GateTally {
  /** The query or limit that it was counted by; with another one the count starts again. */
  readonly by: string;
  /** For a gate that counts measurements: the bad ones since it was last forgiven, oldest first. */
  readonly bad?: readonly BadMeasurement[];
  /** For a ratio: since when it has been too low without interruption; absent = it is not too low. */
  readonly lowSince?: string;
}

/** The first record, by `meshroll init`: what differs from the file at that time is drift (rules 1.2). */
export interface Baseline {
  readonly commit: string;
  readonly at: string;
  readonly by: string;
  /** The id of the installation, as in the names of its buckets, subjects and queues. */
  readonly installation: string;
}

/**
 * For a record in the ledger's archive. `facts`: only what decisions need was read. `whole`: all of it was read, for an open
 * verb or a rollback in force. `unreadable`: it should have been read, and the archive has no such record.
 */
export type Archived = "facts" | "whole" | "unreadable";

/** A merged change of the parsed file or the seed, being carried out (rules 1.1). */
export interface RunRecord {
  /** The first 12 digits of its commit. */
  readonly id: string;
  readonly commit: string;
  /** The commit before it. */
  readonly before: string;
  /** Counts runs in the order of main; older runs are served first. */
  readonly order: number;
  readonly startedAt: string;
  readonly author: string;
  readonly subject: string;
  /** Patterns whose distribution it changed. */
  readonly buckets: readonly string[];
  /** The change of each of `buckets`, and its direction (rules 2.1). */
  readonly changes: readonly BucketChange[];
  /** The seed changed too, so earlier distributions no longer count for rollbacks. */
  readonly reseeded?: true;
  /**
   * By `cluster:namespace/Kind/name` (or `cluster:namespace/*`): attempts up to this number were forgiven by `retry` (rules
   * 3.3). A converging run is about these names only.
   */
  readonly retried?: Readonly<Record<string, number>>;
  /**
   * A retry opened it again after its end. Of what still has to move it has only what `retried` names: what its owners put back
   * since, and what came later, is drift.
   */
  readonly reopened?: true;
  /** Set for a converging run: it brings workloads back to what main says at `commit`, which is also its `before`. */
  readonly converge?: ConvergeRecord;
  /** Clusters whose wave is open, by name (rules 6.1: records name clusters instead of wave numbers). */
  readonly clusters: Readonly<Record<string, OpenedCluster>>;
  /**
   * Clusters that were known but not seen at its start. They join when they are seen, and the run is not done before (rules
   * 3.4).
   */
  readonly expected?: readonly string[];
  /** The unfinished campaign that it belongs to, and its last reached stage that sets one of the buckets (rules 1.5). */
  readonly campaign?: string;
  readonly stage?: string;
  /** The proposed head whose list it carries out: a key of `plans`. */
  readonly list?: string;
  readonly bake?: BakeRecord;
  /** The last verdict of each gate, by name. */
  readonly gates?: Readonly<Record<string, GateRecord>>;
  /** While it is open: the tally of each gate, by name. */
  readonly measured?: Readonly<Record<string, GateTally>>;
  readonly state: "open" | "done" | "empty" | "gone";
  readonly endedAt?: string;
  readonly outcome?: RunOutcome;
  /** While it is open: its workloads that a rollback at once, or later runs on its buckets, took over. Its outcome has them. */
  readonly taken?: readonly TakenPart[];
  /** With `facts`, `clusters` is empty, and bake, gates, retries and outcome are absent, whatever they were. */
  readonly archived?: Archived;
  /** For an archived run: figures of its outcome. */
  readonly counts?: OutcomeCounts;
}

/** The request of a converging run (ADR 46); its author is the run's. */
export interface ConvergeRecord {
  readonly scope: StopScope;
  /** `deploys`: not a person, but `drift: converge` of main's files. */
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
  /** The UID of kube-system when the wave opened: another UID under the same name is another cluster (rules 9.1). */
  readonly uid?: string;
  /** Workloads that were unavailable when the wave opened, by `namespace/Kind/name`: they do not count against the run. */
  readonly unhealthyBefore: readonly string[];
  /** When nothing of the run was left in it; the delay to the next wave counts from it. */
  readonly doneAt?: string;
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
   * What placed it: a verb of a person (`rollback` is one), a rollback that leaves its hold, an entry found in a cluster, or an
   * automatic stop.
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
  /** For an entry found in a cluster: that cluster. It holds only there, whatever its scope. */
  readonly foundIn?: string;
  /** For a stop of a gate: the gate's name. */
  readonly gate?: string;
  /** For a hold after a closed pull request: its number and stage. */
  readonly pull?: number;
  readonly stage?: string;
  /** ISO time from which it is overdue: it stays in force, and its owner is notified (rules 7.1). */
  readonly until?: string;
  /** For a rollback of `run/<id>`: the commit whose distributions the run's buckets are rolled back to (rules 2.4). */
  readonly revertTo?: string;
  /** With `revertTo`: roll back at once; without it a pull request has to be merged first. */
  readonly now?: true;
  /** A rollback's hold: the run that placed it. It binds forward runs only (rules 2.2). */
  readonly rollbackOf?: string;
  /** Failures that it was placed for, `cluster:namespace/Kind/name`: after a resume they no longer count (rules 3.3). */
  readonly failures?: readonly string[];
  readonly resume?: { readonly at: string; readonly who: string; readonly why: string };
  /** With `facts`, reasons are "", and failures, gate, number and time limit are absent, whatever they were. */
  readonly archived?: Archived;
}

export interface CarriedOut {
  readonly at: string;
  /** For people. */
  readonly answer: string;
  /** Absent = it was carried out. `refused`: it cannot be. `nothing`: there was nothing to do. */
  readonly outcome?: "refused" | "nothing";
}

/** One change of the ledger's tree with its sentence in the history. Written as one commit. */
export interface LedgerEntry {
  /** For people, one sentence. */
  readonly sentence: string;
  readonly actor: string;
  readonly cause: string;
  /** The scopes that it is about; absent = none. */
  readonly about?: readonly string[];
  /** ISO, by the clock of the records' times; the commit's own time is the machine's. Absent in older entries. */
  readonly at?: string;
  readonly next: LedgerState;
}
