import type { KeyValue } from "#libs/bus";
import { printNamespaceParts } from "#libs/events";
import { evaluateFleet, listNamespaces, type NamespaceTable } from "#libs/plan";
import { type Clock, redactSecrets } from "#libs/runtime";

import type { PlannerReconcile } from "../reconcile/planner.ts";

/** At most so often, real ms: it is a walk over the whole fleet, and a value for each four thousand namespaces. */
const listEveryMs = 2000;
/** And for at most this part of the time: a large fleet's picture may be older, its decisions may not come later. */
const mostShare = 1 / 20;
/** Written at least so often though nothing changed, real ms: what was taken out of the bus is there again. */
const writeEveryMs = 60_000;

/** All of it but the moment. */
function printNews(table: NamespaceTable): string {
  return JSON.stringify({ ...table, at: "" });
}

/** Keeps `namespaces.*` of KV `status` as the fleet is: each managed namespace, what it runs, and when it moves. */
export function createNamespacePublisher(
  bucket: KeyValue,
  clock: Clock,
): (reconcile: PlannerReconcile) => Promise<void> {
  let last = "";
  let stamp = "";
  let nextAt = Number.NEGATIVE_INFINITY;
  let writtenAt = Number.NEGATIVE_INFINITY;

  return async ({ snapshot }) => {
    const began = clock.monotonic();
    if (began < nextAt) return;
    const head = snapshot.specs.get(snapshot.main.head) ?? snapshot.specs.get(snapshot.ledger?.judged ?? "");
    if (head === undefined) return;
    const table = listNamespaces(head, evaluateFleet(snapshot, head).judged, new Date(snapshot.now).toISOString());
    const news = printNews(table);
    nextAt = began + Math.max(listEveryMs, (clock.monotonic() - began) / mostShare);
    if (news === last && clock.monotonic() - writtenAt < writeEveryMs) return;
    // The same rows under the stamp that they had are no news to those who have them.
    if (news !== last) stamp = String(Date.now());
    for (const [key, value] of printNamespaceParts(table, stamp)) await bucket.put(key, redactSecrets(value));
    last = news;
    writtenAt = clock.monotonic();
  };
}
