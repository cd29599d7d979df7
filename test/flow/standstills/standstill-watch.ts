import type { FleetStatus, LedgerState } from "#libs/plan";

import type { FleetFlow } from "../fleet-flow.ts";

/** So long may the status lag behind the ledger, or say nothing of what is between two reconciles, ms. */
const graceMs = 30_000;

/** What must not wait without a named cause: scopes of open runs, and of rollbacks in force. */
function listSubjects({ runs, stops }: LedgerState): ReadonlySet<string> {
  const open = Object.values(runs).filter(({ state }) => state === "open");
  const rollbacks = Object.values(stops).filter(
    ({ resume, revertTo }) => resume === undefined && revertTo !== undefined,
  );
  return new Set([...open.map(({ id }) => `run/${id}`), ...rollbacks.map(({ scope }) => scope)]);
}

/** True when the status says what the subject does, or what it waits for. */
function isNamed({ waitingFor, doing }: Pick<FleetStatus, "waitingFor" | "doing">, subject: string): boolean {
  const isWaiting = waitingFor.some(({ scope }) => scope === "all" || scope.split("@")[0] === subject);
  return isWaiting || doing.some(({ run }) => run === "" || `run/${run}` === subject);
}

/** One subject that no reconcile has found named, since when the ledger says what it says. */
interface Unnamed {
  readonly sequence: number;
  readonly since: number;
  readonly reconciles: number;
}

/**
 * Promise 5 of the README, looked at again and again: an open run or a standing rollback that does nothing has a wait that
 * names it. What stays unnamed for two reconciles and the grace, while the ledger stays the same, is a fault.
 */
export class StandstillWatch {
  readonly #flow: FleetFlow;
  readonly #unnamed = new Map<string, Unnamed>();
  readonly #faults = new Set<string>();

  constructor(flow: FleetFlow) {
    this.#flow = flow;
  }

  async reconcile(): Promise<void> {
    const ledger = await this.#flow.ledger();
    const status = await this.#flow.status();
    if (ledger === undefined) return;
    const subjects = listSubjects(ledger);
    for (const each of this.#unnamed.keys()) if (!subjects.has(each)) this.#unnamed.delete(each);
    for (const subject of subjects) {
      if (status !== undefined && isNamed(status, subject)) this.#unnamed.delete(subject);
      else this.#note(subject, ledger.sequence);
    }
  }

  #note(subject: string, sequence: number): void {
    const now = this.#flow.clock.now();
    const before = this.#unnamed.get(subject);
    const isSame = before?.sequence === sequence;
    const noted = isSame ? { ...before, reconciles: before.reconciles + 1 } : { sequence, since: now, reconciles: 1 };
    this.#unnamed.set(subject, noted);
    if (noted.reconciles < 3 || now - noted.since < graceMs) return;
    this.#faults.add(`${subject} stands since ${new Date(noted.since).toISOString()}, and no wait of status names it`);
  }

  faults(): readonly string[] {
    return [...this.#faults];
  }
}
