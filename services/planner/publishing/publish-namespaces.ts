import type { KeyValue } from "#libs/bus";
import { printNamespaceParts, type StampedTable } from "#libs/events";
import { evaluateFleet, findNewestSpec, listNamespaces, type NamespaceTable } from "#libs/plan";
import { type Clock, redactJson } from "#libs/runtime";

import type { ReconcileResult } from "../reconcile/planner.ts";

/** Shortest time between two lists, real ms: each walks the whole fleet, and is one value for 4,000 namespaces. */
const listEveryMs = 2000;
/** The largest part of the time that may go into it: for a large fleet the list is older, so that decisions are not later. */
const mostShare = 1 / 20;
/** Longest time between two writes without a change, real ms: a deleted value comes back. */
const writeEveryMs = 60_000;

/** All of it but its time. */
function printNews(table: NamespaceTable): string {
  return JSON.stringify({ ...table, at: "" });
}

/**
 * Publishes `namespaces.*` of KV `status`: each managed namespace, what it runs, and when it moves. `onPublished` gets each
 * table that was written.
 */
export function createNamespacePublisher(
  bucket: KeyValue,
  clock: Clock,
  onPublished?: (table: StampedTable) => void,
): (reconcile: ReconcileResult) => Promise<void> {
  let last = "";
  let stamp = "";
  let nextAt = Number.NEGATIVE_INFINITY;
  let writtenAt = Number.NEGATIVE_INFINITY;

  return async ({ snapshot }) => {
    const began = clock.monotonic();
    if (began < nextAt) return;
    const head = findNewestSpec(snapshot);
    if (head === undefined) return;
    const table = listNamespaces(head, evaluateFleet(snapshot, head).judged, new Date(snapshot.now).toISOString());
    const news = printNews(table);
    nextAt = began + Math.max(listEveryMs, (clock.monotonic() - began) / mostShare);
    if (news === last && clock.monotonic() - writtenAt < writeEveryMs) return;
    // Readers compare the stamp: the same rows keep it.
    if (news !== last) stamp = String(Date.now());
    for (const [key, value] of printNamespaceParts(table, stamp)) await bucket.put(key, redactJson(value));
    last = news;
    writtenAt = clock.monotonic();
    onPublished?.({ ...table, stamp });
  };
}
