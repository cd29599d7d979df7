import type { KeyValue } from "#libs/bus";
import { type ControlState, printControlState, readControlState } from "#libs/events";
import type { MainlineView } from "#libs/mainline";
import type { Clock, Logger } from "#libs/runtime";

/** How often `state` is rewritten, real ms: executors take it for unknown after 30 s (rules 7.2, 12.1). */
const seedEveryMs = 10_000;

/** What executors are told: which main and ledger to have, and whether to move at all. */
function describeState({ ledger, main }: MainlineView, writer: string, beat: string): ControlState {
  const state = { version: 1 as const, main: main.head, beat, writer };
  if (ledger === undefined) return { ...state, seeded: false, sequence: 0 };
  return { ...state, ledger: ledger.head, seeded: main.contained, sequence: ledger.sequence };
}

/** Writes KV `control` key `state` from the ledger. Answers false when a newer planner's state stands there (rules 7.2). */
async function seedControl(control: KeyValue, state: ControlState): Promise<boolean> {
  const standing = await control.get("state");
  const newest = standing?.value === undefined ? undefined : readControlState(standing.value);
  if (newest !== undefined && newest.sequence > state.sequence) return false;
  return control.put("state", printControlState(state), standing?.revision ?? 0);
}

/** Tells executors which main and ledger to have, and that a planner lives. */
export interface ControlSeeder {
  /** Every 10 s, and at once when main or the ledger moved on. Answers whether `state` stands for this view. */
  readonly seed: (view: MainlineView) => Promise<boolean>;
  /**
   * After the bus was away this planner is another writer: what it reads back it did not see change, so executors publish
   * at once, as for one that has just started.
   */
  readonly renew: () => void;
}

export function createControlSeeder(control: KeyValue, clock: Clock, log: Logger): ControlSeeder {
  // Two planners, or one that was started anew, never write the same beat.
  const start = `${process.pid}-${Math.floor(clock.now())}`;
  let round = 0;
  let count = 0;
  let seededAt = Number.NEGATIVE_INFINITY;
  let seededFor = "";

  async function seed(view: MainlineView): Promise<boolean> {
    const heads = `${round} ${view.main.head} ${view.ledger?.head ?? ""}`;
    if (heads === seededFor && clock.monotonic() - seededAt < seedEveryMs) return true;
    count += 1;
    const self = round === 0 ? start : `${start}-${round}`;
    // `beat` changes with every write: that is how executors see that a planner lives.
    const state = describeState(view, self, `${self}-${count}`);
    if (!(await seedControl(control, state))) {
      const mend = "fetch again shows it, or the ledger branch was reset: then remove key state of KV bucket control";
      log.warn(
        { sequence: state.sequence, mend },
        "KV control names a newer ledger than the repository has: not replaced",
      );
      return false;
    }
    seededAt = clock.monotonic();
    seededFor = heads;
    return true;
  }

  return { seed, renew: () => void (round += 1) };
}
