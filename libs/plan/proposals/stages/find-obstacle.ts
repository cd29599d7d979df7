import { coversOneOf } from "#libs/input";
import type { Campaign, Stage } from "#libs/campaign";
import type { Reason } from "#libs/wording";
import {
  type ClusterSnapshot,
  type LedgerState,
  nameDoubt,
  type RunRecord,
  type Snapshot,
  type Spec,
} from "../../records/index.ts";
import type { Evaluation } from "../../index/index.ts";
import { findVersionObstacle, gitLimitMs } from "../../conditions/index.ts";
import { type ActiveStop, collectFleetStops, holdsByRollback } from "../../stops/index.ts";
import { listCampaignRuns, listMainRuns, listOpenOnBuckets, settingsOf } from "../../main/index.ts";
import { nameStage } from "./verdict.ts";

/** The facts for the obstacles of one stage. */
export interface StageQuestion {
  readonly snapshot: Snapshot;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly campaign: Campaign;
  readonly stage: Stage;
  readonly evaluation: Evaluation;
}

/** Whether main and the ledger are current, read and judged, so that a proposal can be based on them. */
function findMainObstacle({ snapshot, ledger }: StageQuestion): Reason | undefined {
  const { main } = snapshot;
  if (!main.contained) return { code: "MainRewritten" };
  if (snapshot.ledgerDoubt !== undefined) return nameDoubt(snapshot.ledgerDoubt);
  if (main.ageMs > gitLimitMs)
    return { code: "GitDown", age: { seconds: Math.round(main.ageMs / 1000) }, hinders: "proposals" };
  return main.points.length > 0 || ledger.judged === "" ? { code: "StageUnjudged" } : undefined;
}

/** Runs that a stage depends on: the campaign's own, and open ones on its buckets, by any author. */
function listBasis(ledger: LedgerState, campaign: Campaign): readonly RunRecord[] {
  return [...listCampaignRuns(ledger, campaign.name), ...listOpenOnBuckets(ledger, campaign)];
}

/** An open run that the stage waits for (rules 1.5). */
function findOpenRun({ ledger, campaign }: StageQuestion): Reason | undefined {
  const open = listBasis(ledger, campaign).find(({ state }) => state === "open");
  if (open === undefined) return undefined;
  const of = open.stage ?? open.campaign ?? open.author;
  return { code: "StageRunning", campaign: campaign.name, run: open.id, of };
}

/**
 * Stops that hold the stage: holds and pauses on all, on the campaign, on a bucket that the stage sets, or on a run that it
 * depends on (rules 1.5, 7.1); and rollbacks under which its pull request would fail its check.
 */
function listStageStops({ snapshot, ledger, head, campaign, stage }: StageQuestion): readonly ActiveStop[] {
  const set = new Set(Object.keys(stage.set));
  const names = {
    campaign: [campaign.name],
    bucket: [...set],
    run: listBasis(ledger, campaign).map(({ id }) => id),
  };
  return collectFleetStops({ ...snapshot, ledger }, head).filter(
    (stop) => coversOneOf(stop.scope, names) || holdsByRollback(stop, ledger, set),
  );
}

function findStop(question: StageQuestion): Reason | undefined {
  const { campaign, stage } = question;
  const [first, ...more] = listStageStops(question);
  if (first === undefined) return undefined;
  const until = first.until === undefined ? {} : { until: first.until };
  return { code: "StageHeld", ...nameStage({ campaign, stage }), stop: first, more: more.length, ...until };
}

/**
 * The clusters of the inventory and of the newest run, so that a cluster that was not seen again after a wipe is not forgotten.
 */
export function listKnownClusters({ clusters, ledger }: Pick<Snapshot, "clusters" | "ledger">): readonly string[] {
  const newest = listMainRuns(ledger).at(-1);
  const names = [...clusters.keys(), ...Object.keys(newest?.clusters ?? {}), ...(newest?.expected ?? [])];
  return [...new Set(names)].toSorted();
}

/** Why a cluster holds the stage: its facts are too old, or its version of the target is too new. */
function findClusterTrouble(
  campaign: Campaign,
  name: string,
  cluster: ClusterSnapshot | undefined,
): Reason | undefined {
  if (cluster?.fresh === true) return findVersionObstacle(campaign, cluster);
  const seconds = cluster === undefined ? undefined : Math.round(cluster.ageMs / 1000);
  const hinders = { kind: "stages", campaign: campaign.name } as const;
  return { code: "ClusterUnreachable", cluster: name, seconds, hinders };
}

function findFleetTrouble(question: StageQuestion): Reason | undefined {
  const { snapshot, ledger, head, campaign } = question;
  const known = listKnownClusters({ clusters: snapshot.clusters, ledger });
  const names = known.filter((name) => !head.settings.excludedClusters.includes(name));
  if (names.length === 0) return { code: "NoClusterSeen", campaign: campaign.name };
  for (const name of names) {
    const trouble = findClusterTrouble(campaign, name, snapshot.clusters.get(name));
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

/** Whether the run proves something for the next stage: it migrated a workload, or another run took its workloads over. */
function provesSomething({ state, outcome, counts }: RunRecord): boolean {
  const { migrated = 1 } = outcome ?? counts ?? {};
  return state === "done" && (migrated > 0 || outcome?.takenOverBy !== undefined);
}

/** The stage that was reached last has no run that migrated a workload, so nothing shows that it is healthy. */
function findNothingProven({ ledger, head, campaign, stage }: StageQuestion): Reason | undefined {
  const over = listCampaignRuns(ledger, campaign.name).filter(({ state }) => state === "done" || state === "empty");
  const newest = over.at(-1);
  const before = campaign.stages.find(({ name }) => name === newest?.stage);
  if (newest === undefined || before === undefined || settingsOf(head, newest).minWorkloads === 0) return undefined;
  const isProven = over.some((run) => run.stage === before.name && provesSomething(run));
  // A stage that was rolled back is proposed again without evidence of its own.
  if (isProven || before === stage) return undefined;
  return { code: "StageNoEvidence", ...nameStage({ campaign, stage }), run: newest.id, of: before.name };
}

/** Why the next stage may not be proposed now, whatever it would change; undefined when it may (rules 1.5). */
export function findStageObstacle(question: StageQuestion): Reason | undefined {
  return (
    findMainObstacle(question) ??
    findStop(question) ??
    findOpenRun(question) ??
    findFleetTrouble(question) ??
    findNothingProven(question)
  );
}
