import type { Event } from "#libs/events";
import { type Decision, type Snapshot } from "#libs/plan";

import { describeWaits, restoreWaits } from "./remember-waits.ts";
import type { LedgerTeller } from "./tell-ledger.ts";
import { noWaits, tellWaits, type WaitMemory } from "./tell-waits.ts";
import type { NotificationStore } from "./keep-notifications.ts";

export interface PeopleTellerParts {
  readonly store: NotificationStore;
  readonly teller: LedgerTeller;
  readonly publish: (events: readonly Event[]) => Promise<boolean>;
  /** What the bus has taken so far is not there any more. */
  readonly forget: () => void;
  /** Real ms. */
  readonly monotonic: () => number;
}

/** Tells people of transitions and waits: each once, over every restart. */
export interface PeopleTeller {
  /** Tells what the ledger recorded; it comes before what follows from it. */
  tellRecorded(snapshot: Snapshot): Promise<void>;
  notice(snapshot: Snapshot, decisions: readonly Decision[]): Promise<void>;
}

export function createPeopleTeller(parts: PeopleTellerParts): PeopleTeller {
  const { store, teller, publish, monotonic } = parts;
  let waits: WaitMemory | undefined;

  /** What the planner before this one announced; after a wipe it is unknown, and the last hour is announced again by the same ids. */
  async function recall(snapshot: Snapshot): Promise<WaitMemory> {
    const known = await store.load();
    if (known === undefined) await teller.rewind(snapshot);
    else teller.restore(known.ledger);
    return known === undefined ? noWaits : restoreWaits(known, monotonic());
  }

  async function catchUp(snapshot: Snapshot) {
    waits ??= await recall(snapshot);
    return { before: waits, ledger: await teller.catchUp(snapshot) };
  }

  return {
    tellRecorded: async (snapshot) => void (await catchUp(snapshot)),
    async notice(snapshot, decisions) {
      const { before, ledger } = await catchUp(snapshot);
      const told = tellWaits(before, { now: snapshot.now, real: monotonic(), snapshot, decisions });
      // Since when it stands is kept before it is told: told twice, it is the same message.
      const state = told.events.length === 0 ? told.memory : before;
      const more = ledger === undefined ? {} : { ledger };
      const kept = await store.save({ ...describeWaits(state), ...more });
      if (kept === "wiped") {
        parts.forget();
        await teller.rewind(snapshot);
      }
      // What the bus does not take is reported with the next reconcile.
      waits = told.events.length === 0 || (await publish(told.events)) ? told.memory : before;
    },
  };
}
