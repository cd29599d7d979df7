import { dropAbsent } from "../drop-absent.ts";
import type { LedgerState } from "../ledger-state.ts";
import type { LedgerChange } from "./ledger-change.ts";

type Entry<T> = readonly [id: string, record: T];

/** The same object where nothing changed: unchanged objects are not written. */
function put<T>(
  before: Readonly<Record<string, T>>,
  changed: readonly Entry<T>[],
  forgotten: readonly string[] = [],
): Readonly<Record<string, T>> {
  if (changed.length + forgotten.length === 0) return before;
  const gone = new Set(forgotten);
  const kept = gone.size === 0 ? before : Object.fromEntries(Object.entries(before).filter(([id]) => !gone.has(id)));
  return { ...kept, ...Object.fromEntries(changed) };
}

/** The ledger after a transition. Its `head` is still the commit before; the push gives it a new one. */
export function applyChange(ledger: LedgerState, change: LedgerChange): LedgerState {
  const { sequence, main, judged, baseline, runs = [], stops = [], plans = [], forgotten = {} } = change;
  return {
    ...ledger,
    sequence,
    main,
    ...dropAbsent({ judged, baseline }),
    runs: put(
      ledger.runs,
      runs.map(({ run }) => [run.id, run]),
      forgotten.runs,
    ),
    stops: put(
      ledger.stops,
      stops.map(({ stop }) => [stop.id, stop]),
      forgotten.stops,
    ),
    requests: put(ledger.requests, Object.entries(change.requests ?? {}), forgotten.requests),
    plans: put(
      ledger.plans,
      plans.map(({ plan }) => [plan.head, plan]),
      forgotten.plans,
    ),
  };
}
