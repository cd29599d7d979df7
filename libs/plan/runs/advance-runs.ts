import type { Campaign, GateMoment } from "#libs/campaign";
import type { Reason } from "#libs/wording";

import {
  countHealthy,
  findCalendarStop,
  findRevisionObstacle,
  findNoEvidence,
  findVersionObstacle,
  hasWorkIn,
  isBaked,
  planBakeStep,
  planWave,
  type WaveStep,
} from "../conditions/index.ts";
import {
  type ClusterSnapshot,
  type Decision,
  type LedgerDecision,
  printTime,
  type RunRecord,
  type Spec,
} from "../records/index.ts";
import { passGates } from "../gates/index.ts";
import {
  type ActiveStop,
  coversSubject,
  findRevertOver,
  findRunGuardStop,
  listRecordedStops,
  listUnreadStops,
  nameStop,
} from "../stops/index.ts";
import { explainUnreadCommit, findCampaign, isPureRollback, listMainRuns, settingsOf } from "../main/index.ts";
import { countClasses, countLeft, type DecisionContext, hasBegun, type RunView } from "../index/index.ts";
import { restartBake } from "./restart-bake.ts";
import { closeWave, finishRun, openWave, reopenWave, saveBake } from "./run-transitions.ts";

/** The next transition of a run, or the wait that holds it; undefined when there is neither. */
type Wait = Extract<Decision, { readonly kind: "wait" }>;
type Step = LedgerDecision | Wait | undefined;

function waitFor({ run }: RunView, reason: Reason): Step {
  return { kind: "wait", scope: `run/${run.id}`, reason };
}

/** Cached by record, because each reconcile asks several times. */
const awaited = new WeakMap<RunRecord, { readonly head: Spec; readonly names: readonly string[] }>();

/** The clusters that a run waits for: all that were known when it started or joined, without excluded ones (rules 3.4, 6.1). */
export function listAwaited({ head }: DecisionContext, { run }: RunView): readonly string[] {
  const known = awaited.get(run);
  if (known?.head === head) return known.names;
  const all = new Set([...Object.keys(run.clusters), ...(run.expected ?? [])]);
  const names = [...all].filter((name) => !head.settings.excludedClusters.includes(name));
  awaited.set(run, { head, names });
  return names;
}

/**
 * The clusters in which the run may open waves: those that it waits for, and clusters that joined since, which enter the last
 * wave (rules 6.1).
 */
function listOpenable(context: DecisionContext, view: RunView): readonly string[] {
  // A converging run has only the clusters that it named when it began.
  if (view.run.converge !== undefined) return listAwaited(context, view);
  const seen = [...context.snapshot.clusters.values()].filter(({ fresh }) => fresh).map(({ name }) => name);
  const joined = seen.filter((name) => !context.head.settings.excludedClusters.includes(name));
  return [...new Set([...listAwaited(context, view), ...joined])];
}

/** The newest later run that changes one of the run's buckets. A run that it left without a workload is done, not empty. */
function findSuccessor({ ledger }: DecisionContext, { run }: RunView): string | undefined {
  return listMainRuns(ledger).findLast(
    ({ order, buckets }) => order > run.order && buckets.some((pattern) => run.buckets.includes(pattern)),
  )?.id;
}

/** Why it is unknown whether something is left of a run. Clusters that are not seen have waits of their own. */
function findUnknown(context: DecisionContext, view: RunView): Reason | undefined {
  const { run } = view;
  // Without the files of both its commits it is unknown which workloads belong to the run, so it must not end.
  const unread = explainUnreadCommit(context.snapshot, [run.before, run.commit], { kind: "run", run: run.id });
  if (unread !== undefined || listAwaited(context, view).length > 0) return unread;
  return { code: "NoCluster", run: run.id };
}

/** All that the run is judged by is known, and nothing is left of it (rules 3.2). */
function hasNothingLeft(context: DecisionContext, view: RunView): boolean {
  const awaited = listAwaited(context, view);
  const isSeen = awaited.every((name) => context.snapshot.clusters.get(name)?.fresh === true);
  return isSeen && countLeft(view).left === 0 && findUnknown(context, view) === undefined;
}

/** Whether the run moves a workload forward. A pure rollback has no waves, bakes or gates (rules 2.3). */
function isForward({ run }: RunView): boolean {
  return !isPureRollback(run);
}

