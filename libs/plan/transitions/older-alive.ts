import { oldestFormat } from "#libs/input";

import type { LedgerState, Snapshot } from "../records/index.ts";
import { listRemembered } from "./transitions.ts";

/**
 * Executors publish each 20 s and planners each 10 s: a process that is alive was heard within so long, real ms. Before this planner has
 * listened that long, it is unknown which are.
 */
export const hearMs = 60_000;

/** Who keeps the version from being raised, for people; empty = all that are alive read the newest. */
export interface OlderAlive {
  /** Read less than the newest version, each with what it reads. */
  readonly older: readonly string[];
  /** Of these it is not known what they read. */
  readonly unknown: readonly string[];
}

function describeCluster({ clusters }: Snapshot, name: string, newest: number): OlderAlive {
  const cluster = clusters.get(name);
  if (cluster === undefined) return { older: [], unknown: [`the executor of ${name} (not seen)`] };
  const { reads = oldestFormat } = cluster.facts;
  if (reads < newest) return { older: [`the executor of ${name} reads up to ${reads}`], unknown: [] };
  return { older: [], unknown: cluster.fresh ? [] : [`the executor of ${name} (not seen)`] };
}

/** All known clusters: those on the bus, and those of the newest runs that are not skipped on purpose. */
function listClusters(snapshot: Snapshot, ledger: LedgerState): readonly string[] {
  const remembered = listRemembered(snapshot, ledger, { commit: snapshot.main.head });
  return [...new Set([...snapshot.clusters.keys(), ...remembered])].toSorted();
}

function describePlanners({ builds }: Snapshot, newest: number): OlderAlive {
  if (builds === undefined || builds.heardMs < hearMs) {
    return { older: [], unknown: [`other planners (this one has listened for less than ${hearMs / 1000} s)`] };
  }
  const others = [...builds.planners].filter(([, reads]) => reads < newest);
  return { older: others.map(([writer, reads]) => `the planner ${writer} reads up to ${reads}`), unknown: [] };
}

/** Who of those that are alive, or may be, does not read the newest version, as far as is known. */
export function findOlder(snapshot: Snapshot, ledger: LedgerState, newest: number): OlderAlive {
  const all = [
    describePlanners(snapshot, newest),
    ...listClusters(snapshot, ledger).map((name) => describeCluster(snapshot, name, newest)),
  ];
  return { older: all.flatMap(({ older }) => older), unknown: all.flatMap(({ unknown }) => unknown) };
}
