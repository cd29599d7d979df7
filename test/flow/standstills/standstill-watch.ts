import type { FleetFlow } from "../fleet-flow.ts";
import { listUnnamed } from "./list-unnamed.ts";

/** How long status may lag behind the ledger, or not show what happens between two reconciles, ms. */
const graceMs = 30_000;

/** A subject that was unnamed at every check since the ledger last changed. */
interface Unnamed {
  readonly sequence: number;
  readonly since: number;
  readonly checks: number;
}

/**
 * Checks promise 5 of the README: an open run or a rollback in force that does nothing has a wait that names it. A subject that
 * stays unnamed for three checks and the grace, at one state of the ledger, is a fault.
 */
export class StandstillWatch {
  readonly #flow: FleetFlow;
  readonly #unnamed = new Map<string, Unnamed>();
  readonly #faults = new Set<string>();

  constructor(flow: FleetFlow) {
    this.#flow = flow;
  }

  async check(): Promise<void> {
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
    const noted = isSame ? { ...before, checks: before.checks + 1 } : { sequence, since: now, checks: 1 };
    this.#unnamed.set(subject, noted);
    if (noted.checks < 3 || now - noted.since < graceMs) return;
    this.#faults.add(`${subject} stands since ${new Date(noted.since).toISOString()}, and no wait of status names it`);
  }

  faults(): readonly string[] {
    return [...this.#faults];
  }
}
