import { compileRollouts, type Resolver } from "#libs/spec";
import { type ClusterSnapshot, drawReady, EventQueue, type SimulationQuestion } from "#libs/simulation";

import { BATCH } from "./simulate-fleet.ts";

type BareEvent =
  | { readonly kind: "arrive"; readonly at: number; readonly cluster: number }
  | { readonly kind: "next"; readonly at: number; readonly cluster: number };

interface BareCluster {
  readonly waiting: string[];
  inFlight: number;
}

function listMoving({ namespaces, name }: ClusterSnapshot, before: Resolver, after: Resolver): string[] {
  const moving: string[] = [];
  for (const [namespace, { workloads }] of namespaces) {
    if (before.resolve(namespace).revision === after.resolve(namespace).revision) continue;
    for (const { kind, name: workload } of workloads) moving.push(`${name}:${namespace}/${kind}/${workload}`);
  }
  return moving.reverse();
}

/** One stage: fifty at a time in each cluster, half a minute between two batches. Answers how many events that took. */
function runStage(clusters: readonly BareCluster[], { timing, seed }: SimulationQuestion): number {
  const events = new EventQueue<BareEvent>();
  for (const [cluster] of clusters.entries()) events.add({ kind: "next", at: 0, cluster });
  let count = 0;
  for (;;) {
    const event = events.takeUntil(Number.POSITIVE_INFINITY);
    if (event === undefined) return count;
    count += 1;
    const cluster = clusters[event.cluster];
    if (cluster === undefined) continue;
    if (event.kind === "arrive") {
      cluster.inFlight -= 1;
      if (cluster.inFlight === 0) events.add({ kind: "next", at: event.at + 30_000, cluster: event.cluster });
      continue;
    }
    for (const name of cluster.waiting.splice(-BATCH)) {
      cluster.inFlight += 1;
      events.add({ kind: "arrive", at: event.at + drawReady(timing, seed, name, 1), cluster: event.cluster });
    }
  }
}

/**
 * The same campaign with nothing decided: who moves in each stage, the same durations, one event for each arrival and each
 * batch. No ledger, no facts of objects, no marks, no stops, windows or failures. Answers the number of events.
 */
export function runBareLoop(question: SimulationQuestion): number {
  const { head, campaign, clusters } = question;
  let [before, events] = [head.resolver, 0];
  for (const { set } of campaign.stages) {
    const share = set["production"] ?? 0;
    const shares = [
      { revision: "old", weight: 100 - share },
      { revision: "new", weight: share },
    ];
    const buckets = head.rollouts.buckets.map((bucket) => ({ ...bucket, shares }));
    const after = compileRollouts({ buckets }, head.settings.seed);
    const bare = clusters.map((each) => ({ waiting: listMoving(each, before, after), inFlight: 0 }));
    events += runStage(bare, question);
    before = after;
  }
  return events;
}
