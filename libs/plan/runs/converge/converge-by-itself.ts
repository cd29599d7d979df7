import type { DriftSettings } from "#libs/campaign";
import { isRollingByOwner, judgeHealth } from "#libs/fleet";
import { planner, printConvergeCause } from "#libs/wording";

import type { LedgerDecision } from "../../records/index.ts";
import { startConverging } from "../../transitions/index.ts";
import { mostWorkloads } from "./carry-out-converge.ts";
import { findInsisting, wasNamed } from "./insisting.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";
import type { Drift, DriftBasis } from "./list-drift.ts";
import { planConverge } from "./plan-converge.ts";

/** The nearest level that says something: the cluster, the bucket, the fleet. */
function convergesByItself({ fleet, buckets, clusters }: DriftSettings, { cluster, bucket }: JudgedWorkload): boolean {
  return (clusters.get(cluster) ?? buckets.get(bucket)?.policy ?? fleet) === "converge";
}

/** Whether some workload of the cluster may converge by itself. */
function mayConverge({ fleet, buckets, clusters }: DriftSettings, cluster: string): boolean {
  const own = clusters.get(cluster);
  if (own !== undefined) return own === "converge";
  return fleet === "converge" || [...buckets.values()].some(({ policy }) => policy === "converge");
}

/** Its owner's rollout is complete and healthy. */
function isRolloutComplete({ judged: { workload } }: Drift): boolean {
  return !isRollingByOwner(workload) && judgeHealth(workload).healthy;
}

/** Its owner has to act first: a run would wait for that, and skip it. A person may ask for it all the same. */
function isOwnersTurn({ judged: { state } }: Drift): boolean {
  return state.kind === "waiting";
}

/** One at a time for each campaign; later drift waits for the next. */
function isConverging({ ledger }: DriftBasis, campaign: string | undefined): boolean {
  return Object.values(ledger.runs).some(
    (run) => run.state === "open" && run.converge?.cause === "deploys" && run.campaign === campaign,
  );
}

function isDue(basis: DriftBasis, drift: Drift): boolean {
  const { ledger, head, snapshot } = basis;
  const { judged, names, campaign } = drift;
  if (!convergesByItself(head.settings.drift, judged) || isOwnersTurn(drift) || !isRolloutComplete(drift)) return false;
  if (snapshot.clusters.get(judged.cluster)?.facts.mapsUnread === true) return false;
  if (findInsisting(ledger.runs, judged) !== undefined || isConverging(basis, campaign)) return false;
  return !wasNamed(ledger.runs, names, snapshot.now);
}

/** `drift: converge`: drift is corrected automatically, once for each deploy of its owner (ADR 47). */
export function convergeByItself(basis: DriftBasis): LedgerDecision | undefined {
  const { snapshot, ledger, head, evaluation } = basis;
  const isAsked = [...evaluation.judged].some(
    ([name, index]) => mayConverge(head.settings.drift, name) && index.count("drift") > 0,
  );
  if (!isAsked) return undefined;
  const asked = { scope: "all", who: planner, why: printConvergeCause() } as const;
  const order = { id: `deploys-${ledger.sequence}`, cause: "deploys", ...asked } as const;
  const { runs, drift } = planConverge(basis, order, { most: mostWorkloads, isWanted: (each) => isDue(basis, each) });
  return drift.length === 0
    ? undefined
    : startConverging(snapshot, ledger, runs, { ...asked, workloads: drift.length });
}
