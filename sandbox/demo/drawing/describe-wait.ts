import { nameShareScope } from "#libs/input";
import type { FleetStatus } from "#libs/plan";

import { showTime } from "./fit-text.ts";

export type Wait = FleetStatus["waiting"][number];

/** What a cluster waits for, in a few words; the full sentence is in the answer "waiting". */
const phrases: Readonly<Record<string, string>> = {
  BatchInHand: "batch running",
  BatchSettling: "running rollouts",
  BatchFull: "running rollouts",
  ClusterUnreachable: "cluster unreachable",
  DelayBetweenBatches: "batch delay",
  MaxUnavailable: "too many unavailable",
  NamespaceBegun: "another namespace",
  BudgetAllowsNothing: "a budget (PDB)",
  BudgetAllowsLess: "a budget (PDB)",
  GatewayHeld: "a gateway",
  AwaitsDeploy: "owners' deploys",
  WaveClosed: "an earlier wave",
  GateNoData: "a gate without data",
  OwnerRollout: "an owner's rollout",
  PausedByOwner: "a paused workload",
  LedgerSlow: "slow git push (ledger)",
  Stopped: "a person (stopped)",
};

/** `MaxUnavailable` as words, for codes without a phrase. */
function spell(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

export function describeWait({ code, until }: Wait): string {
  const phrase = phrases[code] ?? spell(code);
  return until === undefined ? phrase : `${phrase}, ${showTime(until)}`;
}

/**
 * What keeps this run from continuing in this cluster: its own wait first, then the run's, then the fleet's. Of several waits
 * with one scope, the last one holds all that is left; earlier ones hold a part.
 */
export function findWait({ waiting }: FleetStatus, run: string, cluster: string): Wait | undefined {
  const scopes = [nameShareScope(run, cluster), `cluster/${cluster}`, `run/${run}`, "all"];
  for (const scope of scopes) {
    const found = waiting.findLast((wait) => wait.scope === scope);
    if (found !== undefined) return found;
  }
  return undefined;
}
