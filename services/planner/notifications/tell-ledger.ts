import type { Event, Notifications } from "#libs/events";
import type { RolloutsRepository } from "#libs/git";
import { type Ledger, listRecordedEvents } from "#libs/ledger";
import type { Snapshot } from "#libs/plan";
import type { Logger } from "#libs/runtime";

/** A commit of the ledger; absent = none is known. */
type Told = Notifications["ledger"];
type Seen = Pick<Snapshot, "ledger" | "main" | "specs">;

export interface LedgerTellerParts {
  readonly repository: Pick<RolloutsRepository, "firstParents" | "readChanges">;
  readonly ledger: Pick<Ledger, "judgeSigner">;
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
  catchUp(snapshot: Seen): Promise<Told>;
}

/** So much is published again to a bus that was wiped, ms: places where people are notified find what they have, and leave it. */
const againMs = 3_600_000;

/** Commits whose events one reconcile publishes at most. */
const mostAtOnce = 50;

export function createLedgerTeller({ repository, ledger, publish, log }: LedgerTellerParts): LedgerTeller {
  let told: Told;

  /** What was not trusted is not announced: commits that no signer signed, and a signed one came to stand on. */
  async function isGoneBy(snapshot: Seen, sha: string): Promise<boolean> {
    const { main, specs, ledger: state } = snapshot;
    const head = specs.get(main.head) ?? specs.get(state?.judged ?? "");
    const { ledgerSigners = [] } = head?.settings ?? {};
    return ledgerSigners.length === 0 || (await ledger.judgeSigner(sha, ledgerSigners)).kind === "signed";
  }

  async function tellOwed(snapshot: Seen, from: string, head: string): Promise<void> {
    const owed = await listRecordedEvents(repository, from, head);
    for (const { sha, events, fault } of owed.slice(0, mostAtOnce)) {
      if (fault !== undefined) log.warn({ error: fault, commit: sha }, "people are not told what this commit recorded");
      if ((await isGoneBy(snapshot, sha)) && !(await publish(events))) return;
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
        if (told !== undefined) await tellOwed(snapshot, told, head);
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
