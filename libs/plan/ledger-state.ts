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
  /** Clusters whose wave is open, by name (rules 6.1: records name clusters, not numbers). */
  readonly clusters: Readonly<Record<string, OpenedCluster>>;
  readonly state: "open" | "done" | "empty" | "gone";
  readonly endedAt?: string;
  readonly outcome?: RunOutcome;
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
  /** What placed it: a person, or one of our own guards. */
  readonly cause: "verb" | "failures" | "jobFailed" | "forcedPush" | "otherCluster";
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
