import { type Ask, type Decision, decide, type World } from "#libs/plan";

/** What was decided, and the verbs with which nothing could be: each with the fault that it caused. */
export interface ContainedDecisions {
  readonly decisions: readonly Decision[];
  readonly faulty: readonly { readonly ask: Ask; readonly fault: unknown }[];
}

type Faulty = ContainedDecisions["faulty"][number];

/** Splits until each verb that `decide` cannot bear stands alone; `kept` are those with which it can. */
function sift(world: World, kept: readonly Ask[], tried: readonly Ask[], faulty: Faulty[]): readonly Ask[] {
  const [first] = tried;
  if (first === undefined) return kept;
  try {
    decide({ ...world, asks: [...kept, ...tried] });
    return [...kept, ...tried];
  } catch (fault) {
    if (tried.length === 1) {
      faulty.push({ ask: first, fault });
      return kept;
    }
    const half = Math.ceil(tried.length / 2);
    return sift(world, sift(world, kept, tried.slice(0, half), faulty), tried.slice(half), faulty);
  }
}

/**
 * Decides, and where that throws, without the verbs that make it throw: one request must never keep all others, and all movement,
 * from being decided on. Throws what `decide` throws without any verb: then no verb is at fault.
 */
export function decideContained(world: World): ContainedDecisions {
  try {
    return { decisions: decide(world), faulty: [] };
  } catch (error) {
    if (world.asks.length === 0) throw error;
    decide({ ...world, asks: [] });
    const faulty: Faulty[] = [];
    const kept = sift(world, [], world.asks, faulty);
    return { decisions: decide({ ...world, asks: kept }), faulty };
  }
}
