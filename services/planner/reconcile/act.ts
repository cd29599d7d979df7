import type { KeyValue } from "#libs/bus";
import { type BatchJob, type Event, makeBatchJob, makeEvent } from "#libs/events";
import { type Ledger, LedgerUnreadable, type RecordOutcome } from "#libs/ledger";
import type { RepositorySnapshots, RepositorySnapshot } from "#libs/repository";
import {
  applyChange,
  listSubjects,
  type Decision,
  isLedgerDecision,
  type LedgerDecision,
  type LedgerState,
  type Snapshot,
} from "#libs/plan";
import { type BatchQueue, QueueUnavailable } from "#libs/queue";
import { type Clock, doEach, type Logger } from "#libs/runtime";
import { printText, renderReason, renderTransition } from "#libs/wording";

import { type SnapshotBefore, describeTransition } from "../notifications/describe-transition.ts";
import type { QueueHealth } from "../loop/queue-health.ts";
import type { LedgerHealth } from "../loop/ledger-health.ts";
import type { ReconcileDeadline } from "../loop/reconcile-deadline.ts";

export interface Effects {
  readonly ledger: Ledger;
  readonly repositorySnapshots: RepositorySnapshots;
  readonly queue: BatchQueue<BatchJob>;
  /** Publishes the events in the ledger's commits. It never rejects, so that no error in it delays work. */
  readonly publishRecorded: (snapshot: Snapshot) => Promise<void>;
  /** Publishes events that no commit of the ledger has. Returns whether the bus has all of them. */
  readonly publish: (events: readonly Event[]) => Promise<boolean>;
  readonly control: KeyValue;
  readonly health: LedgerHealth;
  /** Takes a verb that cannot be carried out from the open requests; it is answered with the reason. */
  readonly refuse: (request: string, why: string) => void;
  readonly queueHealth: QueueHealth;
  readonly deadline: Pick<ReconcileDeadline, "isDone">;
  /** Called when a push that a reconcile did not wait for has ended. */
  readonly wake: () => void;
  /** False while another planner may lead: then nothing is done. */
  readonly leads: () => boolean;
  /** Publishes which main and ledger executors must have. Returns whether the bus took it. */
  readonly seed: (view: RepositorySnapshot) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** `again`: the snapshot is out of date, by our own change or another planner's; gather again before anything else. */
export type ActOutcome = "again" | "settled";

/** Refuses the verbs that asked for a transition which cannot be recorded: else it would be decided again and again. */
function refuseUnreadable({ refuse, log }: Effects, decision: LedgerDecision, why: string): boolean {
  const requests = Object.keys(decision.change.requests ?? {});
  for (const request of requests) refuse(request, `it cannot be recorded: ${why}`);
  log.error({ requests, decision: decision.kind, why }, "a transition cannot be recorded");
  return requests.length > 0;
}

/**
 * The events that go into a transition's commit. A bug in their text does not keep it from being recorded: nothing is decided
 * on events.
 */
function describeEvents(
  { log }: Effects,
  snapshot: SnapshotBefore,
  { kind, change }: LedgerDecision,
): readonly Event[] {
  try {
    return describeTransition(snapshot, change);
  } catch (error) {
    log.error({ error, decision: kind }, "bug: people are not notified of this transition");
    return [];
  }
}

/** Pushes one transition. Undefined when git or the network failed; `health` then has the reason. */
async function push(
  effects: Effects,
  snapshot: SnapshotBefore,
  decision: LedgerDecision,
): Promise<RecordOutcome | undefined> {
  const { message, owner, code } = renderTransition(decision.reason);
  const at = new Date(snapshot.now).toISOString();
  const next = applyChange(snapshot.ledger, decision.change);
  const about = listSubjects(snapshot.ledger, decision);
  const entry = { sentence: printText(message), actor: owner, cause: code, about, at, next };
  try {
    const events = describeEvents(effects, snapshot, decision);
    const outcome = await effects.ledger.record(entry, snapshot.ledger, events);
    // Either another planner pushed first or the server refuses this branch for good: only a fetch distinguishes the two.
    if (outcome.kind === "overtaken") await effects.repositorySnapshots.refresh();
    return outcome;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof LedgerUnreadable && refuseUnreadable(effects, decision, why)) return undefined;
    effects.health.failed(why);
    effects.log.warn(
      { error, decision: decision.kind },
      "the push to the ledger failed: stops and rollbacks still work",
    );
    return undefined;
  }
}

