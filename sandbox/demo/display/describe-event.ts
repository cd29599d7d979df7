import type { Event } from "#libs/events";
import { nameTakeover, printEndCounts } from "#libs/wording";

import type { Note } from "../story/step.ts";

type DataOf<T extends Event["type"]> = Extract<Event, { readonly type: T }>["data"];

/** One line for people per type of event; types that come by the hundred have none. */
const sentences: { readonly [T in Event["type"]]?: (data: DataOf<T>) => string } = {
  "run.v1.started": ({ run, subject, author }) => `run ${run} began: ${subject} (${author})`,
  "run.v1.done": ({ run, state, takenOverBy, rolledBack, ...counts }) =>
    `run ${run} is ${takenOverBy === undefined ? state : nameTakeover(takenOverBy, rolledBack === true)}: ${printEndCounts(counts)}`,
  "workload.v1.failed": ({ cluster, workload, reason, reverted }) =>
    `✖ ${cluster} ${workload}: ${reason}${reverted ? ", put back" : ""}`,
  "workload.v1.reverted": ({ cluster, workload, reason }) => `${cluster} ${workload}: ${reason}`,
  "stop.v1.placed": ({ scope, why, who }) => `stop on ${scope}: ${why} (${who})`,
  "stop.v1.resumed": ({ stops, why, who, verb }) =>
    `${verb === "unhold" ? "unheld" : "resumed"} ${stops.join(", ")}: ${why} (${who})`,
  "cluster.v1.unreachable": ({ cluster }) => `${cluster} is unreachable`,
  "cluster.v1.seen": ({ cluster }) => `${cluster} is reachable again`,
};

/** An event as a note of the picture; undefined for a type without a sentence. */
export function describeEvent(event: Event): Note | undefined {
  // The compiler cannot see that the entry of this type takes the data of this event.
  const say = sentences[event.type] as ((data: Event["data"]) => string) | undefined;
  return say === undefined ? undefined : { at: event.at, text: say(event.data) };
}
