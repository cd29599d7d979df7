/** What the branch `meshroll/ledger` says: its tree, parsed. The planner alone writes it (architecture §2). */
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
  /** By stop id; lifted ones stay, with their lift. */
  readonly stops: Readonly<Record<string, StopRecord>>;
  /** Ids of verbs that were carried out: each counts once (rules 7.5). */
  readonly asks: Readonly<Record<string, CarriedOut>>;
}

/** The first record, by `meshroll init`: what differs from the file that day is drift (rules 1.2). */
export interface Baseline {
  readonly commit: string;
  readonly at: string;
  readonly by: string;
}

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
  /** What it did to each of `buckets`, and whether that was a return (rules 2.1). */
  readonly changes: readonly BucketChange[];
  /** The seed changed with it: what main had before is no earlier entry any more. */
  readonly reseeded?: true;
  /** By `cluster:namespace/Kind/name` (or `cluster:namespace/*`): tries up to this one were forgiven by `retry` (rules 3.3). */
  readonly retried?: Readonly<Record<string, number>>;
  /** Clusters whose wave is open, by name (rules 6.1: records name clusters, not numbers). */
  readonly clusters: Readonly<Record<string, OpenedCluster>>;
  /** Clusters that were known but not seen when it started: they enter when they are, and it is not done before (rules 3.4). */
  readonly expected?: readonly string[];
  readonly state: "open" | "done" | "empty" | "gone";
  readonly endedAt?: string;
  readonly outcome?: RunOutcome;
}

/** One bucket's distribution before and after a run, as `printDistribution` writes it; "" = not in the file. */
export interface BucketChange {
  readonly pattern: string;
  readonly from: string;
  readonly to: string;
  readonly direction: "forward" | "return";
}

export interface OpenedCluster {
  readonly openedAt: string;
  /** kube-system's UID when the wave opened: another one under the same name is another cluster (rules 9.1). */
  readonly uid?: string;
  /** Workloads that were unavailable when the wave opened: they never count against us. Keys `namespace/Kind/name`. */
  readonly unhealthyBefore: readonly string[];
}

/** How a run ended; each workload that is not where the file wants it is named with its reason. */
export interface RunOutcome {
  readonly arrived: number;
  readonly aside: readonly { readonly cluster: string; readonly workload: string; readonly reason: string }[];
  /** The later run that took its workloads over, when none was left to it: after a rollback, its return. */
  readonly takenOverBy?: string;
  /** The clusters whose fresh inventory was judged. */
  readonly seen: readonly string[];
}

/** Scopes of rules 7.1. */
export type StopScope =
  | "all"
  | `cluster/${string}`
  | `campaign/${string}`
  | `run/${string}`
  | `bucket/${string}`
  | `namespace/${string}`;

/** `propose` (a hold: propose nothing) or `move` (a pause: move nothing). */
export interface StopRecord {
  readonly id: string;
  readonly scope: StopScope;
  readonly strength: "propose" | "move";
  readonly at: string;
  readonly who: string;
  readonly why: string;
  /**
   * What placed it: a person's verb (`rollback` is one), a return that leaves its hold, an entry found in a cluster, or one
   * of our own guards.
   */
  readonly cause: "verb" | "rollback" | "return" | "cluster" | "failures" | "jobFailed" | "forcedPush" | "otherCluster";
  /** ISO time at which it is overdue: nothing moves by itself then, its owner is asked (rules 7.1). */
  readonly until?: string;
  /** A rollback of `run/<id>`: the commit whose distributions the run's buckets go back to (rules 2.4). */
  readonly revertTo?: string;
  /** With `revertTo`: its answer is desired at once, before main says so; without, a pull request has to be merged first. */
  readonly now?: true;
  /** A return's hold: the run that placed it. It binds forward runs only (rules 2.2). */
  readonly returnOf?: string;
  /** Failures that it was placed for, `cluster:namespace/Kind/name`: after a lift they do not count again (rules 3.3). */
  readonly failures?: readonly string[];
  readonly lift?: { readonly at: string; readonly who: string; readonly why: string };
}

export interface CarriedOut {
  readonly at: string;
  readonly answer: string;
}

/** One change of the ledger's tree, with the sentence that history shows. Written as one commit. */
export interface LedgerEntry {
  /** For people, one sentence. */
  readonly sentence: string;
  readonly actor: string;
  readonly cause: string;
  readonly next: LedgerState;
}
