import type { KeyValue } from "#libs/bus";
import { printStatus } from "#libs/events";
import { describeFleet, type FleetStatus, type Survey, surveyFleet } from "#libs/plan";
import { type Clock, redactSecrets } from "#libs/runtime";

import type { PlannerLook } from "./planner.ts";
import { fitStatus } from "./publishing/fit-status.ts";
import { hasNews } from "./publishing/has-news.ts";

/** Written at least so often though nothing changed, real ms: whoever reads it sees that a planner lives. */
const writeEveryMs = 5000;

const nobody: Survey = { judged: new Map(), views: [] };

/** All that says something new: ages and times of day change with each look, and its readers have a clock. */
function printNews(status: FleetStatus): string {
  const campaigns = status.campaigns?.map((each) => ({ ...each, at: "" }));
  const clusters = status.clusters.map((each) => ({ ...each, ageSeconds: 0 }));
  return JSON.stringify({ ...status, at: "", main: { ...status.main, ageSeconds: 0 }, clusters, campaigns });
}

/** Publishes one status object for every surface, from the very snapshot that was decided on. */
export function createStatusPublisher(bucket: KeyValue, clock: Clock): (look: PlannerLook) => Promise<void> {
  let last = "";
  let described: PlannerLook | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return async (look) => {
    if (clock.monotonic() - writtenAt < writeEveryMs && !hasNews(look, described)) return;
    const { world, decisions } = look;
    // While main does not parse the last file that did says what was asked; that all waits is among the decisions.
    const head = world.specs.get(world.main.head) ?? world.specs.get(world.ledger?.judged ?? "");
    // From the first look on main may be one that nobody can read: that too is to be told, and where.
    const { judged, views } = head === undefined ? nobody : surveyFleet(world, head);
    const status = describeFleet(world, head, judged, views, decisions);
    const text = printNews(status);
    described = look;
    if (text === last && clock.monotonic() - writtenAt < writeEveryMs) return;
    // Until it is written all of it is news.
    described = undefined;
    const published: FleetStatus = { ...status, wroteAt: Date.now() };
    await bucket.put(
      "fleet",
      fitStatus(published, (fitted) => redactSecrets(printStatus(fitted))),
    );
    last = text;
    described = look;
    writtenAt = clock.monotonic();
  };
}
