import { findNamed, lookUp } from "#libs/input";

import type { LedgerState, PlanRecord, RunRecord, Spec, StopRecord } from "../records/index.ts";

/** How many ended records stay complete in the live part. */
export interface ArchiveLimits {
  /** The newest ended runs, because rollbacks are requested for these. */
  readonly newestRuns: number;
  /** The newest runs of each unfinished campaign; the newest of each stage is kept in any case. */
  readonly runsOfCampaign: number;
  /** Fewer records are not worth a commit. */
  readonly fewest: number;
  /** Upper limit for one commit, so that the size of a push does not depend on the time since the last one. */
  readonly most: number;
}

export const archiveLimits: ArchiveLimits = { newestRuns: 8, runsOfCampaign: 20, fewest: 25, most: 100 };

/** Records that leave the live part of the ledger. */
export interface Ended {
  readonly runs: readonly RunRecord[];
  readonly stops: readonly StopRecord[];
  readonly plans: readonly PlanRecord[];
}

/** The campaign's newest runs, and the newest of each stage: its status and its next proposal use them. */
function keepOfCampaign(newestFirst: readonly RunRecord[], most: number): readonly RunRecord[] {
  const stages = new Set<string | undefined>();
  return newestFirst.filter(({ stage }, index) => {
    const isNewest = !stages.has(stage);
    stages.add(stage);
    return isNewest || index < most;
  });
}

/** The newest run of each cluster: the last one that a cluster which is away has seen. */
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
  // Converging runs are counted apart, because rollbacks are requested only for the others.
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
  // A rollback in force needs the full record of its run, whatever its age.
  const stopped = Object.values(stops).filter(({ resume }) => resume === undefined);
  return new Set([...kept.map(({ id }) => id), ...stopped.flatMap(({ scope }) => findNamed("run", scope) ?? [])]);
}

/** All ended records of which no decision needs the full text any more; the oldest runs first. */
export function listEnded(ledger: LedgerState, head: Spec, limits: ArchiveLimits = archiveLimits): Ended {
  const kept = listKept(ledger, head, limits);
  const isOver = (run: RunRecord): boolean => run.state !== "open" && run.archived === undefined && !kept.has(run.id);
  const runs = Object.values(ledger.runs)
    .filter(isOver)
    .toSorted((a, b) => a.order - b.order);
  const leaving = new Set(runs.map(({ id }) => id));
  // The stops of a live run are still read: failures that a person forgave, and verdicts of its gates.
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
