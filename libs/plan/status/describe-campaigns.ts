import { coversOneOf, findNamed } from "#libs/input";
import { type Campaign, findNextStage, type Stage } from "#libs/campaign";
import { renderComing, renderPause } from "#libs/wording";

import { type Decision, dropAbsent, printTime, type RunRecord, type Snapshot, type Spec } from "../records/index.ts";
import { type GateReading, evaluateGates } from "../gates/index.ts";
import type { Evaluation, RunView } from "../index/index.ts";
import { listCampaignRuns, listOpenOnBuckets, settingsOf } from "../main/index.ts";
import { describeStops, isRunGuardStop, type StopStatus } from "../stops/index.ts";
import { judgeStages, readStageBranch, type StageVerdict } from "../proposals/index.ts";
import { describeCalendar } from "./calendar/describe-calendar.ts";
import { type Outlook, chooseSettings, listComing } from "./campaign-coming.ts";
import {
  countWorkloads,
  describeBake,
  describeRollouts,
  describeGates,
  describeLeftOut,
  describeWhere,
  findStart,
  findVmTurns,
} from "./campaign-figures.ts";
import { describeStages } from "./campaign-stages.ts";
import type { CampaignStatus, PullStatus, StageStatus } from "./campaign-status.ts";
import { listStarts } from "./stages/list-starts.ts";
import { describeBudget, type Failure } from "./failure-status.ts";
import { describeSkipped, type Skipped } from "./skipped/list-skipped.ts";
import { listCampaignWaits } from "./campaign-waits.ts";
import { describeRollback, describeUndo, isRolledBack } from "./status-undo.ts";

/** The facts about one campaign. */
interface CampaignContext {
  readonly snapshot: Snapshot;
  readonly head: Spec;
  readonly evaluation: Evaluation;
  readonly campaign: Campaign;
  /** All of its runs in main's history. */
  readonly runs: readonly RunRecord[];
  /** Those that still move workloads, oldest first. */
  readonly views: readonly RunView[];
  /** Open runs of others that change one of its buckets. */
  readonly others: readonly RunRecord[];
  readonly verdict: StageVerdict | undefined;
  /** Failures of the campaign's runs, ended ones included. */
  readonly failures: readonly Failure[];
  /** Skipped workloads of the campaign's runs, ended ones included. */
  readonly skipped: readonly Skipped[];
}

/** Failures and skipped workloads of the fleet. */
interface LeftOfFleet extends Pick<CampaignContext, "failures" | "skipped"> {}

function nameStage(campaign: Campaign, stage: Stage | undefined): StageStatus | undefined {
  if (stage === undefined) return undefined;
  return { name: stage.name, index: campaign.stages.indexOf(stage) + 1, of: campaign.stages.length };
}

/** The present stage: that of its newest open run, else the next to propose; and the one after it. */
function findStages({ campaign, head, views }: CampaignContext): {
  readonly at: Stage | undefined;
  readonly next: Stage | undefined;
} {
  const open = views.at(-1)?.run.stage;
  const next = findNextStage(campaign, head.rollouts);
  const at = campaign.stages.find(({ name }) => name === open);
  if (at !== undefined) return { at, next };
  return { at: next, next: next === undefined ? undefined : campaign.stages[campaign.stages.indexOf(next) + 1] };
}

/** Holds and pauses on all, on it, its runs, its buckets, or a cluster of its runs. */
function listStops({ campaign, snapshot, views, others }: CampaignContext): readonly StopStatus[] {
  const names = {
    campaign: [campaign.name],
    run: [...views.map(({ run }) => run), ...others].map(({ id }) => id),
    bucket: campaign.stages.flatMap(({ set }) => Object.keys(set)),
    cluster: views.flatMap(({ clusters }) => [...clusters.keys()]),
  };
  return describeStops(snapshot).filter(({ scope }) => coversOneOf(scope, names));
}

/** The newest pull request of the first of these stages that has one. */
function findPull(
  { snapshot, head, campaign, views }: CampaignContext,
  stages: readonly (Stage | undefined)[],
): PullStatus | undefined {
  const pulls = [...(snapshot.pulls?.values() ?? [])].toSorted((a, b) => b.number - a.number);
  const named = pulls.map((pull) => ({ pull, of: readStageBranch(pull.branch, head.campaigns) }));
  const mine = named.filter(({ of }) => of?.campaign === campaign.name);
  for (const stage of stages) {
    const found = mine.find(({ of }) => of?.stage === stage?.name);
    if (found === undefined || stage === undefined) continue;
    const { number, url, branch, headSha, checks } = found.pull;
    // The SCM is read less often than git: an open run of the stage is its merge.
    const state = views.some(({ run }) => run.stage === stage.name) ? "merged" : found.pull.state;
    return { stage: stage.name, number, url, branch, state, headSha, ...dropAbsent({ checks }) };
  }
  return undefined;
}

