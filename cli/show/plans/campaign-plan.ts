import { lookUp } from "#libs/input";
import { type Campaign, findExclusion, findStart, planRamp, type Stage, type Start } from "#libs/campaign";
import {
  applyShares,
  type ClusterSnapshot,
  countListed,
  countClusters,
  estimateStage,
  type Move,
  type Proposal,
  proposeMoves,
  type Spec,
  willRestart,
} from "#libs/plan";
import { type Finding, findBucket, findWeight, type ShareChange } from "#libs/rollouts";
import { explainClosed, renderWorkloadReason, writeText, printRisk } from "#libs/wording";

import type { CampaignPlan, Leftover, PlannedBucket, Waiting } from "./campaign-plan-form.ts";
import type { ChosenStage } from "../../options/choose-stage.ts";
import { isPin } from "../../files/pin-forms.ts";

/** All that a plan is made from. `now` is epoch ms of the clock that judges calendars. */
export interface PlanQuestion {
  /** Main after the merge of the stages before this one. */
  readonly spec: Spec;
  readonly campaign: Campaign;
  readonly chosen: ChosenStage;
  readonly clusters: ReadonlyMap<string, ClusterSnapshot>;
  readonly now: number;
}

function printIso(time: number): string {
  return new Date(time).toISOString();
}

/** Excluded namespaces do not move although the file sends them to the target: their workloads are skipped (rules 1.5). */
function leaveOut(moves: readonly Move[], campaign: Campaign, now: number): readonly Move[] {
  return moves.map((move) => {
    const exclusion = findExclusion(campaign.exclude, move.namespace, now);
    if (exclusion === undefined) return move;
    const until = exclusion.until === undefined ? {} : { until: printIso(exclusion.until) };
    const { code: _, ...skipped } = renderWorkloadReason({ code: "Excluded", why: exclusion.reason, ...until });
    return { ...move, workloads: move.workloads.map((each) => ({ ...each, skipped })) };
  });
}

function listMigrating({ workloads }: Move): Move["workloads"] {
  return workloads.filter(willRestart);
}

/** Only clusters in which something restarts. */
function countRestarts(moves: readonly Move[]): Proposal["clusters"] {
  return countClusters(moves.map((move) => ({ ...move, workloads: listMigrating(move) })));
}

function findExcluded(moves: readonly Move[], { campaign, now }: PlanQuestion): Pick<PlannedBucket, "excluded"> {
  const found = moves.flatMap(({ namespace }) => findExclusion(campaign.exclude, namespace, now) ?? []);
  if (found.length === 0) return {};
  const ends = found.flatMap(({ until }) => until ?? []);
  const until = ends.length < found.length ? {} : { until: printIso(Math.max(...ends)) };
  return { excluded: { namespaces: found.length, ...until } };
}

function planBucket(
  question: PlanQuestion,
  after: Spec,
  moves: readonly Move[],
  counts: Proposal["buckets"][number],
): PlannedBucket {
  const { spec, campaign } = question;
  const own = moves.filter(({ bucket }) => bucket === counts.bucket);
  const migrating = own.flatMap(listMigrating);
  const target = counts.revisions.find(({ revision }) => revision === campaign.target);
  const [from = 0, to = 0] = [spec, after].map(({ rollouts }) =>
    findWeight(findBucket(rollouts, counts.bucket), campaign.target),
  );
  return {
    bucket: counts.bucket,
    namespaces: counts.namespaces,
    requested: { from, to },
    now: target?.before ?? 0,
    after: target?.after ?? 0,
    runs: counts.running.find(({ revision }) => revision === campaign.target)?.namespaces ?? 0,
    moves: counts.moves,
    back: counts.back,
    workloads: migrating.length,
    pods: migrating.reduce((sum, { pods }) => sum + pods, 0),
    ...findExcluded(own, question),
  };
}

function listWaiting(moves: readonly Move[]): readonly Waiting[] {
  const all = moves.flatMap(({ workloads }) => workloads).filter(({ isMigrated }) => !isMigrated);
  const skipped = all.flatMap(({ cluster, workload, skipped: why }) =>
    why === undefined ? [] : [{ cluster, workload, kind: "skipped" as const, why }],
  );
  const risky = all.filter((each) => each.skipped === undefined);
  const risks = risky.flatMap(({ cluster, workload, risks: found }) =>
    found.map((risk) => ({ cluster, workload, kind: "risk" as const, why: { message: writeText(printRisk(risk)) } })),
  );
  return [...skipped, ...risks];
}

/** The spec after these stages; one that cannot be applied is left out here and refused where it is planned. */
function applyStages(spec: Spec, campaign: Campaign, stages: readonly Stage[]): Spec {
  return stages.reduce((before, stage) => {
    const ramp = planRamp(campaign, stage, before.rollouts);
    return ramp.ok ? applyShares(before, ramp.changes) : before;
  }, spec);
}

/** The spec at the campaign's end: in each bucket the target gets what it replaces. */
function applyFully(spec: Spec, { target, replaces }: Campaign): Spec {
  const changes = spec.rollouts.buckets.map(({ pattern, shares }) => {
    const given = shares.filter(({ revision, weight }) => weight > 0 && replaces.includes(revision));
    const weight = given.reduce(
      (sum, share) => sum + share.weight,
      findWeight(findBucket(spec.rollouts, pattern), target),
    );
    const zeros = given.map(({ revision }) => ({ revision, weight: 0 }));
    return { pattern, shares: weight === 0 ? [] : [...zeros, { revision: target, weight }] };
  });
  return applyShares(spec, changes);
}

