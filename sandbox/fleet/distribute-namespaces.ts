/** A cluster of the demo, and what percentage of the namespaces of each kind it has. */
interface ClusterShare {
  readonly name: string;
  readonly production: number;
  readonly staging: number;
}

/** One cluster for staging only, and five in four regions that also have some `-staging` namespaces. */
const clusterShares: readonly ClusterShare[] = [
  { name: "stage-use1", production: 0, staging: 30 },
  { name: "prod-use1-a", production: 30, staging: 20 },
  { name: "prod-use1-b", production: 25, staging: 18 },
  { name: "prod-usw2-a", production: 20, staging: 14 },
  { name: "prod-euw1-a", production: 15, staging: 11 },
  { name: "prod-apne1-a", production: 10, staging: 7 },
];

/** The names of the six clusters. */
export const clusterNames = clusterShares.map(({ name }) => name);

/** Index of the cluster for a place from 0 to 99. */
function findHome(kind: "production" | "staging", place: number): number {
  let left = place;
  return clusterShares.findIndex((share) => (left -= share[kind]) < 0);
}

/** Indexes of a namespace's clusters: some are in two, and istio-e2e is in all. */
function findHomes(name: string, index: number): readonly number[] {
  if (name === "istio-e2e") return clusterShares.map((_, at) => at);
  const kind = name.endsWith("-staging") ? "staging" : "production";
  // 61 and 100 are coprime: of a hundred consecutive names each gets another place.
  const home = findHome(kind, (index * 61) % 100);
  const other = findHome(kind, (index * 61 + 50) % 100);
  return index % 20 === 7 && other !== home ? [home, other] : [home];
}

/** The namespaces of each cluster, by the cluster's name; deterministic. */
export function distributeNamespaces(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const distributed = new Map(clusterShares.map(({ name }) => [name, [] as string[]]));
  for (const [index, name] of names.entries())
    for (const home of findHomes(name, index)) distributed.get(clusterShares[home]?.name ?? "")?.push(name);
  return distributed;
}
