import type { FleetFlow } from "../fleet-flow.ts";
import { listUnnamed } from "./list-unnamed.ts";

/** So long may the status lag behind the ledger, or say nothing of what is between two reconciles, ms. */
const graceMs = 30_000;

/** One subject that no reconcile has found named, since when the ledger says what it says. */
interface Unnamed {
  readonly sequence: number;
  readonly since: number;
  readonly reconciles: number;
}

/**
 * Promise 5 of the README, looked at again and again: an open run or a rollback in force that does nothing has a wait that
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
    const unnamed = listUnnamed(ledger, status);
    for (const each of this.#unnamed.keys()) if (!unnamed.includes(each)) this.#unnamed.delete(each);
    for (const subject of unnamed) this.#note(subject, ledger.sequence);
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
