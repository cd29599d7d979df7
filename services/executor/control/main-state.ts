import type { LedgerState, Spec } from "#libs/plan";
import type { RepositorySnapshot } from "#libs/repository";

/** Main and ledger as this process last read them. */
export interface MainState {
  /** Undefined while main does not parse, or was rewritten: then nothing moves forward. */
  readonly head: Spec | undefined;
  readonly ledger: LedgerState | undefined;
  /**
   * The files by which every workload is judged: head's, or the last that parsed, or after a rewrite of main those from before
   * it.
   */
  readonly spec: Spec | undefined;
  readonly specs: ReadonlyMap<string, Spec>;
  readonly isRewritten: boolean;
}

/** Before the first read. */
const nothingRead: MainState = {
  head: undefined,
  ledger: undefined,
  spec: undefined,
  specs: new Map(),
  isRewritten: false,
};

/** Undefined stands for "nothing was read yet". */
export function readMain(view: RepositorySnapshot | undefined): MainState {
  if (view === undefined) return nothingRead;
  const { main, ledger, specs, last = new Map<string, Spec>() } = view;
  if (!main.contained) {
    const spec = last.get(ledger?.judged ?? "");
    // Without the files from before the rewrite, only what rolls is counted.
    return spec === undefined
      ? { ...nothingRead, spec: specs.get(main.head), specs, isRewritten: true }
      : { head: undefined, ledger, spec, specs: last, isRewritten: true };
  }
  const head = specs.get(main.head);
  return { head, ledger, spec: head ?? specs.get(ledger?.judged ?? ""), specs, isRewritten: false };
}
