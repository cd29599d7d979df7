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

/** Reads archived runs whole that open requests to retry or roll back name, as the repository snapshot does. */
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

/** A decision as the ledger that it leads to, because archiving changes what a transition writes, and not its result. */
export function showLeft(decision: Decision, before: LedgerState): Shown {
  if (!isLedgerDecision(decision)) return decision;
  const { kind, reason, change } = decision;
  return { kind, reason, ledger: applyChange(before, change) };
}

/** The same ledger with every archived record whole, as it was before: records that were not changed must be equal. */
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
