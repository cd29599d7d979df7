import type { Finding } from "#libs/rollouts";
import { wordFinding } from "#libs/wording";

import type { ClusterSnapshot, MainFacts, Snapshot, Spec, SpecPoint } from "../records/index.ts";
import { rolloutsPath } from "./compile-spec.ts";

/**
 * Steps of regular expressions times characters, for all names of the fleet together: about three seconds. Names are matched in
 * the loops of planner and executors, where nothing else happens meanwhile.
 */
const mostWork = 200_000_000;
/** A namespace's name has so many characters at most. */
const longestName = 63;

type Clusters = ReadonlyMap<string, Pick<ClusterSnapshot, "namespaces">>;
type Resolver = Spec["resolver"];

/** What each name makes, for a file whose names must be counted one by one; kept as long as the file is. */
const counted = new WeakMap<Resolver, Map<string, number>>();

function countName(resolver: Resolver, name: string): number {
  const known = counted.get(resolver) ?? new Map<string, number>();
  counted.set(resolver, known);
  const work = known.get(name) ?? resolver.countSteps(name) * (name.length + 1);
  known.set(name, work);
  return work;
}

/** The most that so many names could make is within the limit: nearly every file. */
function isSurelyLittle(resolver: Resolver, count: number): boolean {
  return resolver.mostSteps() * (longestName + 1) * count <= mostWork;
}

/** MR1015 for a commit whose patterns are too much work for the names that this fleet has, by counting; else undefined. */
export function findFleetWork({ resolver }: Pick<Spec, "resolver">, clusters: Clusters): Finding | undefined {
  const count = [...clusters.values()].reduce((sum, { namespaces }) => sum + namespaces.size, 0);
  if (isSurelyLittle(resolver, count)) return undefined;
  const names = new Set([...clusters.values()].flatMap(({ namespaces }) => [...namespaces.keys()]));
  const work = [...names].reduce((sum, name) => sum + countName(resolver, name), 0);
  if (work <= mostWork) return undefined;
  const words = wordFinding({ code: "TooMuchWork", steps: work, namespaces: names.size, most: mostWork });
  return { code: "MR1015", severity: "error", file: rolloutsPath, line: 1, column: 1, ...words };
}

/**
 * Main and its files, without those that are too much work for this fleet: they count as files that do not parse, so all waits
 * with their finding until a commit comes that is less work.
 */
export function refuseFleetWork<M extends Pick<MainFacts, "points" | "unreadable">>(
  main: M,
  specs: Snapshot["specs"],
  clusters: Clusters,
): { readonly main: M; readonly specs: Snapshot["specs"] } {
  const refused = new Map<string, readonly Finding[]>();
  for (const [commit, spec] of specs) {
    const finding = findFleetWork(spec, clusters);
    if (finding !== undefined) refused.set(commit, [finding]);
  }
  if (refused.size === 0) return { main, specs };
  const refuse = (point: SpecPoint): SpecPoint => {
    const findings = refused.get(point.commit.sha);
    return findings === undefined ? point : { commit: point.commit, findings };
  };
  const unreadable = new Map([...(main.unreadable ?? []), ...refused]);
  const left = new Map([...specs].filter(([commit]) => !refused.has(commit)));
  return { main: { ...main, points: main.points.map(refuse), unreadable }, specs: left };
}
