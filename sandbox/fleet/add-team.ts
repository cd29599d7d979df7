import type { KubeModel } from "#fakes/kube";
import type { WorkloadRef } from "#libs/fleet";

type Random = () => number;

/** One namespace of a cluster. */
export interface Team {
  readonly name: string;
  /** The revision that it runs when the demo begins. */
  readonly revision: string;
  /** Its index among the cluster's namespaces, which decides its special cases. */
  readonly index: number;
}

export interface TeamWorkloads {
  readonly managed: readonly WorkloadRef[];
  /** Opted out of the mesh. */
  readonly optedOut: readonly WorkloadRef[];
}

function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Picks by weight, in percent; `rest` gets what the weights leave. */
function pick<T>(random: Random, choices: readonly (readonly [weight: number, choice: T])[], rest: T): T {
  let left = random() * 100;
  return choices.find(([weight]) => (left -= weight) < 0)?.[1] ?? rest;
}

/** Mostly a few pods, sometimes dozens, rarely nearly a hundred: about twenty on average. */
function chooseReplicas(random: Random): number {
  const [low, high] = pick<readonly [number, number]>(
    random,
    [
      [55, [2, 10]],
      [32, [12, 36]],
    ],
    [50, 90],
  );
  return between(random, low, high);
}

/** Time until a pod is Ready, ms, as a range: 5 % are slow. */
function chooseReadiness(random: Random): readonly [number, number] {
  return random() < 0.05 ? [40_000, 80_000] : [5_000, 25_000];
}

function addOne(model: KubeModel, random: Random, { name: ns }: Team, place: number, labels: Record<string, string>) {
  const shared = { ns, labels, readyMs: chooseReadiness(random) };
  if (place === 2) {
    return model.addStatefulSet({
      ...shared,
      name: "cache",
      replicas: between(random, 1, 5),
      podManagement: "Parallel",
    });
  }
  if (place === 3) return model.addDaemonSet({ ...shared, name: "agent", replicas: 6, maxUnavailable: 2 });
  return model.addDeployment({ ...shared, name: place === 0 ? "app" : "worker", replicas: chooseReplicas(random) });
}

/** One namespace in ten has a disruption budget; in one of 130 it allows no disruption. */
function addBudget(model: KubeModel, { name: ns, index }: Team): void {
  if (index % 10 !== 3) return;
  const allowed = index % 130 === 23 ? { minAvailable: "100%" } : { maxUnavailable: "25%" };
  model.addPdb({ ns, name: "app", matchLabels: { app: "app" }, ...allowed });
}

/** Adds the workloads of a namespace. One namespace in twelve has the revision label itself, instead of its pod templates. */
export function addTeam(model: KubeModel, random: Random, team: Team): TeamWorkloads {
  const hasNamespaceLabel = team.index % 12 === 5;
  const rev = { "istio.io/rev": team.revision };
  model.addNamespace(team.name, hasNamespaceLabel ? { labels: rev } : {});
  const count = pick(
    random,
    [
      [25, 1],
      [30, 2],
      [30, 3],
    ],
    4,
  );
  const places = Array.from({ length: count }, (_, place) => place);
  const managed = places.map((place) => addOne(model, random, team, place, hasNamespaceLabel ? {} : rev));
  addBudget(model, team);
  if (team.index % 45 !== 11) return { managed, optedOut: [] };
  const off = { "sidecar.istio.io/inject": "false" };
  return { managed, optedOut: [model.addDeployment({ ns: team.name, name: "legacy", replicas: 2, labels: off })] };
}