/** The next save of the bake, or the wait for it (rules 6.2); undefined once it is baked. */
function advanceBake(context: DecisionContext, view: RunView): Step {
  const { snapshot, ledger, head } = context;
  const { run } = view;
  const settings = settingsOf(head, run);
  if (isBaked(run, settings)) return undefined;
  const watch = snapshot.bakes?.get(run.id);
  const healthyMs = Math.min(settings.bake, Math.round(countHealthy(run.bake, watch)));
  const step = planBakeStep(run, settings, watch);
  if (step !== undefined) return saveBake(snapshot, ledger, run, step, { neededMs: settings.bake, healthyMs, watch });
  if (watch?.paused !== undefined) return waitFor(view, watch.paused);
  const leftMs = settings.bake - healthyMs;
  const until = printTime(snapshot.now + leftMs);
  return waitFor(view, { code: "Baking", leftMs, neededMs: settings.bake, until });
}

function askGates({ snapshot, ledger, head }: DecisionContext, view: RunView, moment: GateMoment): Step {
  const answer = passGates(snapshot, ledger, head, view, moment);
  if (answer.kind === "record") return answer.decision;
  return answer.kind === "wait" ? waitFor(view, answer.reason) : undefined;
}

/**
 * A stage that its failures or a gate stopped is not proven: a person has to end the stop or roll the stage back (rules 3.3,
 * 6.3).
 */
function findOwnStop({ ledger }: DecisionContext, { run }: RunView): Reason | undefined {
  const stop = findRunGuardStop(listRecordedStops(ledger), run.id);
  return stop === undefined || run.campaign === undefined ? undefined : nameStop(stop);
}

/** A forward run waits while its campaign's file has errors, because its bake and gates are unknown. */
function findUnread({ head }: DecisionContext, view: RunView): Reason | undefined {
  const own = `campaign/${view.run.campaign ?? ""}`;
  const stop = isForward(view) ? listUnreadStops(head).find(({ scope }) => scope === own) : undefined;
  return stop === undefined ? undefined : nameStop(stop);
}

/** Whether a workload belongs to the run itself, not only ones that an earlier run of its campaign left over. */
function hasOwn(view: RunView): boolean {
  if (countClasses(view, ["migrated", "idle"]) > 0) return true;
  return [...view.clusters.values()].some((classes) => {
    for (const { isLeftover } of classes.list(["skipped"])) if (isLeftover !== true) return true;
    return false;
  });
}

/** The next step of the run's bake and gates; undefined when all passed, or when there is nothing to measure. */
function prove(context: DecisionContext, view: RunView): Step {
  if (!isForward(view)) return undefined;
  const lacking = findNoEvidence(context.head, view);
  if (lacking !== undefined) return waitFor(view, lacking);
  // With all workloads skipped there is none to bake or to measure.
  if (countClasses(view, ["migrated", "idle"]) === 0) return undefined;
  // A converging run needs no bake: the run that brought what main says had one.
  const bake = view.run.converge === undefined ? advanceBake(context, view) : undefined;
  return bake ?? askGates(context, view, "after");
}

/** Ends a run with nothing left: a forward run after its bake and gates (rules 3.2). */
function endRun(context: DecisionContext, view: RunView): Step {
  const { snapshot, ledger, head } = context;
  const isEmpty = !hasOwn(view);
  const takenOverBy = isEmpty ? findSuccessor(context, view) : undefined;
  const left = head.settings.excludedClusters;
  // An empty run ends at once, without a bake (rules 1.6), and so does one that a later run took over.
  if (isEmpty)
    return finishRun(snapshot, ledger, view, takenOverBy === undefined ? "empty" : "done", { left, takenOverBy });
  const stopped = findOwnStop(context, view) ?? findUnread(context, view);
  if (stopped !== undefined) return waitFor(view, stopped);
  const proof = prove(context, view);
  return proof ?? finishRun(snapshot, ledger, view, "done", { left, takenOverBy });
}

/** Ends the run once nothing is left of it. Where that is unknown, it waits. */
function endWhenOver(context: DecisionContext, view: RunView): Step {
  if (hasNothingLeft(context, view)) return endRun(context, view);
  const unknown = countLeft(view).left === 0 ? findUnknown(context, view) : undefined;
  return unknown === undefined ? undefined : waitFor(view, unknown);
}

/** Why the next wave of a campaign's forward run may not open: a stop, its calendar, its control planes, or a gate. */
function findWaveObstacle(context: DecisionContext, view: RunView, opening: readonly ClusterSnapshot[]): Step {
  const { snapshot, head, stops } = context;
  const { run } = view;
  const campaign = findCampaign(head, run);
  const isAtWork = opening.some(({ name }) => hasWorkIn(view, name));
  if (campaign === undefined || !isForward(view) || !isAtWork) return undefined;
  const subject = { cluster: "", run: run.id, campaign: run.campaign, namespace: "", bucket: "" };
  const stop = stops.find((each) => each.strength === "move" && coversSubject(each, subject));
  if (stop !== undefined) return waitFor(view, nameStop(stop));
  const closed = findCalendarStop(head, view, snapshot.now);
  if (closed !== undefined) return waitFor(view, closed);
  const obstacle = findPlaneObstacle(campaign, view, opening);
  if (obstacle !== undefined) return waitFor(view, obstacle);
  return hasBegun(view) ? undefined : askGates(context, view, "before");
}