function nameState(
  { runs, views, others, snapshot }: CampaignContext,
  stops: readonly StopStatus[],
  stage: Stage | undefined,
): CampaignStatus["state"] {
  const isFailed = stops.some(
    (stop) => findNamed("run", stop.scope) !== undefined && (isRunGuardStop(stop) || stop.cause === "rollback"),
  );
  if (isFailed) return "Failed";
  if (views.length > 0 || others.length > 0) return "InProgress";
  // A commit of main that is not recorded yet may start the last stage's run.
  if (stage === undefined && snapshot.main.points.length === 0) return "Completed";
  return runs.length > 0 || stage === undefined ? "InProgress" : "Idle";
}

/** The workloads that an undo of the run would move. */
function measureRollback({ head }: CampaignContext, counts: CampaignStatus["counts"], run: RunRecord) {
  const moved = run.outcome?.migrated ?? counts.migrated + counts.migrating;
  const { batchSize } = settingsOf(head, run).rollbackBatch;
  return { moved, batchSize };
}

/** The present results of the newest open run's gates. */
function readLiveGates({ snapshot, head, views }: CampaignContext): ReadonlyMap<string, GateReading> {
  const view = views.at(-1);
  return view === undefined || snapshot.ledger === undefined
    ? new Map()
    : evaluateGates(snapshot, snapshot.ledger, head, view);
}

function describeCampaign(context: CampaignContext, decisions: readonly Decision[]): CampaignStatus {
  const { snapshot, head, campaign, runs, views, others } = context;
  const { at, next } = findStages(context);
  const run = views.at(-1)?.run;
  const [counts, stops, pull] = [countWorkloads(views), listStops(context), findPull(context, [next, at])];
  // Stops by a run's failures or gates do not hold its rollback.
  const returning: readonly string[] = views
    .filter((each) => isRolledBack(each, snapshot))
    .map((each) => `run/${each.run.id}`);
  const waiting = listCampaignWaits({
    snapshot,
    name: campaign.name,
    views,
    others,
    decisions,
    verdict: context.verdict,
    pull,
    stops: stops.filter((stop) => !(isRunGuardStop(stop) && returning.includes(stop.scope))),
  });
  const settings = chooseSettings(head, run, at);
  const bake = run === undefined ? undefined : describeBake(run, settings, snapshot);
  const rollback = describeRollback(views, snapshot, head);
  const calendar = rollback === undefined ? describeCalendar([settings, head.settings], snapshot.now) : undefined;
  const outlook: Outlook = {
    snapshot,
    head,
    campaign,
    run,
    stage: at,
    next: run === undefined ? at : next,
    counts,
    bake,
    ...dropAbsent({ vms: findVmTurns(views, snapshot, head) }),
    rollback,
    pull,
    waiting,
    stops,
  };
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "CampaignStatus",
    name: campaign.name,
    at: printTime(snapshot.now),
    target: campaign.target,
    replaces: campaign.replaces,
    owners: campaign.owners,
    state: nameState(context, stops, at),
    ...dropAbsent({
      stage: nameStage(campaign, at),
      nextStage: nameStage(campaign, next),
      startedAt: findStart(runs),
      bake,
      calendar,
      rollback,
      pull,
    }),
    stages: describeStages({
      snapshot,
      head,
      campaign,
      runs,
      views,
      others,
      stops,
      next: outlook.next,
      starts: listStarts({ campaign, next: outlook.next, settings: head.settings, now: snapshot.now, bake }),
      pull,
    }),
    runs: views.map((view) => view.run.id),
    where: describeWhere(campaign, at, head, context.evaluation),
    rollouts: views.flatMap((view) => describeRollouts(view, head, snapshot)),
    waiting,
    next: listComing(outlook).map(renderComing),
    stop: renderPause({ code: "Campaign", campaign: campaign.name, migrating: counts.migrating }),
    undo: describeUndo(runs, rollback, (last) => measureRollback(context, counts, last)),
    counts,
    gates: at === undefined ? [] : describeGates(at, run, readLiveGates(context)),
    failures: describeBudget(context.failures, views, head, snapshot),
    skipped: describeSkipped(context.skipped, context.views),
    leftOut: describeLeftOut(campaign, snapshot.now),
    stops,
  };
}

/** Every unfinished campaign at one instant, by name, from the snapshot that was decided on. */
export function describeCampaigns(
  snapshot: Snapshot,
  head: Spec,
  evaluation: Evaluation,
  decisions: readonly Decision[],
  fleet: LeftOfFleet,
): readonly CampaignStatus[] {
  const campaigns = [...head.campaigns.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const verdicts = campaigns.length === 0 ? [] : judgeStages(snapshot, head, evaluation);
  return campaigns.map((campaign) => {
    const runs = listCampaignRuns(snapshot.ledger, campaign.name);
    const views = evaluation.views.filter(({ run }) => run.campaign === campaign.name && run.converge === undefined);
    const others = listOpenOnBuckets(snapshot.ledger, campaign);
    const verdict = verdicts.find((each) => each.campaign === campaign);
    const failures = fleet.failures.filter(({ item }) => item.campaign === campaign.name);
    const skipped = fleet.skipped.filter((each) => each.campaign === campaign.name);
    return describeCampaign(
      { snapshot, head, evaluation, campaign, runs, views, others, verdict, failures, skipped },
      decisions,
    );
  });
}
