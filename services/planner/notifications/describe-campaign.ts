import { lookUp } from "#libs/input";
import { type Campaign, findNextStage } from "#libs/campaign";
import { type Event, makeEvent } from "#libs/events";
import {
  findCampaign,
  findRollbackOf,
  findStage,
  isPureRollback,
  listCampaignRuns,
  listOpenOnBuckets,
  type LedgerState,
  type PlanChange,
  type PlanRecord,
  type RunRecord,
  type RunStep,
  type StagePull,
  type Snapshot,
} from "#libs/plan";
import { printText } from "#libs/wording";

export type StepOf<K extends RunStep["kind"]> = Extract<RunStep, { readonly kind: K }>;

/** A run as it is after a step, and the sequence number of the transition. */
export interface Stepped {
  readonly run: RunRecord;
  readonly sequence: number;
}

/** Campaign and stage of a run, if it has them. */
export function nameBelonging({ campaign, stage }: Pick<RunRecord, "campaign" | "stage">): {
  readonly campaign?: string;
  readonly stage?: string;
} {
  return { ...(campaign === undefined ? {} : { campaign }), ...(stage === undefined ? {} : { stage }) };
}

/** Nothing of the run is left in these clusters. */
export function describeWaveEnd(
  now: number,
  { run, sequence }: Stepped,
  { clusters }: StepOf<"wavesClosed">,
): readonly Event[] {
  const names = clusters.toSorted();
  const data = { run: run.id, clusters: names, ...nameBelonging(run) };
  return [makeEvent("runWaveClosed", `waveClosed-${run.id}-${names.join("-")}-${sequence}`, now, data)];
}

/** How far a bake is; the id has the ledger's sequence, because a bake may pause more than once. */
export function describeBake(now: number, { run, sequence }: Stepped, { step }: StepOf<"bakeSaved">): readonly Event[] {
  const { bake } = run;
  if (bake === undefined) return [];
  const { healthyMs, neededMs, paused } = bake;
  const why = paused === undefined ? {} : { why: printText(paused.message) };
  const data = { run: run.id, step, healthyMs, neededMs, ...why, ...nameBelonging(run) };
  return [makeEvent("runBake", `bake-${run.id}-${step}-${sequence}`, now, data)];
}

/** A gate's verdict, with the value and limit that it is based on. */
export function describeGate(
  now: number,
  { run, sequence }: Stepped,
  { gate }: StepOf<"gateJudged">,
): readonly Event[] {
  const said = lookUp(run.gates, gate);
  if (said === undefined) return [];
  const { verdict, why, value, limit } = said;
  const figures = { ...(value === undefined ? {} : { value }), ...(limit === undefined ? {} : { limit }) };
  const data = { run: run.id, gate, verdict, why: printText(why), ...figures, ...nameBelonging(run) };
  return [makeEvent("gateJudged", `gate-${run.id}-${gate}-${sequence}`, now, data)];
}

function countLines(list: string): number {
  return list.split("\n").filter((line) => line !== "").length;
}

/** The newest run of a campaign, by the order of main's commits. */
function findNewestRun(ledger: LedgerState | undefined, campaign: string): RunRecord | undefined {
  return listCampaignRuns(ledger, campaign).at(-1);
}

/** What events of both kinds of stage have in common: the stage, how many workloads move, and the run before it. */
function describePlace(snapshot: Snapshot, { campaign, stage, list }: PlanRecord, { number, url }: StagePull) {
  const newest = findNewestRun(snapshot.ledger, campaign);
  const after = newest === undefined ? {} : { after: newest.id };
  return { campaign, stage, pull: number, url, workloads: countLines(list), ...after };
}

/** For a stage that merges itself: the time of its merge. The notice begins when its list is recorded. */
function describeMerging(
  snapshot: Snapshot,
  { plan, step }: PlanChange,
  pull: StagePull,
  { notice, sequence }: { readonly notice: number; readonly sequence: number },
): readonly Event[] {
  if (step === "relisted") return [];
  const mergesAt = new Date(Date.parse(plan.at) + notice).toISOString();
  const data = { ...describePlace(snapshot, plan, pull), mergesAt };
  return [makeEvent("stageAutoMerge", `autoMerge-${pull.number}-${sequence}`, snapshot.now, data)];
}

/**
 * A stage's pull request is open and its list recorded. A new head of the same branch is an event only where the stage merges
 * itself: the notice begins again then.
 */
export function describeProposal(snapshot: Snapshot, change: PlanChange, sequence: number): readonly Event[] {
  const { plan, step } = change;
  const pull = snapshot.pulls?.get(plan.branch);
  const head = snapshot.specs.get(snapshot.main.head);
  const settings = head && findStage(head, { campaign: plan.campaign, stage: plan.stage })?.settings;
  if (pull === undefined || settings === undefined) return [];
  const notice = settings.autoMerge?.notice;
  if (notice !== undefined) return describeMerging(snapshot, change, pull, { notice, sequence });
  if (step !== "stageProposed") return [];
  const { required, from } = settings.approvals;
  const data = { ...describePlace(snapshot, plan, pull), approvals: required, from: [...from] };
  return [makeEvent("stageProposed", `stage-${pull.number}-${sequence}`, snapshot.now, data)];
}

/** The campaign's runs, oldest first; undefined while one of them, or another run on its buckets, is open. */
function listEnded(ledger: LedgerState, campaign: Campaign): readonly RunRecord[] | undefined {
  const runs = listCampaignRuns(ledger, campaign.name);
  const open = [...runs, ...listOpenOnBuckets(ledger, campaign)];
  return open.some(({ state }) => state === "open") ? undefined : runs;
}

/** The campaign is complete: main has its last stage, and no run of it is open. `ledger`: with the change. */
export function describeCompletion(
  snapshot: Snapshot,
  ledger: LedgerState,
  { run, sequence }: Stepped,
): readonly Event[] {
  const head = snapshot.specs.get(snapshot.main.head);
  const campaign = head && findCampaign(head, run);
  // A converging run comes after a campaign's own runs and completes none.
  if (campaign === undefined || head === undefined || run.state === "gone" || run.converge !== undefined) return [];
  const runs = listEnded(ledger, campaign);
  if (runs === undefined || findNextStage(campaign, head.rollouts) !== undefined) return [];
  // What a rolled back run skipped comes again in the stage's next run, and a rollback proves nothing about the target.
  const all = Object.values(ledger.runs);
  const own = runs.filter((each) => findRollbackOf(each, all) === undefined && !isPureRollback(each));
  const skipped = new Set(
    own.flatMap(({ outcome }) => outcome?.skipped ?? []).map((each) => `${each.cluster} ${each.workload}`),
  );
  const { name, target } = campaign;
  const data = { campaign: name, target, runs: runs.map(({ id }) => id), skipped: skipped.size };
  return [makeEvent("campaignCompleted", `campaign-${name}-${run.id}-${sequence}`, snapshot.now, data)];
}
