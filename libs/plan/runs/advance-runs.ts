import type { Campaign, GateMoment } from "#libs/campaign";
import type { Reason } from "#libs/wording";

import {
  countHealthy,
  findCalendarStop,
  findRevisionObstacle,
  findNoEvidence,
  findVersionObstacle,
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
  isProof,
  isUnderRevert,
  listRecordedStops,
  listUnreadStops,
  nameStop,
} from "../stops/index.ts";
import { explainUnreadCommit, findCampaign, listForwardBuckets, settingsOf } from "../main/index.ts";
import { countClasses, countLeft, type DecisionContext, hasBegun, leftClasses, type RunView } from "../index/index.ts";
import { restartBake } from "./restart-bake.ts";
import { closeWave, finishRun, openWave, reopenWave, saveBake } from "./run-transitions.ts";

/** A transition, or the wait that keeps a run from one; undefined when the run wants neither. */
type Wait = Extract<Decision, { readonly kind: "wait" }>;
type Step = LedgerDecision | Wait | undefined;

function waitFor({ run }: RunView, reason: Reason): Step {
  return { kind: "wait", scope: `run/${run.id}`, reason };
}

/** A record never changes: each reconcile asks several times. */
const awaited = new WeakMap<RunRecord, { readonly head: Spec; readonly names: readonly string[] }>();

/** The clusters that a run waits for: all that were known when it started or joined, without those skipped (rules 3.4, 6.1). */
export function listAwaited({ head }: DecisionContext, { run }: RunView): readonly string[] {
  const known = awaited.get(run);
  if (known?.head === head) return known.names;
  const all = new Set([...Object.keys(run.clusters), ...(run.expected ?? [])]);
  const names = [...all].filter((name) => !head.settings.excludedClusters.includes(name));
  awaited.set(run, { head, names });
  return names;
}

/** The same, and clusters that joined since: they enter the last wave (rules 6.1). */
function listTaking(context: DecisionContext, view: RunView): readonly string[] {
  // What converges was named when it began.
  if (view.run.converge !== undefined) return listAwaited(context, view);
  const seen = [...context.snapshot.clusters.values()].filter(({ fresh }) => fresh).map(({ name }) => name);
  const joined = seen.filter((name) => !context.head.settings.excludedClusters.includes(name));
  return [...new Set([...listAwaited(context, view), ...joined])];
}

/** A later run that took over a run's buckets leaves it without a workload: it is done, not empty. */
function findSuccessor({ ledger }: DecisionContext, { run }: RunView): string | undefined {
  const later = Object.values(ledger.runs).filter(
    ({ order, state, buckets, converge }) =>
      order > run.order &&
      state !== "gone" &&
      converge === undefined &&
      buckets.some((pattern) => run.buckets.includes(pattern)),
  );
  return later.toSorted((a, b) => b.order - a.order)[0]?.id;
}

/** Why it is unknown whether something is left of a run; clusters that are not seen have waits of their own. */
function findBlindness(context: DecisionContext, view: RunView): Reason | undefined {
  const { run } = view;
  // Without the files of both its commits it is unknown which workloads are a run's: it is not judged as over.
  const unread = explainUnreadCommit(context.snapshot, [run.before, run.commit], { kind: "run", run: run.id });
  if (unread !== undefined || listAwaited(context, view).length > 0) return unread;
  return { code: "NoCluster", run: run.id };
}

/** Everything that the run must be judged by is seen, and nothing is left of it (rules 3.2). */
function hasNothingLeft(context: DecisionContext, view: RunView): boolean {
  const awaited = listAwaited(context, view);
  const isSeen = awaited.every((name) => context.snapshot.clusters.get(name)?.fresh === true);
  return isSeen && countLeft(view).left === 0 && findBlindness(context, view) === undefined;
}

/** Moves a workload forward: a rollback alone has no waves, bakes or gates (rules 2.3). */
function isForward({ run }: RunView): boolean {
  return run.changes.length === 0 || listForwardBuckets(run).length > 0;
}

