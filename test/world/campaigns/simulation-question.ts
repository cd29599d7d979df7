import { makeMeshWorkload, makeNamespace } from "#fakes/fleet";
import { builtInSettings, type Campaign, type Settings, type Stage } from "#libs/campaign";
import type { ClusterFacts, NamespaceInventory, Workload } from "#libs/fleet";
import { compileSpec, type Spec } from "#libs/plan";

import { type StartCluster, defaultTiming, type SimulationQuestion, type Timing } from "#libs/simulation";

/** Mon 9 Nov 2026, 08:00 UTC. */
export const monday = 1_794_211_200_000;

export const minute = 60_000;
export const hour = 60 * minute;

function makeFacts(cluster: string, count: number): ClusterFacts {
  const revisions = ["old", "new"].map((name) => ({ name, webhook: true, istiod: "ready" as const }));
  const stops = { kubectl: false, recorded: {} };
  return { cluster, seenAt: 1, count, uid: `uid-of-${cluster}`, mode: "act", revisions, tags: {}, stops, problems: [] };
}

/** A namespace with workloads `app-0` … on `old`. */
export function makeInventory(name: string, workloads: number, change: Partial<Workload> = {}): NamespaceInventory {
  const list = Array.from({ length: workloads }, (_, index) =>
    makeMeshWorkload("old", {
      namespace: name,
      name: `app-${index}`,
      uid: `uid-${name}-${index}`,
      labels: { "istio.io/rev": "old" },
      ...change,
    }),
  );
  const sorted = list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { namespace: makeNamespace({ name, uid: `uid-${name}` }), workloads: sorted, readAt: "100" };
}

/** A cluster with namespaces `shop-<nn>` of `each` workloads. `changes`: what differs in a namespace's workloads, by its name. */
export function makeSnapshot(
  name: string,
  namespaces: number,
  each: number,
  changes: Readonly<Record<string, Partial<Workload>>> = {},
): StartCluster {
  const names = Array.from({ length: namespaces }, (_, index) => `shop-${String(index).padStart(2, "0")}`);
  const list = names.map((shop) => makeInventory(shop, each, changes[shop]));
  return {
    name,
    facts: makeFacts(name, namespaces),
    namespaces: new Map(list.map((inventory) => [inventory.namespace.name, inventory])),
  };
}

/** The cluster with this namespace as its only one. */
export function withNamespace(cluster: StartCluster, inventory: NamespaceInventory): StartCluster {
  return { ...cluster, namespaces: new Map([[inventory.namespace.name, inventory]]) };
}

/** `production` with this percent on `new`, the rest on `old`. */
export function makeHead(percent = 0): Spec {
  const text = `production:\n  old: ${100 - percent}\n  new: ${percent}\n`;
  const compiled = compileSpec("0".repeat(40), text, undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

export type StageSketch = readonly [name: string, percent: number, settings?: Partial<Settings>];

/** A campaign that moves `production` to `new` in these stages. */
export function makeCampaign(stages: readonly StageSketch[], change: Partial<Campaign> = {}): Campaign {
  return {
    name: "istio",
    file: "campaigns/istio.yml",
    target: "new",
    replaces: ["old"],
    owners: [],
    exclude: [],
    clusters: { order: [], delayBetweenWaves: 0 },
    stages: stages.map(([name, percent, settings = {}], index): Stage => ({
      name,
      set: { production: percent },
      settings: { ...builtInSettings, ...settings },
      line: index + 1,
    })),
    ...change,
  };
}

/** Every workload takes a minute, nothing else takes time. */
export const evenTiming: Timing = { ...defaultTiming, readyMedian: minute, readySpread: 0, reaction: 0, undo: 10_000 };

/** A cluster of four namespaces with two workloads each, and one stage that moves all, one at a time with 30 s in between. */
export function makeQuestion(change: Partial<SimulationQuestion> = {}): SimulationQuestion {
  return {
    head: makeHead(),
    campaign: makeCampaign([["all", 100]]),
    clusters: [makeSnapshot("one", 4, 2)],
    start: monday,
    seed: "1",
    timing: evenTiming,
    failures: [],
    ...change,
  };
}
