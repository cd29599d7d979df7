import type { Event } from "#libs/events";
import { type Decision, type Snapshot } from "#libs/plan";

import { describeWaits, restoreWaits } from "./remember-waits.ts";
import type { LedgerPublisher } from "./publish-ledger-events.ts";
import { noWaits, updateWaits, type WaitMemory } from "./update-waits.ts";
import type { NotificationStore } from "./notification-store.ts";

export interface PeopleNotifierParts {
  readonly store: NotificationStore;
  readonly ledgerPublisher: LedgerPublisher;
  readonly publish: (events: readonly Event[]) => Promise<boolean>;
  /** Forgets which messages the bus has taken; called after it was wiped. */
  readonly forget: () => void;
  /** Real ms. */
  readonly monotonic: () => number;
}

/** Publishes events about transitions and waits: each once, also over restarts. */
export interface PeopleNotifier {
  /** Publishes the events in the ledger's commits; called before the actions that follow from them. */
  publishRecorded(snapshot: Snapshot): Promise<void>;
  notice(snapshot: Snapshot, decisions: readonly Decision[]): Promise<void>;
}

export function createPeopleNotifier(parts: PeopleNotifierParts): PeopleNotifier {
  const { store, ledgerPublisher, publish, monotonic } = parts;
  let waits: WaitMemory | undefined;

  /**
   * Loads what the last planner published. After a wipe that is unknown, and events of the last hour are published again with
   * the same ids.
   */
  async function recall(snapshot: Snapshot): Promise<WaitMemory> {
    const known = await store.load();
    if (known === undefined) await ledgerPublisher.rewind(snapshot);
    else ledgerPublisher.restore(known.ledger);
    return known === undefined ? noWaits : restoreWaits(known, monotonic());
  }

  async function catchUp(snapshot: Snapshot) {
    waits ??= await recall(snapshot);
    return { before: waits, ledger: await ledgerPublisher.catchUp(snapshot) };
  }

  return {
    publishRecorded: async (snapshot) => void (await catchUp(snapshot)),
    async notice(snapshot, decisions) {
      const { before, ledger } = await catchUp(snapshot);
      const told = updateWaits(before, { now: snapshot.now, real: monotonic(), snapshot, decisions });
      // The beginning of a wait is stored before its event is published: published again after a kill, it is the same
      // message.
      const state = told.events.length === 0 ? told.memory : before;
      const more = ledger === undefined ? {} : { ledger };
      const kept = await store.save({ ...describeWaits(state), ...more });
      if (kept === "wiped") {
        parts.forget();
        await ledgerPublisher.rewind(snapshot);
      }
      // What the bus did not take is published at the next reconcile.
      waits = told.events.length === 0 || (await publish(told.events)) ? told.memory : before;
    },
  };
}
