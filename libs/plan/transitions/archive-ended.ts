import type { Forgotten, LedgerChange, LedgerDecision, LedgerState, Snapshot, Spec } from "../records/index.ts";
import { listOldRequests, stamp } from "./transitions.ts";
import { archiveLimits, type ArchiveLimits, type Ended, listEnded } from "./choose-ended.ts";
import { summariseRun, summariseStop } from "./summarise-ended.ts";

/** The first `most` records: the oldest runs, then the oldest stops, then plans. */
function take({ runs, stops, plans }: Ended, most: number): Ended {
  const [first, second] = [runs.slice(0, most), stops.slice(0, Math.max(0, most - runs.length))];
  return { runs: first, stops: second, plans: plans.slice(0, Math.max(0, most - runs.length - stops.length)) };
}

/** Replaces these records by summaries with what decisions still need. */
function moveToArchive({ runs, stops }: Ended): Pick<LedgerChange, "runs" | "stops"> {
  const left = runs.map((run) => ({ run: summariseRun(run), steps: [{ kind: "archived" as const }] }));
  const ended = stops.map((stop) => ({ stop: summariseStop(stop), step: "archived" as const }));
  return { ...(left.length === 0 ? {} : { runs: left }), ...(ended.length === 0 ? {} : { stops: ended }) };
}

/** Drops their plans, and verbs that are too old to be repeated. */
function forget(ledger: LedgerState, { plans }: Ended, now: number): Pick<LedgerChange, "forgotten"> {
  const requests = listOldRequests(ledger, now);
  const forgotten: Forgotten = {
    ...(requests.length === 0 ? {} : { requests }),
    ...(plans.length === 0 ? {} : { plans: plans.map(({ head }) => head) }),
  };
  return Object.keys(forgotten).length === 0 ? {} : { forgotten };
}

/** Upper limit of the records that could leave; while it is too small, the exact list is not computed. */
function countWhole({ runs, stops, plans }: LedgerState): number {
  let whole = Object.keys(plans).length;
  for (const { archived } of [...Object.values(runs), ...Object.values(stops)]) if (archived === undefined) whole += 1;
  return whole;
}

/**
 * Moves old ended records to the archive, up to a hundred at a time, so that the live part, which every process reads whole,
 * does not grow with the years. Comes after everything that moves a workload.
 */
export function archiveEnded(
  snapshot: Snapshot,
  ledger: LedgerState,
  head: Spec,
  limits: ArchiveLimits = archiveLimits,
): LedgerDecision | undefined {
  if (countWhole(ledger) < limits.fewest) return undefined;
  const pending = listEnded(ledger, head, limits);
  if (pending.runs.length + pending.stops.length + pending.plans.length < limits.fewest) return undefined;
  const moved = take(pending, limits.most);
  const { runs, stops, plans } = moved;
  const change = { ...stamp(snapshot, ledger), ...moveToArchive(moved), ...forget(ledger, moved, snapshot.now) };
  const counts = { runs: runs.length, stops: stops.length, lists: plans.length };
  return { kind: "archive", change, reason: { code: "Archived", ...counts } };
}
