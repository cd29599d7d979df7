import { lookUp } from "#libs/input";
import type { Settings } from "#libs/campaign";
import type { Reason } from "#libs/wording";

import type { JudgedWorkloads } from "../../index/index.ts";
import type { BatchItem, ClusterSnapshot, LedgerState, RunRecord, Spec } from "../../records/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";
import type { ActiveStop } from "../../stops/index.ts";
import type { Pace } from "../room/pace.ts";

/** What an executor itself knows before a patch: its own newest main, never what a job says (rules 4.3). */
export interface ExecutorSnapshot {
  /** The installation named in the cluster: ours, none, or another one. Nothing is written before it is `own`. */
  readonly claim: "own" | "none" | "other";
  /**
   * `fresh`: control is seeded, changed within 30 s of this process's clock, and names only commits that this process has.
   * `ahead`: it names others.
   */
  readonly control: "fresh" | "stale" | "ahead";
  /** Real ms since this process read main and ledger. */
  readonly mainAgeMs: number;
  /** Why the newest ledger is not used, as this process or the planner saw it; then `control` is not fresh. */
  readonly ledgerDoubt?: Reason;
  /** Head of main, parsed; absent = it does not parse. */
  readonly head: Spec | undefined;
  /** Head's `meshroll.yml`, or that of the last commit that parsed, for rollbacks. A stage's own settings take precedence. */
  readonly settings: Settings | undefined;
  /** Epoch ms of the services' clock, by which windows and freezes are judged. */
  readonly now: number;
  readonly ledger: LedgerState | undefined;
  /** The files of an open run were not read: which workloads belong to it is unknown. */
  readonly hasUnreadRun?: true;
  /** From ledger, control and this cluster's ConfigMaps; a stop counts from any of them. */
  readonly stops: readonly ActiveStop[];
  readonly cluster: ClusterSnapshot;
  /** The state of every workload of this cluster by that main. */
  readonly judged: JudgedWorkloads;
  /** Workloads of this cluster that roll because of us, including writes that the watch has not shown yet (rules 4.2). */
  readonly rolling: ReadonlySet<string>;
  /** Those of them that gave up their place in the batch, and how long ago, ms (rules 4.7). */
  readonly stalled: ReadonlyMap<string, number>;
  /** What this process saw roll, and when: the delay between two batches counts from it, whatever process made the jobs. */
  readonly pace: Pace;
}

/** The facts of a job that a permit depends on. */
export interface JobFacts {
  readonly run: string;
  readonly clusterUid: string;
  /** Main's first-parent history, as this executor read it, contains the run's commit as the ledger records it. */
  readonly isContained: boolean;
  readonly holdsLock: boolean;
}

export type Permit =
  | { readonly kind: "go" }
  /** Not now; ask again. */
  | { readonly kind: "wait"; readonly reason: Reason }
  /** This job does not move this workload; the next one may be moved. */
  | { readonly kind: "skip"; readonly reason: Reason }
  /** The job ends at once. */
  | { readonly kind: "end"; readonly reason: Reason };

/** One check for one workload of a batch; undefined = no objection. */
export type ItemCheck = (
  snapshot: ExecutorSnapshot,
  job: JobFacts,
  item: BatchItem,
  judged: JudgedWorkload,
) => Permit | undefined;

export function refuse(kind: "wait" | "skip" | "end", reason: Reason): Permit {
  return { kind, reason };
}

/** The run with exactly this id: what a job calls its run may be any text, even a property of every object. */
export function findRunById(ledger: LedgerState | undefined, id: string): RunRecord | undefined {
  return lookUp(ledger?.runs, id);
}
