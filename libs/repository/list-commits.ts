import { findNamed, lookUp } from "#libs/input";
import type { LedgerState, RunRecord } from "#libs/plan";

/**
 * Files of this many newest runs are read although they are over: a rollback of one counts from the moment it is requested
 * (rules 2.4).
 */
const recentRuns = 8;

/** In main's order, without runs whose commit vanished from main. */
function listRunsOnMain(ledger: LedgerState): readonly RunRecord[] {
  return Object.values(ledger.runs)
    .filter((run) => run.state !== "gone")
    .toSorted((a, b) => a.order - b.order);
}

/** Every commit of main that the ledger names. */
export function listRecordedCommits({ baseline, judged, runs, stops }: LedgerState): readonly string[] {
  const ofRuns = Object.values(runs).flatMap(({ before, commit }) => [before, commit]);
  const ofStops = Object.values(stops).flatMap(({ revertTo }) => revertTo ?? []);
  return [...new Set([baseline.commit, judged, ...ofRuns, ...ofStops])];
}

/** Commits whose files must be read: the last judged one, and those of every run since the oldest open one. */
export function listNeededCommits(ledger: LedgerState): readonly string[] {
  const runs = listRunsOnMain(ledger);
  const oldest = runs.findIndex((run) => run.state === "open");
  const needed = oldest < 0 ? [] : runs.slice(oldest);
  return [ledger.judged, ...needed.flatMap((run) => [run.before, run.commit])];
}

/** Campaigns of open runs: such a run also takes what its campaign's earlier runs left over (rules 1.3). */
function listOpenCampaigns(living: readonly RunRecord[]): ReadonlySet<string> {
  return new Set(living.flatMap((run) => (run.state === "open" && run.campaign !== undefined ? [run.campaign] : [])));
}

/**
 * Commits whose files are read if possible: of the newest runs, of earlier runs of open campaigns, and of rollbacks in force.
 */
export function listUsefulCommits(ledger: LedgerState): readonly string[] {
  const reverts = Object.values(ledger.stops).flatMap((stop) => {
    const id = stop.resume === undefined ? findNamed("run", stop.scope) : undefined;
    const run = id === undefined ? undefined : lookUp(ledger.runs, id);
    return stop.revertTo === undefined || run === undefined ? [] : [stop.revertTo, run.before, run.commit];
  });
  const living = listRunsOnMain(ledger).filter(({ converge }) => converge === undefined);
  const taking = listOpenCampaigns(living);
  const recent = living.filter((run, index) => {
    const isTaken = run.campaign !== undefined && taking.has(run.campaign);
    return index >= living.length - recentRuns || isTaken;
  });
  return [...recent.flatMap((run) => [run.before, run.commit]), ...reverts];
}
