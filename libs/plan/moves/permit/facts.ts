import { lookUp } from "#libs/input";
import type { Settings } from "#libs/campaign";
import type { Reason } from "#libs/wording";

import type { JudgedWorkloads } from "../../index/index.ts";
import type { BatchItem, ClusterSnapshot, LedgerState, RunRecord, Spec } from "../../records/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";
import type { ActiveStop } from "../../stops/index.ts";
import type { Pace } from "../room/pace.ts";

/** What an executor knows by itself before a patch: its own newest main, never the job's word (rules 4.3). */
export interface ExecutorSnapshot {
  /** Which installation the cluster says serves it: nothing is written before it says `own`. */
  readonly claim: "own" | "none" | "other";
  /** `control` changed within 30 s of this process's clock, is seeded, and names commits that this process has. */
  readonly control: "fresh" | "stale" | "ahead";
  /** Real ms since this process read main and ledger. */
  readonly mainAgeMs: number;
  /** Why the newest ledger is not used, as this process or the planner saw it; then `control` is not fresh. */
  readonly ledgerDoubt?: Reason;
  /** Head of main, parsed; absent = it does not parse. */
  readonly head: Spec | undefined;
  /** Head's `meshroll.yml`, or that of the last commit that parsed: a rollback goes on by it. A stage's own settings go before. */
  readonly settings: Settings | undefined;
  /** Epoch ms of the time people live in: windows and freezes are told by it. */
  readonly now: number;
  readonly ledger: LedgerState | undefined;
  /** The files of an open run are not at hand: which workloads are its own is unknown. */
  readonly hasUnreadRun?: true;
  /** From ledger, control and this cluster's ConfigMaps: a stop counts from anywhere. */
  readonly stops: readonly ActiveStop[];
  readonly cluster: ClusterSnapshot;
  /** Where every workload of this cluster stands by that main. */
  readonly judged: JudgedWorkloads;
  /** Workloads of this cluster that roll because of us, writes not yet seen in the watch included (rules 4.2). */
  readonly rolling: ReadonlySet<string>;
  /** Those of them that gave their place of the batch up, and how long ago, ms (rules 4.7). */
  readonly stalled: ReadonlyMap<string, number>;
  /** What this process saw roll, and when: the delay between two batches is kept by it, not by who hands out jobs. */
  readonly pace: Pace;
}

/** A job in hand, as far as a permit depends on it. */
export interface JobFacts {
  readonly run: string;
  readonly clusterUid: string;
  /** The commit that the ledger has for the run is in the first-parent history of this executor's main. */
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

/** What one workload of a batch is asked; undefined = nothing against it. */
export type ItemCheck = (
  snapshot: ExecutorSnapshot,
  job: JobFacts,
  item: BatchItem,
  judged: JudgedWorkload,
) => Permit | undefined;

export function refuse(kind: "wait" | "skip" | "end", reason: Reason): Permit {
  return { kind, reason };
}

/** By its own name only: what a job calls its run may be the name of anything. */
export function findRunById(ledger: LedgerState | undefined, id: string): RunRecord | undefined {
  return lookUp(ledger?.runs, id);
}
