import type { Event, Notifications } from "#libs/events";
import type { RolloutsRepository } from "#libs/git";
import { listRecordedEvents } from "#libs/ledger";
import type { Snapshot } from "#libs/plan";
import type { Logger } from "#libs/runtime";

/** Commit id of the ledger; absent = unknown. */
type LedgerCommit = Notifications["ledger"];

export interface LedgerPublisherParts {
  readonly repository: Pick<RolloutsRepository, "firstParents" | "readChanges">;
  /** True when the bus has all of them. */
  readonly publish: (events: readonly Event[]) => Promise<boolean>;
  readonly log: Pick<Logger, "warn">;
}

/** Publishes the events in the ledger's commits, also those of a planner that was killed before it published them. */
export interface LedgerPublisher {
  /** Sets the newest commit that the last planner published. */
  restore(published: LedgerCommit): void;
  /** The bus was wiped, or nothing was ever published: starts an hour back. The events have the same ids. */
  rewind(snapshot: Pick<Snapshot, "ledger">): Promise<void>;
  /** Publishes what is not published yet. Returns the newest commit whose events are on the bus. */
  catchUp(snapshot: Pick<Snapshot, "ledger">): Promise<LedgerCommit>;
}

/** How far back a wiped bus gets events again, ms; sinks that have a message already ignore it. */
const republishMs = 3_600_000;

/** At most so many commits in one reconcile. */
const mostAtOnce = 50;

export function createLedgerPublisher({ repository, publish, log }: LedgerPublisherParts): LedgerPublisher {
  let published: LedgerCommit;

  async function publishOwed(from: string, head: string): Promise<void> {
    const owed = await listRecordedEvents(repository, from, head);
    for (const { sha, events, fault } of owed.slice(0, mostAtOnce)) {
      if (fault !== undefined)
        log.warn({ error: fault, commit: sha }, "people are not notified of what this commit recorded");
      if (!(await publish(events))) return;
      published = sha;
    }
    if (owed.length <= mostAtOnce) published = head;
  }

  return {
    restore: (known) => void (published = known),

    async rewind({ ledger: state }) {
      if (state === undefined) return;
      const all = await repository.firstParents(undefined, state.head);
      const since = (all.at(-1)?.at ?? 0) - republishMs;
      const first = all.findIndex(({ at }) => at >= since);
      published = all[Math.max(0, first - 1)]?.sha ?? state.head;
    },

    async catchUp(snapshot) {
      const head = snapshot.ledger?.head;
      if (head === undefined || published === head) return published;
      try {
        if (published !== undefined) await publishOwed(published, head);
        published ??= head;
      } catch (error) {
        // The ledger was rewritten: which of its commits were not published is unknown.
        log.warn(
          { error, published, ledger: head },
          "earlier records of the ledger cannot be notified; notifications go on from here",
        );
        published = head;
      }
      return published;
    },
  };
}
