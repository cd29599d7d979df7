import type { Event, Notifications } from "#libs/events";
import type { RolloutsRepository } from "#libs/git";
import { openLedger } from "#libs/ledger";
import { compareLedgers, type LedgerState, type Snapshot } from "#libs/plan";
import type { Logger } from "#libs/runtime";

import { describeTransition } from "./describe-transition.ts";
import { findMoment } from "./find-moment.ts";

export interface LedgerTellerParts {
  readonly repository: Pick<RolloutsRepository, "firstParents" | "readTree" | "commitAndPush">;
  /** True when the bus has all of them. */
  readonly publish: (events: readonly Event[]) => Promise<boolean>;
  readonly log: Pick<Logger, "warn">;
}

/** Announces each transition that the ledger has, no matter which planner wrote it and was killed before its messages were out. */
export interface LedgerTeller {
  /** Where the planner before this one was. */
  restore(told: Notifications["ledger"]): void;
  /** The bus was wiped, or nothing was ever announced: what the last hour recorded is announced once more, by the same ids. */
  rewind(snapshot: Snapshot): Promise<void>;
  /** Tells what is owed; answers how far it came. */
  catchUp(snapshot: Snapshot): Promise<Notifications["ledger"]>;
}

/** So much is reported again to a bus that was wiped, ms: places where people are notified find what they have, and leave it. */
const againMs = 3_600_000;

/** Transitions that one reconcile tells of at most. */
const mostAtOnce = 50;

function nameState({ head, sequence }: LedgerState): NonNullable<Notifications["ledger"]> {
  return { commit: head, sequence };
}

export function createLedgerTeller({ repository, publish, log }: LedgerTellerParts): LedgerTeller {
  // One of its own: it reads older states, which the planner's must not take for the newest.
  const ledger = openLedger(repository);
  let told: Notifications["ledger"];

  async function tellOne(
    snapshot: Snapshot,
    before: LedgerState,
    sha: string,
    at: number,
  ): Promise<LedgerState | undefined> {
    const after = await ledger.load(sha);
    const change = compareLedgers(before, after);
    // The message of a proposal names its pull request: it is reported once that was read.
    if (change.plans !== undefined && snapshot.pulls === undefined) return undefined;
    const events = describeTransition({ ...snapshot, now: findMoment(change) ?? at, ledger: before }, change);
    return (await publish(events)) ? after : undefined;
  }

  async function tellOwed(snapshot: Snapshot, from: NonNullable<Notifications["ledger"]>, head: string): Promise<void> {
    const owed = await repository.firstParents(from.commit, head);
    let before = await ledger.load(from.commit);
    for (const { sha, at } of owed.slice(0, mostAtOnce)) {
      const after = await tellOne(snapshot, before, sha, at);
      if (after === undefined) return;
      told = nameState(after);
      before = after;
    }
  }

  return {
    restore: (known) => void (told = known),

    async rewind({ ledger: state }) {
      if (state === undefined) return;
      const all = await repository.firstParents(undefined, state.head);
      const since = (all.at(-1)?.at ?? 0) - againMs;
      const first = all.findIndex(({ at }) => at >= since);
      const from = all[Math.max(0, first - 1)];
      told = from === undefined ? nameState(state) : { commit: from.sha, sequence: 0 };
    },

    async catchUp(snapshot) {
      const { ledger: state } = snapshot;
      if (state === undefined || told?.commit === state.head) return told;
      try {
        if (told !== undefined) await tellOwed(snapshot, told, state.head);
        told ??= nameState(state);
      } catch (error) {
        // A ledger that was rewritten, or a commit in it that cannot be read: what is owed of it is unknown.
        log.warn(
          { error, told, ledger: state.head },
          "what the ledger recorded before cannot be told; it goes on from here",
        );
        told = nameState(state);
      }
      return told;
    },
  };
}
