import { BusUnavailable, type KeyValue } from "#libs/bus";
import { type ControlState, printControlState } from "#libs/events";
import { formatVersion } from "#libs/input";
import type { RepositorySnapshot } from "#libs/repository";
import { nameDoubt } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

/**
 * How often `state` is rewritten, real ms. Executors take it for unknown after 30 s (rules 7.2, 12.1), and one that has just started
 * moves nothing before it saw it change: one that is killed every few seconds must see that in each of its lives.
 */
const seedEveryMs = 2_000;

/** What executors are told: which main and ledger to have, and whether to move at all. */
function describeState({ ledger, main, doubt }: RepositorySnapshot, writer: string, beat: string): ControlState {
  const doubted = doubt === undefined ? {} : { ledgerDoubt: nameDoubt(doubt).code };
  const state = { version: formatVersion, beat, writer, ...doubted, main: main.head };
  if (ledger === undefined) return { ...state, seeded: false };
  return { ...state, ledger: ledger.head, seeded: main.contained };
}

function nameHeads({ main, ledger, doubt }: RepositorySnapshot): string {
  return `${main.head} ${ledger?.head ?? ""} ${doubt?.kind ?? ""}`;
}

/** Tells executors which main and ledger to have, and that a planner lives. */
export interface ControlSeeder {
  /**
   * Every 2 s, and at once when main or the ledger moved on: over whatever stands there, for one planner leads. False when the bus
   * refused it.
   */
  readonly seed: (view: RepositorySnapshot) => Promise<boolean>;
  /**
   * After the bus was away this planner is another writer: what it reads back it did not see change, so executors publish
   * at once, as for one that has just started.
   */
  readonly renew: () => void;
}

export function createControlSeeder(control: KeyValue, clock: Clock, log: Logger): ControlSeeder {
  // Two planners, or a restarted one, never write the same beat.
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
    // `beat` changes with every write: that is how executors see that a planner lives.
    await control.put("state", printControlState(describeState(view, writer, `${writer}-${count}`)));
    seededAt = clock.monotonic();
    seededFor = heads;
  }

  /** A bus that refuses this one key keeps neither decisions nor the status, which says why. */
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
