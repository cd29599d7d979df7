import { compileRollouts, type Resolver } from "#libs/rollouts";
import { type StartCluster, drawReady, EventQueue, type SimulationQuestion } from "#libs/simulation";

import { BATCH } from "./simulate-fleet.ts";

type BareEvent =
  | { readonly kind: "arrive"; readonly at: number; readonly cluster: number }
  | { readonly kind: "next"; readonly at: number; readonly cluster: number };

interface BareCluster {
  readonly waiting: string[];
  inFlight: number;
  /** Strategy `Window`: arrived, but not yet counted by a `next` event. */
  migrated: number;
}

/** Called at each arrival; returns when the cluster's next batch begins, epoch ms, or undefined. */
type Rule = (cluster: BareCluster, event: BareEvent, timing: SimulationQuestion["timing"]) => number | undefined;

function listMigrating({ namespaces, name }: StartCluster, before: Resolver, after: Resolver): string[] {
  const migrating: string[] = [];
  for (const [namespace, { workloads }] of namespaces) {
    if (before.resolve(namespace).revision === after.resolve(namespace).revision) continue;
    for (const { kind, name: workload } of workloads) migrating.push(`${name}:${namespace}/${kind}/${workload}`);
  }
  return migrating.reverse();
}

/** Strategy Batched: half a minute after the last arrival of a batch. */
const afterBatch: Rule = (cluster, { at }) => {
  cluster.inFlight -= 1;
  return cluster.inFlight === 0 ? at + 30_000 : undefined;
};

/** Strategy Window: places are free again one reaction time after the first arrival. */
const afterEach: Rule = (cluster, { at }, { reaction }) => {
  cluster.migrated += 1;
  return cluster.migrated === 1 ? at + reaction : undefined;
};

/** Plays one stage; returns the number of events. */
function runStage(clusters: readonly BareCluster[], { timing, seed }: SimulationQuestion, rule: Rule): number {
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
      const next = rule(cluster, event, timing);
      if (next !== undefined) events.add({ kind: "next", at: next, cluster: event.cluster });
      continue;
    }
    cluster.inFlight -= cluster.migrated;
    cluster.migrated = 0;
    const free = BATCH - cluster.inFlight;
    for (const name of cluster.waiting.splice(-free)) {
      cluster.inFlight += 1;
      events.add({ kind: "arrive", at: event.at + drawReady(timing, seed, name, 1), cluster: event.cluster });
    }
  }
}

/**
 * Plays the same campaign without decisions: the same workloads per stage, the same durations, one event for each arrival and
 * each batch. No ledger, no facts of objects, no annotations, stops, windows or failures. Returns the number of events.
 */
export function runBareLoop(question: SimulationQuestion): number {
  const { head, campaign, clusters } = question;
  let [before, events] = [head.resolver, 0];
  for (const { set, settings } of campaign.stages) {
    const share = set["production"] ?? 0;
    const shares = [
      { revision: "old", weight: 100 - share },
      { revision: "new", weight: share },
    ];
    const buckets = head.rollouts.buckets.map((bucket) => ({ ...bucket, shares }));
    const after = compileRollouts({ buckets }, head.settings.seed);
    const bare = clusters.map((each) => ({ waiting: listMigrating(each, before, after), inFlight: 0, migrated: 0 }));
    events += runStage(bare, question, settings.strategy === "Window" ? afterEach : afterBatch);
    before = after;
  }
  return events;
}
