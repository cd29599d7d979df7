import { type VerbRequest, type Decision, decide, type Snapshot } from "#libs/plan";

/** What was decided, and the verbs with which nothing could be: each with the fault that it caused. */
export interface ContainedDecisions {
  readonly decisions: readonly Decision[];
  readonly faulty: readonly { readonly request: VerbRequest; readonly fault: unknown }[];
}

type Faulty = ContainedDecisions["faulty"][number];

/** Splits until each verb that `decide` cannot bear stands alone; `kept` are those with which it can. */
function sift(
  snapshot: Snapshot,
  kept: readonly VerbRequest[],
  tried: readonly VerbRequest[],
  faulty: Faulty[],
): readonly VerbRequest[] {
  const [first] = tried;
  if (first === undefined) return kept;
  try {
    decide({ ...snapshot, requests: [...kept, ...tried] });
    return [...kept, ...tried];
  } catch (fault) {
    if (tried.length === 1) {
      faulty.push({ request: first, fault });
      return kept;
    }
    const half = Math.ceil(tried.length / 2);
    return sift(snapshot, sift(snapshot, kept, tried.slice(0, half), faulty), tried.slice(half), faulty);
  }
}

/**
 * Decides, and where that throws, without the verbs that make it throw: one request must never keep all others, and all movement,
 * from being decided on. Throws what `decide` throws without any verb: then no verb is at fault.
 */
export function decideContained(snapshot: Snapshot): ContainedDecisions {
  try {
    return { decisions: decide(snapshot), faulty: [] };
  } catch (error) {
    if (snapshot.requests.length === 0) throw error;
    decide({ ...snapshot, requests: [] });
    const faulty: Faulty[] = [];
    const kept = sift(snapshot, [], snapshot.requests, faulty);
    return { decisions: decide({ ...snapshot, requests: kept }), faulty };
  }
}
