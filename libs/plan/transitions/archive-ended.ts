import type { LedgerDecision, LedgerState, Snapshot, Spec } from "../records/index.ts";
import { forgetRequests, reason, stamp } from "./transitions.ts";
import { archiveLimits, type ArchiveLimits, type Ended, listEnded } from "./choose-ended.ts";
import { summariseRun, summariseStop } from "./summarise-ended.ts";

/** At most so many records: the oldest runs, then the oldest stops, then lists. */
function take({ runs, stops, plans }: Ended, most: number): Ended {
  const [first, second] = [runs.slice(0, most), stops.slice(0, Math.max(0, most - runs.length))];
  return { runs: first, stops: second, plans: plans.slice(0, Math.max(0, most - runs.length - stops.length)) };
}

/** The ledger without the whole of these records: what decisions ask of them stays. */
function moveToArchive(ledger: LedgerState, { runs, stops, plans }: Ended): LedgerState {
  const gone = new Set(plans.map(({ head }) => head));
  return {
    ...ledger,
    runs: { ...ledger.runs, ...Object.fromEntries(runs.map((run) => [run.id, summariseRun(run)])) },
    stops: { ...ledger.stops, ...Object.fromEntries(stops.map((stop) => [stop.id, summariseStop(stop)])) },
    plans: Object.fromEntries(Object.entries(ledger.plans).filter(([head]) => !gone.has(head))),
  };
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
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
  const pending = listEnded(ledger, head, limits);
  if (pending.runs.length + pending.stops.length + pending.plans.length < limits.fewest) return undefined;
  const moved = take(pending, limits.most);
  const { runs, stops, plans } = moved;
  const next = { ...moveToArchive(stamp(snapshot, ledger), moved), requests: forgetRequests(ledger, snapshot.now) };
  const parts = [count(runs.length, "run"), count(stops.length, "stop"), count(plans.length, "list")];
  const message = `${parts.join(", ")} moved to the archive`;
  return { kind: "archive", runs: runs.map(({ id }) => id), ledger: next, reason: reason("Archived", message) };
}
