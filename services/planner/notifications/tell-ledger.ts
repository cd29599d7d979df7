import type { Event, Notifications } from "#libs/events";
import type { RolloutsRepository } from "#libs/git";
import { listRecordedEvents } from "#libs/ledger";
import type { Snapshot } from "#libs/plan";
import type { Logger } from "#libs/runtime";

/** A commit of the ledger; absent = none is known. */
type Told = Notifications["ledger"];

export interface LedgerTellerParts {
  readonly repository: Pick<RolloutsRepository, "firstParents" | "readChanges">;
  /** True when the bus has all of them. */
  readonly publish: (events: readonly Event[]) => Promise<boolean>;
  readonly log: Pick<Logger, "warn">;
}

/** Publishes the events in the ledger's commits, no matter which planner wrote one and was killed before they were out. */
export interface LedgerTeller {
  /** The newest commit that the planner before this one published. */
  restore(told: Told): void;
  /** The bus was wiped, or nothing was ever announced: what the last hour recorded is announced once more, by the same ids. */
  rewind(snapshot: Pick<Snapshot, "ledger">): Promise<void>;
  /** Publishes what is owed; answers how far it came. */
  catchUp(snapshot: Pick<Snapshot, "ledger">): Promise<Told>;
}

/** So much is published again to a bus that was wiped, ms: places where people are notified find what they have, and leave it. */
const againMs = 3_600_000;

/** Commits whose events one reconcile publishes at most. */
const mostAtOnce = 50;

export function createLedgerTeller({ repository, publish, log }: LedgerTellerParts): LedgerTeller {
  let told: Told;

  async function tellOwed(from: string, head: string): Promise<void> {
    const owed = await listRecordedEvents(repository, from, head);
    for (const { sha, events, fault } of owed.slice(0, mostAtOnce)) {
      if (fault !== undefined) log.warn({ error: fault, commit: sha }, "people are not told what this commit recorded");
      if (!(await publish(events))) return;
      told = sha;
    }
    if (owed.length <= mostAtOnce) told = head;
  }

  return {
    restore: (known) => void (told = known),

    async rewind({ ledger: state }) {
      if (state === undefined) return;
      const all = await repository.firstParents(undefined, state.head);
      const since = (all.at(-1)?.at ?? 0) - againMs;
      const first = all.findIndex(({ at }) => at >= since);
      told = all[Math.max(0, first - 1)]?.sha ?? state.head;
    },

    async catchUp(snapshot) {
      const head = snapshot.ledger?.head;
      if (head === undefined || told === head) return told;
      try {
        if (told !== undefined) await tellOwed(told, head);
        told ??= head;
      } catch (error) {
        // A ledger that was rewritten: what is owed of it is unknown.
        log.warn({ error, told, ledger: head }, "what the ledger recorded before cannot be told; it goes on from here");
        told = head;
      }
      return told;
    },
  };
}