function explainLeftover(campaign: Campaign, end: Spec, namespace: string, pattern: string): string {
  const bucket = end.rollouts.buckets.find((each) => each.pattern === pattern);
  if (bucket !== undefined && isPin(bucket, namespace)) return "its own entry pins it";
  const isSet = campaign.stages.some(({ set }) => lookUp(set, pattern) !== undefined);
  const most = findWeight(findBucket(end.rollouts, pattern), campaign.target);
  return isSet ? `the last stage that sets ${pattern} gives ${most} %` : `no stage sets ${pattern}`;
}

function listLeftover(question: PlanQuestion): readonly Leftover[] {
  const { campaign, clusters, now } = question;
  const end = applyStages(question.spec, campaign, campaign.stages);
  const { moves } = proposeMoves(end, applyFully(end, campaign), clusters.values(), now);
  return moves.map(({ namespace, from }) => {
    const { pattern } = end.resolver.resolve(namespace).bucket;
    return { namespace, bucket: pattern, revision: from, why: explainLeftover(campaign, end, namespace, pattern) };
  });
}

function printStart({ at, cause, until }: Start): CampaignPlan["start"] {
  return {
    ...(at === undefined ? {} : { at: printIso(at) }),
    ...(cause === undefined ? {} : { why: explainClosed(cause) }),
    ...(until === undefined ? {} : { until: printIso(until) }),
  };
}

/** Rules 1.6: a stage that moves nothing is an error, with a fix at its place in the campaign's file. */
function describeEmpty(campaign: Campaign, { line, name }: Stage, finding: Finding): Finding {
  if (finding.code !== "MR1106") return finding;
  const message = `stage ${name} moves no namespace: no managed namespace changes revision`;
  const help = "raise its percentage until plan shows a move, or remove the stage";
  return { ...finding, file: campaign.file, line, column: 1, message, help };
}

/** The change of one stage, on top of those before it; or why it cannot be made. */
export type StageStep =
  | { readonly ok: true; readonly base: Spec; readonly changes: readonly ShareChange[]; readonly after: Spec }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** The spec before and after one stage; the stages before it count as merged. */
export function planStep(spec: Spec, campaign: Campaign, { stage, before }: ChosenStage): StageStep {
  const earlier = campaign.stages.filter(({ name }) => before.includes(name));
  const base = applyStages(spec, campaign, earlier);
  const ramp = planRamp(campaign, stage, base.rollouts);
  return ramp.ok ? { ok: true, base, changes: ramp.changes, after: applyShares(base, ramp.changes) } : ramp;
}

/** Later stages that would move nothing: a warning now, an error when their turn comes (rules 1.6). */
export function findEmptyLater({ campaign, chosen, clusters, now }: PlanQuestion, after: Spec): readonly Finding[] {
  let spec = after;
  return campaign.stages.slice(campaign.stages.indexOf(chosen.stage) + 1).flatMap((stage) => {
    const step = planStep(spec, campaign, { stage, before: [] });
    if (!step.ok) return step.findings;
    const { findings } = proposeMoves(spec, step.after, clusters.values(), now);
    spec = step.after;
    return findings
      .filter(({ code }) => code === "MR1106")
      .map((finding) => ({ ...describeEmpty(campaign, stage, finding), severity: "warning" as const }));
  });
}

/** The effect of a stage on this fleet. Changes nothing. */
export function planCampaign(question: PlanQuestion, changes: readonly ShareChange[], after: Spec): CampaignPlan {
  const { spec, campaign, chosen, clusters, now } = question;
  const { stage, before } = chosen;
  const { approvals, autoMerge } = stage.settings;
  const proposal = proposeMoves(spec, after, clusters.values(), now);
  const moves = leaveOut(proposal.moves, campaign, now);
  const estimate = estimateStage(campaign, stage, countRestarts(moves));
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "CampaignPlan",
    campaign: campaign.name,
    target: campaign.target,
    stage: {
      name: stage.name,
      index: campaign.stages.findIndex(({ line }) => line === stage.line) + 1,
      of: campaign.stages.length,
    },
    before,
    commit: spec.commit,
    changes,
    buckets: proposal.buckets.map((counts) => planBucket(question, after, moves, counts)),
    clusters: estimate.clusters.map(({ ms, ...each }) => ({ ...each, aboutMs: ms })),
    namespaces: proposal.namespaces,
    counts: countListed(moves),
    moves,
    fewestPossible: proposal.fewestPossible,
    aboutMs: estimate.totalMs,
    ...(stage.settings.strategy === "OnDeploy" && {
      onDeploy: { deadlineMs: stage.settings.deadline, latestMs: estimate.latestMs },
    }),
    approvals,
    ...(autoMerge === undefined ? {} : { autoMerge: { noticeMs: autoMerge.notice } }),
    start: printStart(findStart([stage.settings, spec.settings], now)),
    blocked: listWaiting(moves),
    leftover: listLeftover(question),
    findings: [
      ...proposal.findings.map((finding) => describeEmpty(campaign, stage, finding)),
      ...proposal.idlePatterns,
    ],
  };
}
