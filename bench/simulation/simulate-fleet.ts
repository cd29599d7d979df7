import { makeMeshWorkload, makeNamespace } from "#fakes/fleet";
import { builtInSettings, type Campaign, type Settings } from "#libs/campaign";
import type { ClusterFacts, NamespaceInventory } from "#libs/fleet";
import { compileSpec, NamespaceTree } from "#libs/plan";
import { type StartCluster, defaultTiming, type SimulationQuestion } from "#libs/simulation";

import { makeNamespaces } from "../fleet.ts";

const WORKLOADS_EACH = 10;
const CLUSTERS = Array.from({ length: 24 }, (_, index) => `cluster-${String(index + 1).padStart(2, "0")}`);
/** Workloads of a cluster that move at once. */
export const BATCH = 50;
/** Shares of the target, stage by stage. */
const SHARES = [1, 5, 25, 50, 100];

function makeInventory(name: string): NamespaceInventory {
  const workloads = Array.from({ length: WORKLOADS_EACH }, (_, index) =>
    makeMeshWorkload("old", {
      namespace: name,
      name: `app-${index}`,
      uid: `uid-${name}-${index}`,
      labels: { "istio.io/rev": "old" },
    }),
  );
  return { namespace: makeNamespace({ name, uid: `uid-${name}` }), workloads, readAt: "100" };
}

function makeFacts(cluster: string, count: number): ClusterFacts {
  const revisions = ["old", "new"].map((name) => ({ name, webhook: true, istiod: "ready" as const }));
  const stops = { kubectl: false, recorded: {} };
  return { cluster, seenAt: 1, count, uid: `uid-of-${cluster}`, mode: "act", revisions, tags: {}, stops, problems: [] };
}

function makeCampaign(strategy: Settings["strategy"]): Campaign {
  const batch = { ...builtInSettings.batch, batchSize: BATCH };
  return {
    name: "istio",
    file: "campaigns/istio.yml",
    target: "new",
    replaces: ["old"],
    owners: [],
    exclude: [],
    clusters: { order: [], delayBetweenWaves: 0 },
    stages: SHARES.map((share, index) => ({
      name: `prod-${share}`,
      set: { production: share },
      settings: { ...builtInSettings, batch, strategy },
      line: index + 1,
    })),
  };
}

/**
 * The same fleet for the same size: 24 clusters, ten workloads to a namespace; a campaign of five stages, fifty at a time in
 * each cluster.
 */
export function makeQuestion(workloads: number, strategy: Settings["strategy"] = "Batched"): SimulationQuestion {
  const names = makeNamespaces(workloads / WORKLOADS_EACH);
  const compiled = compileSpec("0".repeat(40), "production:\n  old: 100\n  new: 0\n", undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  const clusters = CLUSTERS.map((name, number): StartCluster => {
    const own = names.filter((_, index) => index % CLUSTERS.length === number);
    const namespaces = NamespaceTree.from(own.map((each) => [each, makeInventory(each)] as const));
    return { name, facts: makeFacts(name, own.length), namespaces };
  });
  return {
    head: compiled.spec,
    campaign: makeCampaign(strategy),
    clusters,
    start: 1_794_211_200_000,
    seed: "1",
    timing: defaultTiming,
    failures: [],
  };
}
