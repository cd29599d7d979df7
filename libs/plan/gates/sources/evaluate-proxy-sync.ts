import type { ProxyRefusal, RevisionFacts } from "#libs/fleet";
import { resolveTarget } from "#libs/injection";

import { type ClusterSnapshot, parseTime } from "../../records/index.ts";
import type { GateOf, GateReading, GateContext } from "../reading.ts";
import { nameSamples } from "./samples-key.ts";
import { findTally } from "../find-tally.ts";
import { findResume } from "../gate-context.ts";
import { findTargets } from "./targets.ts";

/** What a proxy of the run refused, and where. */
interface RefusalSeen extends ProxyRefusal {
  readonly cluster: string;
}

/** istiod's figures about connected proxies, over the run's clusters. */
interface Synced {
  readonly connected: number;
  readonly synced: number;
  readonly refused: number;
  /** One of the refusals; undefined where there is none, or where none is told. */
  readonly refusal: RefusalSeen | undefined;
  /** Clusters with migrated workloads whose target istiod reports no proxy. */
  readonly silent: readonly string[];
}

function listTargets({ facts }: ClusterSnapshot, brought: readonly string[]): readonly RevisionFacts[] {
  const names = new Set(brought.map((name) => resolveTarget(facts, name)));
  return facts.revisions.filter(({ name }) => names.has(name));
}

type ProxyCount = NonNullable<RevisionFacts["proxies"]>;
type Counts = readonly [connected: number, synced: number, refused: number];

function addCounts(all: readonly Counts[]): Counts {
  const add = (at: 0 | 1 | 2) => all.reduce((sum, each) => sum + each[at], 0);
  return [add(0), add(1), add(2)];
}

/** In these namespaces only; in all where they are not counted separately. */
function countIn({ connected, synced, refused = 0, byNamespace }: ProxyCount, namespaces: ReadonlySet<string>): Counts {
  if (byNamespace === undefined) return [connected, synced, refused];
  const counted = Object.entries(byNamespace).filter(([namespace]) => namespaces.has(namespace));
  return addCounts(counted.map(([, [all, good, bad = 0]]) => [all, good, bad]));
}

/** Proxies are named `<pod>.<namespace>`. */
function isIn(namespaces: ReadonlySet<string>, { proxy }: ProxyRefusal): boolean {
  return namespaces.has(proxy.slice(proxy.lastIndexOf(".") + 1));
}

/** Namespaces where workloads of the run migrated: other proxies on the target are not the run's. */
function listArrived({ view }: GateContext, cluster: string): ReadonlySet<string> {
  const migrated = [...(view.clusters.get(cluster)?.list(["migrated"]) ?? [])];
  return new Set(migrated.map(({ workload }) => workload.namespace));
}

function countSynced(context: GateContext, brought: readonly string[]): Synced {
  const counts: Counts[] = [];
  const silent: string[] = [];
  let refusal: RefusalSeen | undefined;
  for (const cluster of context.seen) {
    const arrived = listArrived(context, cluster.name);
    const reported = listTargets(cluster, brought).flatMap(({ proxies }) => proxies ?? []);
    const here = addCounts(reported.map((each) => countIn(each, arrived)));
    counts.push(here);
    const found = reported.flatMap(({ refusals = [] }) => refusals).find((each) => isIn(arrived, each));
    if (found !== undefined) refusal ??= { cluster: cluster.name, ...found };
    // Before a workload has migrated no proxy can be connected.
    if (here[0] === 0 && arrived.size > 0) silent.push(cluster.name);
  }
  const [connected, synced, refused] = addCounts(counts);
  return { connected, synced, refused, refusal, silent };
}

/** The present ratio; undefined where there is nothing to measure, or where it is unknown. */
export function measureProxySync(context: GateContext): { readonly ratio: number | undefined } & Synced {
  const targets = findTargets(context.snapshot, context.head, context.view.run);
  const counted = countSynced(context, targets?.brought ?? []);
  return { ...counted, ratio: counted.connected === 0 ? undefined : counted.synced / counted.connected };
}

/** Since when the ratio has been too low without interruption, as far as this planner or its predecessor saw, epoch ms. */
export function findLowSince(gate: GateOf<"proxySync">, context: GateContext): number {
  const { snapshot, view, since } = context;
  const samples = snapshot.samples?.get(nameSamples(view.run.id, gate.name)) ?? [];
  const good = samples.findLastIndex(({ value }) => value === undefined || value >= gate.minSyncedRatio);
  const first = samples[good + 1]?.at ?? snapshot.now;
  // It was low when the previous planner saw it last, and has been since this one started.
  const recorded = good === -1 ? findTally(gate, context)?.lowSince : undefined;
  return Math.max(recorded === undefined ? first : Math.min(first, parseTime(recorded)), since);
}

/** What a finding says of refusals. */
function tellRefusals({ refused, refusal }: Synced) {
  return refused === 0 ? {} : { refused, ...(refusal === undefined ? {} : { refusal }) };
}

/** After a resume the refusals have `within` to end, as all that is out of sync: a stop at once would leave no time to act. */
function isForgiven({ name }: GateOf<"proxySync">, { ledger, view }: GateContext): boolean {
  return findResume(ledger, view.run.id, name) !== undefined;
}

/**
 * The run's proxies in sync with the target's istiod, of those connected. Out of sync for up to `within` is tolerated, unless so
 * many refuse what istiod sends that the others are too few: time changes nothing for these.
 */
export function evaluateProxySync(gate: GateOf<"proxySync">, context: GateContext): GateReading {
  const measured = measureProxySync(context);
  const { ratio: value, connected, synced, refused, silent } = measured;
  const { minSyncedRatio: limit, within } = gate;
  const asked = { kind: "proxySync", run: context.view.run.id } as const;
  const found = { code: "SyncedProxies", synced, connected, minSyncedRatio: limit, ...tellRefusals(measured) } as const;
  if (value !== undefined && (connected - refused) / connected < limit && !isForgiven(gate, context)) {
    return { verdict: "fail", found: { ...found, code: "RefusingProxies", refused }, value, limit, asked };
  }
  if (value !== undefined && value < limit) {
    const lowSince = findLowSince(gate, context);
    const low = { found: { ...found, within }, value, limit, asked, until: lowSince + within };
    if (context.snapshot.now - lowSince >= within) return { verdict: "fail", ...low };
    // Proxies come and go during moves, so only the last result must be good.
    return { verdict: context.moment === "during" ? "pass" : "pending", ...low };
  }
  if (silent.length > 0) return { verdict: "noData", found: { code: "SilentIstiods", clusters: silent }, limit, asked };
  if (value === undefined) return { verdict: "pass", found: { code: "NoProxies" }, limit, asked };
  return { verdict: "pass", found, value, limit, asked };
}
