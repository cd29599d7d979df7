import type { Event } from "#libs/events";

import type { Note } from "../story/step.ts";

type DataOf<T extends Event["type"]> = Extract<Event, { readonly type: T }>["data"];

/** What a message says to people, in one line; those that come by the hundred say nothing. */
const sentences: { readonly [T in Event["type"]]?: (data: DataOf<T>) => string } = {
  "run.v1.started": ({ run, subject, author }) => `run ${run} began: ${subject} (${author})`,
  "run.v1.done": ({ run, state, migrated, skipped, takenOverBy }) =>
    takenOverBy === undefined
      ? `run ${run} is ${state}: ${migrated} migrated, ${skipped} skipped`
      : `run ${run} is over: run ${takenOverBy} took its workloads over`,
  "workload.v1.failed": ({ cluster, workload, reason, reverted }) =>
    `✖ ${cluster} ${workload}: ${reason}${reverted ? ", put back" : ""}`,
  "workload.v1.reverted": ({ cluster, workload, reason }) => `${cluster} ${workload}: ${reason}`,
  "stop.v1.placed": ({ scope, why, who }) => `stop on ${scope}: ${why} (${who})`,
  "stop.v1.resumed": ({ stops, why, who }) => `resumed ${stops.join(", ")}: ${why} (${who})`,
  "cluster.v1.unreachable": ({ cluster }) => `${cluster} is not seen any more`,
  "cluster.v1.seen": ({ cluster }) => `${cluster} is seen again`,
};

/** A message of the stream as a note of the picture, or nothing. */
export function describeEvent(event: Event): Note | undefined {
  // The table has for each type a sentence about that type's data: which one this is, only the key says.
  const say = sentences[event.type] as ((data: Event["data"]) => string) | undefined;
  return say === undefined ? undefined : { at: event.at, text: say(event.data) };
}
