import type { KeyValue } from "#libs/bus";
import { printStatus } from "#libs/events";
import { describeFleet, type FleetStatus, type Evaluation, evaluateFleet } from "#libs/plan";
import { type Clock, redactSecrets } from "#libs/runtime";

import type { PlannerReconcile } from "../reconcile/planner.ts";
import { fitStatus } from "./fit-status.ts";
import { hasNews } from "./has-news.ts";

/** Written at least so often though nothing changed, real ms: its reader sees that a planner lives. */
const writeEveryMs = 5000;

const nothingKnown: Evaluation = { judged: new Map(), views: [] };

/** All that says something new: ages and times of day change with each reconcile, and its readers have a clock. */
function printNews(status: FleetStatus): string {
  const campaigns = status.campaigns?.map((each) => ({ ...each, at: "" }));
  const clusters = status.clusters.map((each) => ({ ...each, ageSeconds: 0 }));
  return JSON.stringify({ ...status, at: "", main: { ...status.main, ageSeconds: 0 }, clusters, campaigns });
}

/** Publishes one status object for every surface, from the very snapshot that was decided on. */
export function createStatusPublisher(
  bucket: KeyValue,
  clock: Clock,
  page?: string,
): (reconcile: PlannerReconcile) => Promise<void> {
  let last = "";
  let described: PlannerReconcile | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return async (reconcile) => {
    if (clock.monotonic() - writtenAt < writeEveryMs && !hasNews(reconcile, described)) return;
    const { snapshot, decisions } = reconcile;
    // While main does not parse the last file that did says what was requested; that all waits is among the decisions.
    const head = snapshot.specs.get(snapshot.main.head) ?? snapshot.specs.get(snapshot.ledger?.judged ?? "");
    // From the first reconcile on main may be unreadable: that too is to be published, with its place.
    const { judged, views } = head === undefined ? nothingKnown : evaluateFleet(snapshot, head);
    const status = describeFleet(snapshot, head, judged, views, decisions);
    const text = printNews(status);
    described = reconcile;
    if (text === last && clock.monotonic() - writtenAt < writeEveryMs) return;
    // Until it is written all of it is news.
    described = undefined;
    const published: FleetStatus = {
      ...status,
      ...(page === undefined ? {} : { page }),
      wroteAt: Date.now(),
    };
    await bucket.put(
      "fleet",
      fitStatus(published, (fitted) => redactSecrets(printStatus(fitted))),
    );
    last = text;
    described = reconcile;
    writtenAt = clock.monotonic();
  };
}
