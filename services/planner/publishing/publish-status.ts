import type { KeyValue } from "#libs/bus";
import { printStatus } from "#libs/events";
import { describeFleet, type FleetStatus, type Evaluation, evaluateFleet, findNewestSpec } from "#libs/plan";
import { type Clock, redactJson } from "#libs/runtime";

import type { ReconcileResult } from "../reconcile/planner.ts";
import { fitStatus } from "./fit-status.ts";
import { hasNews } from "./has-news.ts";
import type { PublishedStatus } from "./keep-pictures.ts";

/** Longest time between two writes without a change, real ms: readers see by it that a planner lives. */
const writeEveryMs = 5000;

const nothingKnown: Evaluation = { judged: new Map(), views: [] };

/** The status without ages and times of day, which change with each reconcile: readers have a clock. */
function printNews(status: FleetStatus): string {
  const campaigns = status.campaigns?.map((each) => ({ ...each, at: "" }));
  const clusters = status.clusters.map((each) => ({ ...each, ageSeconds: 0 }));
  return JSON.stringify({ ...status, at: "", main: { ...status.main, ageSeconds: 0 }, clusters, campaigns });
}

interface StatusListeners {
  /** Gets each status that was described, published or not. */
  readonly onStatus?: (status: FleetStatus) => void;
  /** Gets each one that was written. */
  readonly onPublished?: (published: PublishedStatus) => void;
}

/** Publishes the status, one object for everything that shows it, from the snapshot that was decided on. */
export function createStatusPublisher(
  bucket: KeyValue,
  clock: Clock,
  page?: string,
  { onStatus, onPublished }: StatusListeners = {},
): (reconcile: ReconcileResult) => Promise<void> {
  let last = "";
  let described: ReconcileResult | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return async (reconcile) => {
    if (clock.monotonic() - writtenAt < writeEveryMs && !hasNews(reconcile, described)) return;
    const { snapshot, decisions } = reconcile;
    // While main does not parse, the last commit that did says what should run; the decisions say that all waits.
    const head = findNewestSpec(snapshot);
    // Main may be unreadable from the first reconcile on: that is published too, with the place of the error.
    const { judged, views } = head === undefined ? nothingKnown : evaluateFleet(snapshot, head);
    const status = describeFleet(snapshot, head, judged, views, decisions);
    onStatus?.(status);
    const text = printNews(status);
    described = reconcile;
    if (text === last && clock.monotonic() - writtenAt < writeEveryMs) return;
    // Until the write succeeded, the next reconcile writes it again.
    described = undefined;
    const published: FleetStatus = {
      ...status,
      ...(page === undefined ? {} : { page }),
      wroteAt: Date.now(),
    };
    const written = fitStatus(published, (fitted) => redactJson(printStatus(fitted)));
    await bucket.put("fleet", written);
    last = text;
    described = reconcile;
    writtenAt = clock.monotonic();
    onPublished?.({ text: written, news: text, at: snapshot.now, sequence: snapshot.ledger?.sequence });
  };
}
