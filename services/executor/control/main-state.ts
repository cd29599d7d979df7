import type { LedgerState, Spec } from "#libs/plan";
import type { RepositorySnapshot } from "#libs/repository";

/** Main and ledger as this process last read them. */
export interface MainState {
  /** Undefined where it does not parse, or was rewritten: no workload moves by either. */
  readonly head: Spec | undefined;
  readonly ledger: LedgerState | undefined;
  /** By which every workload is judged: head's files, or the last that parsed, or those of before main was rewritten. */
  readonly spec: Spec | undefined;
  readonly specs: ReadonlyMap<string, Spec>;
  readonly isRewritten: boolean;
}

/** Before anything was read. */
const nothingRead: MainState = {
  head: undefined,
  ledger: undefined,
  spec: undefined,
  specs: new Map(),
  isRewritten: false,
};

/** Undefined in: nothing read yet. */
export function readMain(view: RepositorySnapshot | undefined): MainState {
  if (view === undefined) return nothingRead;
  const { main, ledger, specs, last = new Map<string, Spec>() } = view;
  if (!main.contained) {
    const spec = last.get(ledger?.judged ?? "");
    // Where nothing of before is at hand, what rolls is only counted.
    return spec === undefined
      ? { ...nothingRead, spec: specs.get(main.head), specs, isRewritten: true }
      : { head: undefined, ledger, spec, specs: last, isRewritten: true };
  }
  const head = specs.get(main.head);
  return { head, ledger, spec: head ?? specs.get(ledger?.judged ?? ""), specs, isRewritten: false };
}