/** Pushes one transition and adopts the new ledger. When another planner pushed first, the snapshot is out of date. */
async function recordAndAdopt(
  effects: Effects,
  snapshot: SnapshotBefore,
  decision: LedgerDecision,
): Promise<ActOutcome> {
  const outcome = await push(effects, snapshot, decision);
  if (outcome === undefined) return "again";
  if (outcome.kind === "overtaken") {
    const isRefused = effects.repositorySnapshots.view()?.ledger?.head === snapshot.ledger?.head;
    if (isRefused) effects.health.failed(`the push was refused (${outcome.why}): may this token push to it?`);
    else effects.health.worked();
    effects.log.info({ why: outcome.why, isRefused }, "the push to the ledger failed");
    return isRefused ? "again" : "settled";
  }
  effects.log.info({ decision: decision.kind, reason: renderTransition(decision.reason) }, "recorded");
  // The failure is cleared only once the next reconcile sees the new ledger: before that it would decide the same again.
  await effects.repositorySnapshots.adopt(outcome.state).finally(() => effects.health.worked());
  return "again";
}

/**
 * Begins the push of a transition. A reconcile waits for it up to its deadline; after that the push goes on in parallel with
 * the reconciles, and until it ends they decide no other transition.
 */
async function record(effects: Effects, snapshot: SnapshotBefore, decision: LedgerDecision): Promise<ActOutcome> {
  const { health, log, deadline } = effects;
  health.began(printText(renderTransition(decision.reason).message));
  const work = recordAndAdopt(effects, snapshot, decision)
    .catch((error: unknown): ActOutcome => {
      // The reconcile goes on, and its status says why nothing is recorded.
      health.failed(error instanceof Error ? error.message : String(error));
      log.error({ error }, "a transition could not be followed to its end");
      return "settled";
    })
    .finally(() => health.ended());
  if (await deadline.isDone(work)) return work;
  void work.then(effects.wake);
  return "again";
}

/** Transitions are decided only with a ledger. */
function ledgerOf({ ledger }: Snapshot): LedgerState {
  if (ledger === undefined) throw new Error("bug: a transition was decided without a ledger");
  return ledger;
}

type HandOut = Extract<Decision, { readonly kind: "handOut" }>;

/** Undefined when Redis refuses it for a reason that only a person can fix; the next reconcile reports that. */
async function putBatch(effects: Effects, { batch }: HandOut): Promise<"added" | "present" | undefined> {
  try {
    return await effects.queue.put(batch.cluster, makeBatchJob(batch));
  } catch (error) {
    if (!(error instanceof QueueUnavailable) || error.trouble.code === "QueueDown") throw error;
    effects.log.warn({ error, cluster: batch.cluster, trouble: error.trouble }, "the queue refused a batch");
    effects.queueHealth.failed(error);
    return undefined;
  }
}

async function handOut(effects: Effects, decision: HandOut): Promise<ActOutcome> {
  const { batch, reason } = decision;
  const outcome = await putBatch(effects, decision);
  if (outcome === undefined) return "again";
  if (outcome === "present") return "settled";
  const { run, cluster } = batch;
  effects.log.info({ cluster, run, reason: renderReason(reason) }, "handed out");
  const now = effects.clock.now();
  await effects.publish([makeEvent("batchHandedOut", `batch-${run}-${cluster}-${now}`, now, { run, cluster })]);
  return "settled";
}

type DropBatch = Extract<Decision, { readonly kind: "dropBatch" }>;

/** A job that a worker holds stays until the worker gives it up: tried again at the next reconcile, not in this one. */
async function dropBatch({ queue, log }: Effects, { cluster, reason }: DropBatch): Promise<ActOutcome> {
  const isGone = await queue.drop(cluster);
  log.info({ cluster, reason: renderReason(reason), isGone }, "removing the broken job");
  return isGone ? "again" : "settled";
}

/** After so many errors of Redis in a row it counts as down; fewer may be one broken queue. */
const mostFaults = 3;

/** Puts and drops jobs; an error with one cluster's queue does not affect the others. */
async function actOnQueues(effects: Effects, work: readonly (HandOut | DropBatch)[]): Promise<ActOutcome> {
  let outcome: ActOutcome = "settled";
  let faults = 0;
  const actOnOne = async (decision: HandOut | DropBatch): Promise<void> => {
    const done = await (decision.kind === "handOut" ? handOut(effects, decision) : dropBatch(effects, decision));
    if (done === "again") outcome = "again";
    faults = 0;
  };
  await doEach(work, actOnOne, {
    onFault: (decision, error) => {
      const cluster = decision.kind === "handOut" ? decision.batch.cluster : decision.cluster;
      effects.log.warn({ error, cluster, decision: decision.kind }, "the queue of one cluster could not be changed");
    },
    isDown: (error) => error instanceof QueueUnavailable && ++faults >= mostFaults,
  });
  return outcome;
}

/** Carries out decisions: a transition if there is one (it is pushed before anything else is done), else jobs. */
export async function act(effects: Effects, snapshot: Snapshot, decisions: readonly Decision[]): Promise<ActOutcome> {
  const transition = decisions.find(isLedgerDecision);
  if (transition !== undefined) return record(effects, { ...snapshot, ledger: ledgerOf(snapshot) }, transition);
  // Events of a run's start are published before its first job.
  await effects.publishRecorded(snapshot);
  return actOnQueues(
    effects,
    decisions.filter((each) => each.kind === "handOut" || each.kind === "dropBatch"),
  );
}
