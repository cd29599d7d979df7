import type { KeyValue } from "#libs/bus";
import { type NotifyFacts, printNotifyFacts } from "#libs/events";
import { findNewestSpec, type Snapshot } from "#libs/plan";
import type { Clock } from "#libs/runtime";

/** Longest time between two writes without a change, real ms: a wiped bus gets it back soon. */
const writeEveryMs = 10_000;
const mostRuns = 100;

function listRuns(snapshot: Snapshot): NotifyFacts["runs"] {
  const runs = Object.values(snapshot.ledger?.runs ?? {}).toSorted((a, b) => b.order - a.order);
  const named = runs.flatMap(({ id, campaign, stage }) =>
    campaign === undefined ? [] : [[id, { campaign, ...(stage === undefined ? {} : { stage }) }] as const],
  );
  return Object.fromEntries(named.slice(0, mostRuns));
}

/**
 * Who is notified of what, by the files of main's head, or of the last commit that parsed; undefined while there is neither.
 * Pure.  @internal
 */
export function describeNotify(snapshot: Snapshot): NotifyFacts | undefined {
  const head = findNewestSpec(snapshot);
  if (head === undefined) return undefined;
  const campaigns = Object.fromEntries(
    [...head.campaigns].map(([name, { stages }]) => {
      return [name, { stages: stages.map((stage) => ({ name: stage.name, notify: stage.settings.notify })) }];
    }),
  );
  return { fleet: head.settings.notify, campaigns, runs: listRuns(snapshot) };
}

/** Publishes the key `notify` of KV `status`. */
export function createNotifyPublisher(bucket: KeyValue, clock: Clock): (snapshot: Snapshot) => Promise<void> {
  let last = "";
  let writtenAt = Number.NEGATIVE_INFINITY;
  return async (snapshot) => {
    const facts = describeNotify(snapshot);
    if (facts === undefined) return;
    const text = printNotifyFacts(facts);
    if (text === last && clock.monotonic() - writtenAt < writeEveryMs) return;
    await bucket.put("notify", text);
    last = text;
    writtenAt = clock.monotonic();
  };
}
