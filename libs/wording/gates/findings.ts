import { printDuration } from "#libs/campaign";

import type { CasesOf } from "../cases.ts";
import { type Measurement, printMeasurement } from "./measurements.ts";
import { printLimitShare, printShareBy } from "./shares.ts";

/** One sentence without a full stop; `owner`: who can change it, where that is not the campaign's owner. */
interface FindingWords {
  readonly message: string;
  readonly owner?: string;
}

const prometheus = "the operator of Prometheus";
const mesh = "the mesh operator";

/** A proxy that refuses what its istiod sends, in the words that istiod got. */
interface Refusal {
  readonly cluster: string;
  readonly proxy: string;
  readonly type: string;
  readonly why: string;
}

function printRefusing(refused: number, ofWhat: string): string {
  return `${refused}${ofWhat} ${refused === 1 ? "refuses its" : "refuse their"} configuration`;
}

function printRefusal(refusal: Refusal | undefined): string {
  if (refusal === undefined) return "";
  const { cluster, proxy, type, why } = refusal;
  return `; ${proxy} in ${cluster} refuses its ${type}: ${why === "" ? "it does not say why" : why}`;
}

/** The workloads that count as evidence; idle ones have 0 replicas. */
export function printEvidenceCounts(found: {
  readonly migrated: number;
  readonly idle: number;
  readonly skipped: number;
}): string {
  const { migrated, idle, skipped } = found;
  const workloads = migrated === 1 ? "1 workload" : `${migrated} workloads`;
  return `${workloads} migrated, ${idle} idle (0 replicas), ${skipped} skipped`;
}

/** A gate's finding, with value and limit. */
const findings = {
  NothingTried: () => ({ message: "no workload has been tried yet" }),
  /** Fewer workloads were tried than `minSamples`, so there is no verdict. */
  TriedWorkloads: (found: {
    readonly failed: number;
    readonly tried: number;
    readonly maxFailureRatio: number;
    readonly minSamples?: number;
    /** Failures from before the run was resumed, which do not count. */
    readonly accepted?: number;
    /** Workloads of the run that neither migrated nor failed in it. */
    readonly untried?: number;
  }) => {
    const { failed, tried, maxFailureRatio, minSamples, accepted, untried } = found;
    const since = accepted === undefined ? "" : ` since the resume, ${accepted} before it`;
    const rest = untried === undefined ? "" : `, ${untried} not tried`;
    const share = printShareBy(failed / tried, maxFailureRatio);
    const counted = `${failed} of ${tried} tried workloads failed${since} (${share})${rest}`;
    const tooFew = minSamples === undefined ? "" : `, judged once ${minSamples} are tried`;
    return { message: `${counted}: limit ${printLimitShare(maxFailureRatio)}${tooFew}` };
  },
  /** Its run has less evidence than its settings require. */
  TooFewWorkloads: (found: {
    readonly migrated: number;
    readonly idle: number;
    readonly skipped: number;
    readonly minWorkloads: number;
  }) => ({ message: `${printEvidenceCounts(found)}: minWorkloads requires ${found.minWorkloads} migrated` }),
  NoPods: () => ({ message: "the run's workloads have no pods" }),
  MatchingPods: (found: { readonly matching: number; readonly all: number; readonly minRatio: number }) => {
    const { matching, all, minRatio } = found;
    const counted = `${matching} of ${all} pods run the expected revision (${printShareBy(matching / all, minRatio)})`;
    return { message: `${counted}: minimum ${printLimitShare(minRatio)}` };
  },
  NoProxies: () => ({ message: "no migrated workload has a proxy yet" }),
  SilentIstiods: ({ clusters }: { readonly clusters: readonly string[] }) => ({
    message: `the istiods of ${clusters.join(", ")} report no connected proxy yet, although workloads migrated`,
    owner: mesh,
  }),
  /** `within`, ms: how long they may be too few. */
  SyncedProxies: (found: {
    readonly synced: number;
    readonly connected: number;
    readonly minSyncedRatio: number;
    readonly within?: number;
    readonly refused?: number;
    readonly refusal?: Refusal;
  }) => {
    const { synced, connected, minSyncedRatio, within, refused, refusal } = found;
    const counted = `${synced} of ${connected} proxies are synced (${printShareBy(synced / connected, minSyncedRatio)})`;
    const limit = `minimum ${printLimitShare(minSyncedRatio)}${within === undefined ? "" : `, within ${printDuration(within)}`}`;
    const refusing = refused === undefined ? "" : `; ${printRefusing(refused, "")}${printRefusal(refusal)}`;
    return { message: `${counted}: ${limit}${refusing}`, ...(within === undefined ? {} : { owner: mesh }) };
  },
  /** So many proxies refuse what istiod sends that those that do not are too few. */
  RefusingProxies: (found: {
    readonly connected: number;
    readonly minSyncedRatio: number;
    readonly refused: number;
    readonly refusal?: Refusal;
  }) => {
    const { connected, minSyncedRatio, refused, refusal } = found;
    const counted = printRefusing(refused, ` of ${connected} proxies`);
    const limit = `minimum ${printLimitShare(minSyncedRatio)} synced`;
    return { message: `${counted}: ${limit}${printRefusal(refusal)}`, owner: mesh };
  },
  NoneMigrated: () => ({ message: "no migrated workload to measure yet" }),
  NotMeasuring: () => ({
    message: "no data: this planner has no Prometheus (MESHROLL_PROMETHEUS_URL)",
    owner: "the operator of the planner",
  }),
  /** `interval`: ms. */
  FirstMeasurement: ({ interval }: { readonly interval: number }) => ({
    message: `the first measurement is in progress, then one every ${printDuration(interval)}`,
    owner: prometheus,
  }),
  Measured: (found: { readonly measured: Measurement; readonly bad: number; readonly failureLimit: number }) => {
    const { bad, failureLimit } = found;
    const counted = `${bad} bad measurement${bad === 1 ? "" : "s"}, fails at ${failureLimit}`;
    return { message: `${printMeasurement(found.measured)} (${counted})`, owner: prometheus };
  },
} satisfies Readonly<Record<string, (found: never) => FindingWords>>;

/** An addition to a finding. */
type FindingNote =
  /** Clusters of the run that are not seen, where it may be better or worse. */
  | { readonly kind: "unseen"; readonly clusters: readonly string[] }
  /** A person accepted the failure. */
  | { readonly kind: "accepted"; readonly who: string; readonly why: string }
  /** The verdict that the gate's `onNoData` gives. */
  | { readonly kind: "onNoData"; readonly verdict: "pass" | "fail" };

/** A gate's finding as a value. */
export type GateFinding = CasesOf<typeof findings> & { readonly note?: FindingNote };

function noteFinding({ message, owner }: FindingWords, note: FindingNote): FindingWords {
  const own = owner === undefined ? {} : { owner };
  switch (note.kind) {
    case "unseen":
      return {
        message: `${message}; ${note.clusters.join(", ")} not seen`,
        owner: `the executor of ${note.clusters[0]}`,
      };
    case "accepted":
      return { message: `${message}; accepted by ${note.who}: ${note.why}`, ...own };
    case "onNoData":
      return { message: `${message} (onNoData: ${note.verdict})`, ...own };
  }
}

/** A finding in words. */
export function wordFinding(found: GateFinding): FindingWords {
  const word = findings[found.code] as (found: GateFinding) => FindingWords;
  return found.note === undefined ? word(found) : noteFinding(word(found), found.note);
}

/** As in a record, a reason or a status. */
export function printFinding(found: GateFinding): string {
  return wordFinding(found).message;
}
