import type { Event } from "#libs/events";
import { type Decision, formatOf, type World } from "#libs/plan";

import { describeWaits, restoreWaits } from "./remember-waits.ts";
import type { LedgerTeller } from "./tell-ledger.ts";
import { noWaits, tellWaits, type WaitMemory } from "./tell-waits.ts";
import type { TellingsKeeper } from "./keep-tellings.ts";

export interface PeopleTellerParts {
  readonly keeper: TellingsKeeper;
  readonly teller: LedgerTeller;
  readonly publish: (events: readonly Event[]) => Promise<boolean>;
  /** What the bus has taken so far is not there any more. */
  readonly forget: () => void;
  /** Real ms. */
  readonly monotonic: () => number;
}

/** Tells people of transitions and waits: each once, over every restart. */
export interface PeopleTeller {
  notice(world: World, decisions: readonly Decision[]): Promise<void>;
}

export function createPeopleTeller(parts: PeopleTellerParts): PeopleTeller {
  const { keeper, teller, publish, monotonic } = parts;
  let waits: WaitMemory | undefined;

  /** What the planner before this one told; after a wipe nobody knows, and the last hour is told again by the same ids. */
  async function recall(world: World): Promise<WaitMemory> {
    const known = await keeper.load();
    if (known === undefined) await teller.rewind(world);
    else teller.restore(known.ledger);
    return known === undefined ? noWaits : restoreWaits(known, monotonic());
  }

  return {
    async notice(world, decisions) {
      const before = waits ?? (await recall(world));
      const ledger = await teller.catchUp(world);
      const told = tellWaits(before, { now: world.now, real: monotonic(), world, decisions });
      // Since when it stands is kept before it is told: told twice, it is the same message.
      const standing = told.events.length === 0 ? told.memory : before;
      const more = ledger === undefined ? {} : { ledger };
      const kept = await keeper.save({ ...describeWaits(standing), ...more }, formatOf(world.ledger));
      if (kept === "wiped") {
        parts.forget();
        await teller.rewind(world);
      }
      // What the bus does not take is told with the next look.
      waits = told.events.length === 0 || (await publish(told.events)) ? told.memory : before;
    },
  };
}
