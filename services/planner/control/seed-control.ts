import { BusUnavailable, type KeyValue } from "#libs/bus";
import { type ControlState, printControlState } from "#libs/events";
import { formatVersion } from "#libs/input";
import type { RepositorySnapshot } from "#libs/repository";
import { nameDoubt } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

/**
 * How often `state` is rewritten, real ms. Executors take it for unknown after 30 s (rules 7.2, 12.1), and one that has just
 * started moves nothing before it saw it change: it must see that even if it is killed every few seconds.
 */
const seedEveryMs = 2_000;

/** The value of `state`: which main and ledger executors must have, and whether they may move at all. */
function describeState({ ledger, main, doubt }: RepositorySnapshot, writer: string, beat: string): ControlState {
  const doubted = doubt === undefined ? {} : { ledgerDoubt: nameDoubt(doubt).code };
  const state = { version: formatVersion, beat, writer, ...doubted, main: main.head };
  if (ledger === undefined) return { ...state, seeded: false };
  return { ...state, ledger: ledger.head, seeded: main.contained };
}

function nameHeads({ main, ledger, doubt }: RepositorySnapshot): string {
  return `${main.head} ${ledger?.head ?? ""} ${doubt?.kind ?? ""}`;
}

/** Publishes which main and ledger executors must have, and the beat that shows that a planner lives. */
export interface ControlSeeder {
  /**
   * Writes `state` every 2 s, and at once when main or the ledger changed; it overwrites what is there, because only one
   * planner leads. False when the bus refused the write.
   */
  readonly seed: (view: RepositorySnapshot) => Promise<boolean>;
  /**
   * Called after the bus was away. The planner counts as a new writer then, and executors publish their inventory again at
   * once: this planner reads it back from the bus without having seen it change.
   */
  readonly renew: () => void;
}

export function createControlSeeder(control: KeyValue, clock: Clock, log: Logger): ControlSeeder {
  // Two planners, or one before and after a restart, never write the same beat.
  const start = `${process.pid}-${Math.floor(clock.now())}`;
  let round = 0;
  let count = 0;
  let seededAt = Number.NEGATIVE_INFINITY;
  let seededFor = "";

  async function seed(view: RepositorySnapshot): Promise<void> {
    const heads = `${round} ${nameHeads(view)}`;
    if (heads === seededFor && clock.monotonic() - seededAt < seedEveryMs) return;
    const writer = round === 0 ? start : `${start}-${round}`;
    count += 1;
    // Executors see that a planner lives by `beat`, which differs at each write.
    await control.put("state", printControlState(describeState(view, writer, `${writer}-${count}`)));
    seededAt = clock.monotonic();
    seededFor = heads;
  }

  /**
   * A bus that refuses this one key must not end the reconcile: decisions go on, and the status says why executors are not
   * told.
   */
  async function trySeed(view: RepositorySnapshot): Promise<boolean> {
    try {
      await seed(view);
      return true;
    } catch (error) {
      if (error instanceof BusUnavailable) throw error;
      log.error({ error }, "executors are not told which main and ledger to have");
      return false;
    }
  }

  return { seed: trySeed, renew: () => void (round += 1) };
}
