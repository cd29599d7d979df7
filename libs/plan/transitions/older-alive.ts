import { oldestFormat } from "#libs/input";
import type { OlderProcess, UnknownProcess } from "#libs/wording";

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
  readonly older: readonly OlderProcess[];
  /** Of these it is not known what they read. */
  readonly unknown: readonly UnknownProcess[];
}

function describeCluster({ clusters }: Snapshot, name: string, newest: number): OlderAlive {
  const cluster = clusters.get(name);
  const executor = { kind: "executor", cluster: name } as const;
  if (cluster === undefined) return { older: [], unknown: [executor] };
  const { reads = oldestFormat } = cluster.facts;
  if (reads < newest) return { older: [{ ...executor, reads }], unknown: [] };
  return { older: [], unknown: cluster.fresh ? [] : [executor] };
}

/** All known clusters: those on the bus, and those of the newest runs that are not skipped on purpose. */
function listClusters(snapshot: Snapshot, ledger: LedgerState): readonly string[] {
  const remembered = listRemembered(snapshot, ledger, { commit: snapshot.main.head });
  return [...new Set([...snapshot.clusters.keys(), ...remembered])].toSorted();
}

function describePlanners({ builds }: Snapshot, newest: number): OlderAlive {
  if (builds === undefined || builds.heardMs < hearMs) {
    return { older: [], unknown: [{ kind: "planners", listenMs: hearMs }] };
  }
  const others = [...builds.planners].filter(([, reads]) => reads < newest);
  return { older: others.map(([writer, reads]) => ({ kind: "planner", writer, reads })), unknown: [] };
}

/** Who of those that are alive, or may be, does not read the newest version, as far as is known. */
export function findOlder(snapshot: Snapshot, ledger: LedgerState, newest: number): OlderAlive {
  const all = [
    describePlanners(snapshot, newest),
    ...listClusters(snapshot, ledger).map((name) => describeCluster(snapshot, name, newest)),
  ];
  return { older: all.flatMap(({ older }) => older), unknown: all.flatMap(({ unknown }) => unknown) };
}
