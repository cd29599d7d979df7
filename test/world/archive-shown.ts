import {
  applyChange,
  type Decision,
  isLedgerDecision,
  type LedgerDecision,
  type LedgerState,
  type RunRecord,
  type StopRecord,
  type VerbRequest,
} from "#libs/plan";

/** Runs that verbs on their way or rollbacks in force speak of are read whole, as repository snapshot does it. */
export function recall(moved: LedgerState, whole: LedgerState, requests: readonly VerbRequest[]): LedgerState {
  const open = requests.filter(
    ({ id, verb }) => whole.requests[id] === undefined && (verb === "retry" || verb === "rollback"),
  );
  const scopes = new Set<string>(open.map(({ scope }) => scope));
  const read = <T extends RunRecord | StopRecord>(
    records: Readonly<Record<string, T>>,
    from: Readonly<Record<string, T>>,
    scopeOf: (record: T) => string,
  ) =>
    Object.fromEntries(
      Object.entries(records).map(([id, record]) => {
        const isWanted = record.archived === "facts" && scopes.has(scopeOf(record));
        return [id, isWanted ? ({ ...from[id], archived: "whole" } as T) : record];
      }),
    );
  return {
    ...moved,
    runs: read(moved.runs, whole.runs, ({ id }) => `run/${id}`),
    stops: read(moved.stops, whole.stops, ({ scope }) => scope),
  };
}

type Left = Pick<LedgerDecision, "kind" | "reason"> & { readonly ledger: LedgerState };

type Shown = Exclude<Decision, LedgerDecision> | Left;

/** A transition with the ledger that it leaves: what it writes of the archive is part of its change only where there is one. */
export function showLeft(decision: Decision, before: LedgerState): Shown {
  if (!isLedgerDecision(decision)) return decision;
  const { kind, reason, change } = decision;
  return { kind, reason, ledger: applyChange(before, change) };
}

/** The same with every record that the archive has as it was before: what it did not touch must be untouched. */
export function withWhole(decision: Shown, whole: LedgerState): Shown {
  if (!("ledger" in decision)) return decision;
  const put = <T extends RunRecord | StopRecord>(
    records: Readonly<Record<string, T>>,
    from: Readonly<Record<string, T>>,
  ) =>
    Object.fromEntries(
      Object.entries(records).map(([id, record]) => [id, record.archived === undefined ? record : (from[id] as T)]),
    );
  const { ledger } = decision;
  const restored = { ...ledger, runs: put(ledger.runs, whole.runs), stops: put(ledger.stops, whole.stops) };
  const { kind, reason } = decision;
  return { kind, reason, ledger: { ...restored, plans: { ...whole.plans, ...ledger.plans } } };
}
