import { type VerbRequest, type Decision, decide, type Snapshot } from "#libs/plan";

/** The decisions, and the verbs that were left out, each with the error that `decide` threw because of it. */
export interface ContainedDecisions {
  readonly decisions: readonly Decision[];
  readonly faulty: readonly { readonly request: VerbRequest; readonly fault: unknown }[];
}

type Faulty = ContainedDecisions["faulty"][number];

/** Finds by bisection the verbs at which `decide` throws; returns those with which it does not, `kept` first. */
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
 * Decides; if that throws, decides again without the verbs that make it throw: one verb must not stop all others, and all
 * movement. Throws what `decide` throws without any verb: then no verb is the cause.
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
