import { findNamed, lookUp } from "#libs/input";

import type { LedgerState, PlanRecord, RunRecord, Spec, StopRecord } from "../records/index.ts";

/** How much of what is over stays whole among the live records. */
export interface ArchiveLimits {
  /** The newest runs that are over; a rollback is asked of one of these. */
  readonly newestRuns: number;
  /** Of each unfinished campaign, and the newest of each of its stages in any case. */
  readonly runsOfCampaign: number;
  /** Fewer are not worth a commit. */
  readonly fewest: number;
  /** One commit moves no more records than these: the size of a push must not depend on the time since the last one. */
  readonly most: number;
}

export const archiveLimits: ArchiveLimits = { newestRuns: 8, runsOfCampaign: 20, fewest: 25, most: 100 };

/** Records that leave the live part of the ledger. */
export interface Ended {
  readonly runs: readonly RunRecord[];
  readonly stops: readonly StopRecord[];
  readonly plans: readonly PlanRecord[];
}

/** The campaign's newest runs, and the newest of each stage: its status and its next proposal tell of them. */
function keepOfCampaign(newestFirst: readonly RunRecord[], most: number): readonly RunRecord[] {
  const stages = new Set<string | undefined>();
  return newestFirst.filter(({ stage }, index) => {
    const isNewest = !stages.has(stage);
    stages.add(stage);
    return isNewest || index < most;
  });
}

/** The newest run that came to each cluster: what a cluster that is away had last. */
function keepOfClusters(newestFirst: readonly RunRecord[]): readonly RunRecord[] {
  const seen = new Set<string>();
  return newestFirst.filter(({ clusters }) => {
    const isNewest = Object.keys(clusters).some((name) => !seen.has(name));
    for (const name of Object.keys(clusters)) seen.add(name);
    return isNewest;
  });
}

function listKept({ runs, stops }: LedgerState, head: Spec, limits: ArchiveLimits): ReadonlySet<string> {
  const whole = Object.values(runs).filter((run) => run.archived === undefined && run.state !== "gone");
  const newestFirst = whole.toSorted((a, b) => b.order - a.order);
  // What only converged takes no place of those that a rollback is asked of.
  const [ofMain, converging] = [true, false].map((is) =>
    newestFirst.filter(({ state, converge }) => state !== "open" && (converge === undefined) === is),
  );
  const ofCampaigns = [...head.campaigns.keys()].flatMap((name) =>
    keepOfCampaign(
      newestFirst.filter(({ campaign, converge }) => campaign === name && converge === undefined),
      limits.runsOfCampaign,
    ),
  );
  const newest = [ofMain, converging].flatMap((over = []) => over.slice(0, limits.newestRuns));
  const seen = keepOfClusters(newestFirst.filter(({ converge }) => converge === undefined));
  const kept = [...newest, ...ofCampaigns, ...seen];
  // A rollback in force moves workloads by its run's record, whatever its age.
  const stopped = Object.values(stops).filter(({ resume }) => resume === undefined);
  return new Set([...kept.map(({ id }) => id), ...stopped.flatMap(({ scope }) => findNamed("run", scope) ?? [])]);
}

/** Everything that is over, and that is not needed as a whole for a decision any more; the oldest runs first. */
export function listEnded(ledger: LedgerState, head: Spec, limits: ArchiveLimits = archiveLimits): Ended {
  const kept = listKept(ledger, head, limits);
  const isOver = (run: RunRecord): boolean => run.state !== "open" && run.archived === undefined && !kept.has(run.id);
  const runs = Object.values(ledger.runs)
    .filter(isOver)
    .toSorted((a, b) => a.order - b.order);
  const leaving = new Set(runs.map(({ id }) => id));
  // Stops of a run are looked at as long as the run is: what a person forgave, and how often its gate failed.
  const isOfLive = (scope: string): boolean => {
    const run = lookUp(ledger.runs, findNamed("run", scope) ?? "");
    return run !== undefined && run.archived === undefined && !leaving.has(run.id);
  };
  const stops = Object.values(ledger.stops).filter(
    ({ resume, archived, scope }) => resume !== undefined && archived === undefined && !isOfLive(scope),
  );
  const carriedOut = new Set(
    Object.values(ledger.runs).flatMap((run) => (run.state === "open" ? (run.list ?? []) : [])),
  );
  const plans = Object.values(ledger.plans).filter(
    (plan) => !head.campaigns.has(plan.campaign) && !carriedOut.has(plan.head),
  );
  return { runs, stops: stops.toSorted((a, b) => (a.at < b.at ? -1 : 1)), plans };
}
