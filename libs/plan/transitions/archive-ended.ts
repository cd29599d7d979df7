import type { Forgotten, LedgerChange, LedgerDecision, LedgerState, Snapshot, Spec } from "../records/index.ts";
import { listOldRequests, stamp } from "./transitions.ts";
import { archiveLimits, type ArchiveLimits, type Ended, listEnded } from "./choose-ended.ts";
import { summariseRun, summariseStop } from "./summarise-ended.ts";

/** At most so many records: the oldest runs, then the oldest stops, then lists. */
function take({ runs, stops, plans }: Ended, most: number): Ended {
  const [first, second] = [runs.slice(0, most), stops.slice(0, Math.max(0, most - runs.length))];
  return { runs: first, stops: second, plans: plans.slice(0, Math.max(0, most - runs.length - stops.length)) };
}

/** The live part without the whole of these records: what decisions ask of them stays. */
function moveToArchive({ runs, stops }: Ended): Pick<LedgerChange, "runs" | "stops"> {
  const left = runs.map((run) => ({ run: summariseRun(run), steps: [{ kind: "archived" as const }] }));
  const ended = stops.map((stop) => ({ stop: summariseStop(stop), step: "archived" as const }));
  return { ...(left.length === 0 ? {} : { runs: left }), ...(ended.length === 0 ? {} : { stops: ended }) };
}

/** Lists of plans go with them, and verbs that are too old to be asked again. */
function forget(ledger: LedgerState, { plans }: Ended, now: number): Pick<LedgerChange, "forgotten"> {
  const requests = listOldRequests(ledger, now);
  const forgotten: Forgotten = {
    ...(requests.length === 0 ? {} : { requests }),
    ...(plans.length === 0 ? {} : { plans: plans.map(({ head }) => head) }),
  };
  return Object.keys(forgotten).length === 0 ? {} : { forgotten };
}

/** All that could leave at most: while that is too little, who stays need not be known. */
function countWhole({ runs, stops, plans }: LedgerState): number {
  let whole = Object.keys(plans).length;
  for (const { archived } of [...Object.values(runs), ...Object.values(stops)]) if (archived === undefined) whole += 1;
  return whole;
}

/**
 * What is over long enough moves to the archive, some dozens at a time: so the live part, which every process reads whole,
 * is as small after a year as after a month. Comes after everything that moves a workload.
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
