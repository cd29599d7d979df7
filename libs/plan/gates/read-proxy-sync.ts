import { printDuration } from "#libs/campaign";
import type { RevisionFacts } from "#libs/fleet";
import { resolveTarget } from "#libs/injection";

import { parseTime } from "../iso-time.ts";
import type { ClusterWorld } from "../world.ts";
import { printRatio } from "./print-figure.ts";
import type { GateOf, GateReading, GateScene } from "./reading.ts";
import { nameSamples } from "./samples.ts";
import { findTally } from "./find-tally.ts";
import { findTargets } from "./targets.ts";

/** What istiod says of the proxies that are connected to it, over the clusters of the run. */
interface Synced {
  readonly connected: number;
  readonly synced: number;
  /** Clusters with workloads that arrived, whose istiod of the target tells of no proxy. */
  readonly silent: readonly string[];
}

function listTargets({ facts }: ClusterWorld, brought: readonly string[]): readonly RevisionFacts[] {
  const names = new Set(brought.map((name) => resolveTarget(facts, name)));
  return facts.revisions.filter(({ name }) => names.has(name));
}

function countSynced({ view, seen }: GateScene, brought: readonly string[]): Synced {
  let [connected, synced] = [0, 0];
  const silent: string[] = [];
  for (const cluster of seen) {
    const proxies = listTargets(cluster, brought).flatMap((each) => each.proxies ?? []);
    const here = proxies.reduce((sum, each) => sum + each.connected, 0);
    connected += here;
    synced += proxies.reduce((sum, each) => sum + each.synced, 0);
    // Nobody can be connected before somebody arrived: that is not silence.
    const hasArrived = (view.clusters.get(cluster.name)?.count(["there"]) ?? 0) > 0;
    if (here === 0 && hasArrived) silent.push(cluster.name);
  }
  return { connected, synced, silent };
}

/** The synced ratio as it is now; undefined where the gate has nothing to measure or cannot know it. */
export function measureProxySync(scene: GateScene): { readonly ratio: number | undefined } & Synced {
  const targets = findTargets(scene.world, scene.head, scene.view.run);
  const counted = countSynced(scene, targets?.brought ?? []);
  return { ...counted, ratio: counted.connected === 0 ? undefined : counted.synced / counted.connected };
}

/** Since when the ratio has been too low without a break, as far as this planner or one before it saw, epoch ms. */
export function findLowSince(gate: GateOf<"proxySync">, scene: GateScene): number {
  const { world, view, since } = scene;
  const samples = world.samples?.get(nameSamples(view.run.id, gate.name)) ?? [];
  const good = samples.findLastIndex(({ value }) => value === undefined || value >= gate.minSyncedRatio);
  const first = samples[good + 1]?.at ?? world.now;
  // It was low when the planner before this one saw it last, and has been for as long as this one looks.
  const recorded = good === -1 ? findTally(gate, scene)?.lowSince : undefined;
  return Math.max(recorded === undefined ? first : Math.min(first, parseTime(recorded)), since);
}

/** Proxies that the target's istiod calls synced, of those connected to it. One may be unsynced for `within`. */
export function readProxySync(gate: GateOf<"proxySync">, scene: GateScene): GateReading {
  const { ratio: value, connected, synced, silent } = measureProxySync(scene);
  const { minSyncedRatio: limit, within } = gate;
  const query = `synced of connected proxies, as the istiods say that run ${scene.view.run.id} moves to`;
  const asked = `at least ${printRatio(limit)} must`;
  if (value !== undefined && value < limit) {
    const lowSince = findLowSince(gate, scene);
    const why = `${synced} of ${connected} proxies are synced (${printRatio(value)}): ${asked}, within ${printDuration(within)}`;
    const figures = { value, limit, query, owner: "the mesh operator", until: lowSince + within };
    if (scene.world.now - lowSince >= within) return { verdict: "fail", why, ...figures };
    // While it moves proxies always come and go; only the last word must be good.
    return { verdict: scene.moment === "during" ? "pass" : "pending", why, ...figures };
  }
  if (silent.length > 0) {
    const why = `the istiods of ${silent.join(", ")} tell of no proxy, though somebody arrived`;
    return { verdict: "noData", why, limit, query, owner: "the mesh operator" };
  }
  if (value === undefined) return { verdict: "pass", why: "nobody arrived whose proxy could be synced", limit, query };
  const why = `${synced} of ${connected} proxies are synced (${printRatio(value)}): ${asked}`;
  return { verdict: "pass", why, value, limit, query };
}
