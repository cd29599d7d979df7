import type { KeyValue } from "#libs/bus";
import { describeFleet, surveyFleet } from "#libs/plan";

import type { PlannerLook } from "./planner.ts";

/** Publishes one status object for every surface, from the very snapshot that was decided on; only when it differs. */
export function createStatusPublisher(bucket: KeyValue): (look: PlannerLook) => Promise<void> {
  let last = "";
  return async ({ world, decisions }) => {
    const head = world.specs.get(world.main.head);
    if (head === undefined) return;
    const { judged, views } = surveyFleet(world, head);
    const text = JSON.stringify(describeFleet(world, head, judged, views, decisions));
    if (text === last) return;
    await bucket.put("fleet", text);
    last = text;
  };
}
