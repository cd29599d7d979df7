import { compileRollouts, parseRollouts } from "#libs/rollouts";
import type { SandboxCluster } from "#sandbox/fleet";

/** A fault that the demo injects. */
export interface PlantedFault {
  readonly cluster: string;
  readonly revision: string;
  /** Removes the fault: waiting pods become ready, as do pods that are started later. */
  readonly fix: () => void;
}

const revision = "1-25-2";
const victim = "prod-euw1-a";

/** The share of the workloads to move that succeed: the first ones. */
const sparedShare = 0.6;

/**
 * The first new proxies of 1-25-2 in one cluster become ready, and then none does, as if the image had gone from the registry: running
 * pods stay, restarted ones never become ready. Hits only workloads that the merged change moves. It counts workloads instead of
 * beginning later, because a small or slow fleet may be through before its status is seen.
 */
export function plantBadProxies(clusters: readonly SandboxCluster[], rollouts: string): PlantedFault {
  const parsed = parseRollouts(rollouts, "rollouts.yml");
  if (!parsed.ok) throw new Error("bug: the proposed file does not parse");
  const resolver = compileRollouts(parsed.value, "");
  const cluster = clusters.find(({ name }) => name === victim);
  if (cluster === undefined) throw new Error(`bug: there is no cluster ${victim}`);
  const { model, managed } = cluster;
  const isOld = (ref: (typeof managed)[number]) => model.podsOf(ref).every((pod) => pod.revision !== revision);
  const hit = managed.filter((ref) => resolver.resolve(ref.namespace).revision === revision && isOld(ref));
  const names = new Set(hit.map(({ namespace, kind, name }) => `${namespace}/${kind}/${name}`));
  const spared = new Set<string>();
  // The model asks when it starts a pod of that revision.
  const isHit = ({ namespace, kind, name }: (typeof managed)[number]): boolean => {
    const key = `${namespace}/${kind}/${name}`;
    if (names.has(key) && spared.size < Math.floor(names.size * sparedShare)) spared.add(key);
    return names.has(key) && !spared.has(key);
  };
  const fix = model.breakWorkload(isHit, {
    how: "neverReady",
    says: "imagePull",
    whenRevision: revision,
  });
  return { cluster: victim, revision, fix };
}