/** The target is missing, not ready, or above `maxVersion` in one of the clusters with work (rules 4.5). */
function findPlaneObstacle(campaign: Campaign, view: RunView, opening: readonly ClusterSnapshot[]): Reason | undefined {
  for (const cluster of opening) {
    const reason = findRevisionObstacle(cluster.facts, campaign.target) ?? findVersionObstacle(campaign, cluster);
    if (reason !== undefined && hasWorkIn(view, cluster.name)) return reason;
  }
  return undefined;
}

/** Opens and closes waves in the order of the run's campaign. */
function moveWaves(context: DecisionContext, view: RunView): Step {
  const { snapshot, ledger, head } = context;
  const { run } = view;
  const order = isForward(view) ? findCampaign(head, run)?.clusters : undefined;
  const question = {
    now: snapshot.now,
    view,
    awaited: listOpenable(context, view),
    clusters: snapshot.clusters,
    order,
  };
  const step: WaveStep = planWave(question);
  switch (step.kind) {
    case "nothing":
      return undefined;
    case "wait":
      return waitFor(view, step.reason);
    case "close":
      return closeWave(snapshot, ledger, run, step.clusters);
    case "reopen":
      return reopenWave(snapshot, ledger, run, step.clusters);
    case "open":
      return findWaveObstacle(context, view, step.clusters) ?? openWave(snapshot, ledger, run, step.clusters);
  }
}

/**
 * Whether gates measure the run: it has begun to move workloads forward, and some belong to it. A run without a workload proves
 * nothing, and no gate holds it open.
 */
function isMeasured(context: DecisionContext, view: RunView): boolean {
  return hasBegun(view) && isForward(view) && (!hasNothingLeft(context, view) || hasOwn(view));
}

function isTransition(step: Step): step is LedgerDecision {
  return step !== undefined && step.kind !== "wait";
}

/**
 * A rollback with `--now` may keep this run's namespaces where they are. The run that is rolled back itself has waits of its
 * own.
 */
function waitForRevert(view: RunView, { scope, who }: ActiveStop): Step {
  const { id } = view.run;
  if (scope === `run/${id}`) return undefined;
  return waitFor(view, { code: "RollbackInForce", run: id, scope, who });
}

/** The next step of one open run: its waves, its gates, its end. A stop never ends a run (rules 3.2). */
function advanceRun(context: DecisionContext, view: RunView): Step {
  if (view.run.state !== "open") return undefined;
  const revert = findRevertOver(view.run, context.stops, context.ledger);
  if (revert !== undefined) return waitForRevert(view, revert);
  const restart = restartBake(context.snapshot, context.ledger, view);
  if (restart !== undefined) return restart;
  const wave = moveWaves(context, view);
  if (isTransition(wave)) return wave;
  const gate = isMeasured(context, view) ? askGates(context, view, "during") : undefined;
  // A gate is recorded also while a wave waits, which may take a night, so that a failure stops the run when it is measured.
  if (isTransition(gate)) return gate;
  return wave ?? gate ?? endWhenOver(context, view);
}

/** The next steps of all open runs: the first transition alone, else all waits. */
export function advanceRuns(context: DecisionContext): LedgerDecision | readonly Wait[] {
  const waits: Wait[] = [];
  for (const view of context.evaluation.views) {
    const step = advanceRun(context, view);
    if (step === undefined) continue;
    if (step.kind !== "wait") return step;
    waits.push(step);
  }
  return waits;
}

/** Runs whose forward moves wait whatever is due, for their calendar or for a gate with an unknown result. */
export function listHeldRuns(context: DecisionContext): ReadonlyMap<string, Reason> {
  const held = new Map<string, Reason>();
  for (const view of context.evaluation.views) {
    if (countClasses(view, ["pending", "pendingLast"]) === 0 || !isForward(view)) continue;
    const gate = view.run.state === "open" && hasBegun(view) ? askGates(context, view, "during") : undefined;
    const why =
      findCalendarStop(context.head, view, context.snapshot.now) ?? (gate?.kind === "wait" ? gate.reason : undefined);
    if (why !== undefined) held.set(view.run.id, why);
  }
  return held;
}
