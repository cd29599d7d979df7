import { lookUp } from "#libs/input";
import { type Campaign, findNextStage } from "#libs/campaign";
import { type Event, makeEvent } from "#libs/events";
import {
  findCampaign,
  findStage,
  listCampaignRuns,
  listOpenOnBuckets,
  type LedgerDecision,
  type LedgerState,
  type PlanRecord,
  type RunRecord,
  type StagePull,
  type Snapshot,
} from "#libs/plan";

type Of<K extends LedgerDecision["kind"]> = Extract<LedgerDecision, { readonly kind: K }>;

/** Campaign and stage of a run, where it has them. */
export function nameBelonging({ campaign, stage }: Pick<RunRecord, "campaign" | "stage">): {
  readonly campaign?: string;
  readonly stage?: string;
} {
  return { ...(campaign === undefined ? {} : { campaign }), ...(stage === undefined ? {} : { stage }) };
}

/** Nothing is left of a run in these clusters. */
export function describeWaveEnd(snapshot: Snapshot, { run, clusters, ledger }: Of<"closeWave">): readonly Event[] {
  const record = lookUp(ledger.runs, run);
  const names = clusters.toSorted();
  const data = { run, clusters: names, ...(record === undefined ? {} : nameBelonging(record)) };
  return [makeEvent("runWaveClosed", `waveClosed-${run}-${names.join("-")}-${ledger.sequence}`, snapshot.now, data)];
}

/** How far a bake is; the ledger's sequence tells two pauses apart. */
export function describeBake(snapshot: Snapshot, { run, step, ledger }: Of<"saveBake">): readonly Event[] {
  const { bake } = run;
  if (bake === undefined) return [];
  const { healthyMs, neededMs, paused } = bake;
  const why = paused === undefined ? {} : { why: paused };
  const data = { run: run.id, step, healthyMs, neededMs, ...why, ...nameBelonging(run) };
  return [makeEvent("runBake", `bake-${run.id}-${step}-${ledger.sequence}`, snapshot.now, data)];
}

/** What a gate said, with the figures that it said it by. */
export function describeGate(snapshot: Snapshot, { run, gate, ledger }: Of<"judgeGate">): readonly Event[] {
  const said = lookUp(run.gates, gate);
  if (said === undefined) return [];
  const { verdict, why, value, limit } = said;
  const figures = { ...(value === undefined ? {} : { value }), ...(limit === undefined ? {} : { limit }) };
  const data = { run: run.id, gate, verdict, why, ...figures, ...nameBelonging(run) };
  return [makeEvent("gateJudged", `gate-${run.id}-${gate}-${ledger.sequence}`, snapshot.now, data)];
}

function countLines(list: string): number {
  return list.split("\n").filter((line) => line !== "").length;
}

/** The newest run of a campaign, by main's order. */
function findNewestRun(ledger: LedgerState | undefined, campaign: string): RunRecord | undefined {
  return listCampaignRuns(ledger, campaign).at(-1);
}

type Proposal = Of<"recordPlan">;

/** What both ways of a proposal tell: which stage, how many move, and after which run. */
function describePlace(snapshot: Snapshot, { campaign, stage, list }: PlanRecord, { number, url }: StagePull) {
  const newest = findNewestRun(snapshot.ledger, campaign);
  const after = newest === undefined ? {} : { after: newest.id };
  return { campaign, stage, pull: number, url, workloads: countLines(list), ...after };
}

/** A head that merges itself: its notice begins with its record. */
function describeMerging(
  snapshot: Snapshot,
  { plan, ledger }: Proposal,
  pull: StagePull,
  notice: number,
): readonly Event[] {
  if (lookUp(snapshot.ledger?.plans, plan.head) !== undefined) return [];
  const mergesAt = new Date(Date.parse(plan.at) + notice).toISOString();
  const data = { ...describePlace(snapshot, plan, pull), mergesAt };
  return [makeEvent("stageAutoMerge", `autoMerge-${pull.number}-${ledger.sequence}`, snapshot.now, data)];
}

/**
 * A stage's pull request is open and its list recorded. A new head of the same branch is no news, but where it merges itself:
 * people have their notice anew.
 */
export function describeProposal(snapshot: Snapshot, { plan, ledger, ...decision }: Proposal): readonly Event[] {
  const pull = snapshot.pulls?.get(plan.branch);
  const head = snapshot.specs.get(snapshot.main.head);
  const settings = head && findStage(head, { campaign: plan.campaign, stage: plan.stage })?.settings;
  if (pull === undefined || settings === undefined) return [];
  if (settings.autoMerge !== undefined) {
    return describeMerging(snapshot, { plan, ledger, ...decision }, pull, settings.autoMerge.notice);
  }
  const before = Object.values(snapshot.ledger?.plans ?? {});
  if (before.some(({ branch }) => branch === plan.branch)) return [];
  const { required, from } = settings.approvals;
  const data = { ...describePlace(snapshot, plan, pull), approvals: required, from: [...from] };
  return [makeEvent("stageProposed", `stage-${pull.number}-${ledger.sequence}`, snapshot.now, data)];
}

/** Runs of the campaign that came to their end, oldest first; undefined while one of them is open, or another one on its buckets. */
function listEnded(ledger: LedgerState, campaign: Campaign): readonly RunRecord[] | undefined {
  const runs = listCampaignRuns(ledger, campaign.name);
  const open = [...runs, ...listOpenOnBuckets(ledger, campaign)];
  return open.some(({ state }) => state === "open") ? undefined : runs;
}

/** A campaign is through when main asks for its last stage and none of its runs is open any more. */
export function describeCompletion(snapshot: Snapshot, { run, ledger }: Of<"finishRun">): readonly Event[] {
  const head = snapshot.specs.get(snapshot.main.head);
  const campaign = head && findCampaign(head, run);
  if (campaign === undefined || head === undefined || run.state === "gone") return [];
  const runs = listEnded(ledger, campaign);
  if (runs === undefined || findNextStage(campaign, head.rollouts) !== undefined) return [];
  const skipped = new Set(
    runs.flatMap(({ outcome }) => outcome?.skipped ?? []).map((each) => `${each.cluster} ${each.workload}`),
  );
  const { name, target } = campaign;
  const data = { campaign: name, target, runs: runs.map(({ id }) => id), skipped: skipped.size };
  return [makeEvent("campaignCompleted", `campaign-${name}-${run.id}-${ledger.sequence}`, snapshot.now, data)];
}
