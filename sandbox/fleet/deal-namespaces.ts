/** A cluster of the demo, and how many of a hundred namespaces live there. */
interface ClusterShare {
  readonly name: string;
  readonly production: number;
  readonly staging: number;
}

/** Six clusters as a company has them: one for staging alone, five in four regions; all of them run some `-staging`. */
const clusterShares: readonly ClusterShare[] = [
  { name: "stage-use1", production: 0, staging: 30 },
  { name: "prod-use1-a", production: 30, staging: 20 },
  { name: "prod-use1-b", production: 25, staging: 18 },
  { name: "prod-usw2-a", production: 20, staging: 14 },
  { name: "prod-euw1-a", production: 15, staging: 11 },
  { name: "prod-apne1-a", production: 10, staging: 7 },
];

/** The names of the six. */
export const clusterNames = clusterShares.map(({ name }) => name);

/** The cluster at a place 0..99 of one hundred. */
function findHome(kind: "production" | "staging", place: number): number {
  let left = place;
  return clusterShares.findIndex((share) => (left -= share[kind]) < 0);
}

/** Some teams run in two regions, and the end-to-end check runs everywhere. */
function findHomes(name: string, index: number): readonly number[] {
  if (name === "istio-e2e") return clusterShares.map((_, at) => at);
  const kind = name.endsWith("-staging") ? "staging" : "production";
  // 61 and 100 have no common divisor: a hundred names in a row meet every place once.
  const home = findHome(kind, (index * 61) % 100);
  const other = findHome(kind, (index * 61 + 50) % 100);
  return index % 20 === 7 && other !== home ? [home, other] : [home];
}

/** Which namespaces live in which cluster, by the cluster's name; the same names are dealt the same way. */
export function dealNamespaces(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const dealt = new Map(clusterShares.map(({ name }) => [name, [] as string[]]));
  for (const [index, name] of names.entries())
    for (const home of findHomes(name, index)) dealt.get(clusterShares[home]?.name ?? "")?.push(name);
  return dealt;
}
