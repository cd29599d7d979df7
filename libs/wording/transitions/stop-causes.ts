import { cleanLine } from "#libs/input";

import type { CasesOf } from "../cases.ts";
import { explainUnread, type FileError } from "../file-errors.ts";
import { type GateFinding, printFinding } from "../gates/findings.ts";
import { shorten } from "../reasons/wording.ts";
import { printWorkloadReason, renderWorkloadReason, type WorkloadReason } from "../workloads.ts";

/** Why the planner places a stop; the sentence is kept in its record. */
const causes = {
  /** `of`: the runs that were rolled back; empty where only a part of one was. `by`: the run that does it. */
  RolledBack: ({ of, by, why }: { readonly of: readonly string[]; readonly by: string; readonly why: string }) =>
    of.length === 0
      ? `rolled back by run ${by}: ${why}`
      : `${of.length === 1 ? "run" : "runs"} ${listFirst(of)} ${of.length === 1 ? "was" : "were"} rolled back by run ${by}: ${why}`,
  /**
   * `failures`: the known ones; `tolerated`: the limit; `isFailFast`: there is no limit. The number of failures is only in the
   * status, because more may follow.
   */
  TooManyFailures: (failed: {
    readonly failures: readonly string[];
    readonly tolerated: number;
    readonly isFailFast: boolean;
  }) => {
    const { failures, tolerated, isFailFast } = failed;
    const limit = isFailFast ? "failurePolicy FailFast" : `maxFailures ${tolerated}`;
    return `too many failed (${limit}), first: ${listFirst(failures)}`;
  },
  OtherCluster: ({ cluster, found, opened }: Readonly<Record<"cluster" | "found" | "opened", string>>) =>
    `${cluster} answers as another cluster: kube-system has UID ${found}, not ${opened}`,
  /** The figures are those of that moment: what moves then goes on, and the gate's present ones are in the status. */
  GateFailed: ({ gate, found }: { readonly gate: string; readonly found: GateFinding }) =>
    `gate ${gate} failed, at the stop ${printFinding(found)}`,
  /** `why`: from the record of the stop for which the run is rolled back. */
  RollbackOn: ({ why }: { readonly why: string }) => `${why} (rollback.on)`,
  PullClosed: ({ pull, stage }: { readonly pull: number; readonly stage: string }) =>
    `pull request ${pull} of stage ${stage} was closed unmerged`,
  /** A person made it with kubectl. */
  KubectlStop: ({ cluster }: { readonly cluster: string }) =>
    `ConfigMap meshroll-system/meshroll-stop exists in ${cluster}`,
  /** `text`: the content of the ConfigMap. */
  EntryUnreadable: ({ cluster, text }: { readonly cluster: string; readonly text: string }) =>
    `found in meshroll-system/meshroll-recorded-stops of ${cluster}, unreadable: ${cleanLine(text, 200)}`,
  /** A ConfigMap does not roll back: if the verb is lost, the entry says that it has to be requested again. */
  RollbackAsked: ({ why }: { readonly why: string }) => `a rollback was asked, ask again if it is lost: ${why}`,
  /** The campaign's file on main has an error. */
  CampaignUnread: ({ file, error }: { readonly file: string; readonly error: FileError }) => explainUnread(file, error),
  /** A run moves buckets of these. */
  SeveralCampaigns: ({ campaigns }: { readonly campaigns: readonly string[] }) =>
    `its commit changes buckets of ${campaigns.length > 1 ? "campaigns" : "campaign"} ${campaigns.join(" and ")}: ` +
    "a run moves for one campaign only. Roll it back, then merge one pull request for each campaign",
};

export type StopCause = CasesOf<typeof causes>;

export function printStopCause(cause: StopCause): string {
  return (causes[cause.code] as (cause: StopCause) => string)(cause);
}

/** Why the planner ends a stop of its own. */
const ends = {
  RunOver: ({ run }: { readonly run: string }) => `run ${run} has ended`,
  SaidByMain: ({ main }: { readonly main: string }) => `main now matches (${shorten(main)}); stop ended`,
};

export type StopEnd = CasesOf<typeof ends>;

export function printStopEnd(end: StopEnd): string {
  return (ends[end.code] as (end: StopEnd) => string)(end);
}

/** Why a listed workload was not moved, or another one was. */
const differences = {
  Skipped: ({ reason }: { readonly reason: WorkloadReason }) => printWorkloadReason(renderWorkloadReason(reason)),
  TakenOver: ({ run }: { readonly run: string }) => `superseded by run ${run}`,
  TakenBack: ({ run }: { readonly run: string }) => `rolled back with run ${run}`,
};

export type Difference = CasesOf<typeof differences>;

/** As in the run's record. */
export function printDifference(difference: Difference): string {
  return (differences[difference.code] as (difference: Difference) => string)(difference);
}

/** The first five, and a sign where there are more. */
export function listFirst(names: readonly string[]): string {
  return `${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`;
}

/** The subject of a run without a commit. */
export function printConvergeSubject({ scope, why }: { readonly scope: string; readonly why: string }): string {
  return cleanLine(`converge ${scope}: ${why}`, 500);
}

/** The cause of a converging run that no person requested. */
export function printConvergeCause(): string {
  return "meshroll.yml says drift: converge";
}