/** Bakes on: saved now, or waited for (rules 6.2); undefined once it is baked. */
function bakeOn(context: DecisionContext, view: RunView): Step {
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

/** A stage that its failures or a gate stopped is not proven: a person ends that, or it is rolled back (rules 3.3, 6.3). */
function findOwnStop({ ledger }: DecisionContext, { run }: RunView): Reason | undefined {
  const stop = listRecordedStops(ledger).find((each) => each.scope === `run/${run.id}` && isProof(each));
  return stop === undefined || run.campaign === undefined ? undefined : nameStop(stop);
}

/** By what it would be proven is not known while its campaign's file has errors. */
function findUnread({ head }: DecisionContext, view: RunView): Reason | undefined {
  const own = `campaign/${view.run.campaign ?? ""}`;
  const stop = isForward(view) ? listUnreadStops(head).find(({ scope }) => scope === own) : undefined;
  return stop === undefined ? undefined : nameStop(stop);
}

/** A workload belongs to it besides those that an earlier run of its campaign left over. */
function hasOwn(view: RunView): boolean {
  if (countClasses(view, ["migrated", "idle"]) > 0) return true;
  return [...view.clusters.values()].some((classes) => {
    for (const { isLeftover } of classes.list(["skipped"])) if (isLeftover !== true) return true;
    return false;
  });
}

/** What is still to be seen of what it moved; undefined once all was. */
function prove(context: DecisionContext, view: RunView): Step {
  if (!isForward(view)) return undefined;
  const lacking = findNoEvidence(context.head, view);
  if (lacking !== undefined) return waitFor(view, lacking);
  // Where every workload was skipped there is none to see healthy.
  if (countClasses(view, ["migrated", "idle"]) === 0) return undefined;
  // The run that brought what main says had its bake: to bring a workload back there needs none of its own.
  const bake = view.run.converge === undefined ? bakeOn(context, view) : undefined;
  return bake ?? askGates(context, view, "after");
}

/** Nothing is left of it: proven where it moved a workload forward, then over (rules 3.2). */
function endRun(context: DecisionContext, view: RunView): Step {
  const { snapshot, ledger, head } = context;
  const isEmpty = !hasOwn(view);
  const takenOverBy = isEmpty ? findSuccessor(context, view) : undefined;
  const left = head.settings.excludedClusters;
  // An empty run is done at once, without a bake (rules 1.6), and so is one that another took over.
  if (isEmpty)
    return finishRun(snapshot, ledger, view, takenOverBy === undefined ? "empty" : "done", { left, takenOverBy });
  const stopped = findOwnStop(context, view) ?? findUnread(context, view);
  if (stopped !== undefined) return waitFor(view, stopped);
  const proof = prove(context, view);
  return proof ?? finishRun(snapshot, ledger, view, "done", { left, takenOverBy });
}

/** It ends once nothing is left of it, and where it is unknown whether something is, that is a wait. */
function endWhenOver(context: DecisionContext, view: RunView): Step {
  if (hasNothingLeft(context, view)) return endRun(context, view);
  const blindness = countLeft(view).left === 0 ? findBlindness(context, view) : undefined;
  return blindness === undefined ? undefined : waitFor(view, blindness);
}

/** What keeps the next wave of a campaign's run shut: a stop, its calendar, a gate, or a control plane that is not as it should be. */
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

/** The target is not there, not well, or above `maxVersion` in one of the clusters that would move (rules 4.5). */
function findPlaneObstacle(campaign: Campaign, view: RunView, opening: readonly ClusterSnapshot[]): Reason | undefined {
  for (const cluster of opening) {
    const reason = findRevisionObstacle(cluster.facts, campaign.target) ?? findVersionObstacle(campaign, cluster);
    if (reason !== undefined && hasWorkIn(view, cluster.name)) return reason;
  }
  return undefined;
}

function hasWorkIn({ clusters }: RunView, name: string): boolean {
  return (clusters.get(name)?.count(leftClasses) ?? 0) > 0;
}

/** Waves that open and end, in the order of the run's campaign. */
function moveWaves(context: DecisionContext, view: RunView): Step {
  const { snapshot, ledger, head } = context;
  const { run } = view;
  const order = isForward(view) ? findCampaign(head, run)?.clusters : undefined;
  const question = { now: snapshot.now, view, awaited: listTaking(context, view), clusters: snapshot.clusters, order };
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

/** It moves a workload forward, or did: a run without a workload proves nothing, and no gate keeps it open. */
function isMeasured(context: DecisionContext, view: RunView): boolean {
  return hasBegun(view) && isForward(view) && (!hasNothingLeft(context, view) || hasOwn(view));
}

function isTransition(step: Step): step is LedgerDecision {
  return step !== undefined && step.kind !== "wait";
}

/** A rollback at once keeps it where it is; of the run that is rolled back itself its own waits tell. */
function waitForRevert(view: RunView, { scope, who }: ActiveStop): Step {
  const { id } = view.run;
  if (scope === `run/${id}`) return undefined;
  return waitFor(view, { code: "RollbackInForce", run: id, scope, who });
}

/** What one open run wants now: its waves, its gates, its end. A stop never ends one (rules 3.2). */
function advanceRun(context: DecisionContext, view: RunView): Step {
  if (view.run.state !== "open") return undefined;
  const revert = findRevertOver(view.run, context.stops, context.ledger);
  if (revert !== undefined) return waitForRevert(view, revert);
  const restart = restartBake(context.snapshot, context.ledger, view);
  if (restart !== undefined) return restart;
  const wave = moveWaves(context, view);
  if (isTransition(wave)) return wave;
  const gate = isMeasured(context, view) ? askGates(context, view, "during") : undefined;
  // What is measured while a wave waits, for hours or a night, stops the run then, and not when the wave would open.
  if (isTransition(gate)) return gate;
  return wave ?? gate ?? endWhenOver(context, view);
}

/** What each open run wants: the first transition comes alone, else everything that they wait for. */
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

/** Forward moves of these runs wait, whatever is due: for their calendar, or for a gate of unknown value. */
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

/** Runs of which nothing is left, and whose bake goes on: what the planner watches between two reconciles. */
export function listBaking(context: DecisionContext): readonly RunView[] {
  return context.evaluation.views.filter((view) => {
    const { run } = view;
    const isOpen = run.state === "open" && run.bake !== undefined && !isUnderRevert(run, context.stops, context.ledger);
    return isOpen && !isBaked(run, settingsOf(context.head, run)) && countLeft(view).left === 0;
  });
}
