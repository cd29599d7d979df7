import type { Bus, KeyValue } from "#libs/bus";
import { type BatchJob, type EventName, type EventData, makeBatchJob, makeEvent, nameSubject } from "#libs/events";
import type { Ledger } from "#libs/ledger";
import type { Mainline, MainlineView } from "#libs/mainline";
import {
  type Decision,
  isLedgerDecision,
  type LedgerDecision,
  nameWorkload,
  type RunRecord,
  type World,
} from "#libs/plan";
import type { BatchQueue } from "#libs/queue";
import type { Clock, Logger } from "#libs/runtime";

export interface Effects {
  readonly ledger: Ledger;
  readonly mainline: Mainline;
  readonly queue: BatchQueue<BatchJob>;
  readonly bus: Bus;
  readonly control: KeyValue;
  /** Tells executors which main and ledger to have. */
  readonly seed: (view: MainlineView) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** `again`: the world changed by our own hand (or somebody was first), so look at it before anything else. */
export type ActOutcome = "again" | "settled";

/** Tells the bus; a bus that is down costs the message, never the work: nothing is decided on it. */
async function tell<K extends EventName>(effects: Effects, name: K, id: string, data: EventData<K>): Promise<void> {
  const event = makeEvent(name, id, effects.clock.now(), data);
  try {
    await effects.bus.publish(nameSubject(event), id, JSON.stringify(event));
  } catch (error) {
    effects.log.warn({ error, event: event.type }, "the bus did not take a message");
  }
}

async function tellEnd(effects: Effects, { id, state, outcome }: RunRecord): Promise<void> {
  if (state === "open") return;
  const counts = { arrived: outcome?.arrived ?? 0, aside: outcome?.aside.length ?? 0 };
  await tell(effects, "runDone", `run-${id}-${state}`, { run: id, state, ...counts });
}

/** Workloads in namespaces whose answer the run changes, managed or not: how big it is, for people. */
function countAsked({ specs, clusters }: World, { before, commit }: RunRecord): number {
  const [old, now] = [specs.get(before)?.resolver, specs.get(commit)?.resolver];
  let count = 0;
  for (const { namespaces } of clusters.values()) {
    for (const [name, { workloads }] of namespaces) {
      if (old?.resolve(name).revision !== now?.resolve(name).revision) count += workloads.length;
    }
  }
  return count;
}

async function tellTransition(effects: Effects, world: World, decision: LedgerDecision): Promise<void> {
  switch (decision.kind) {
    case "startRun": {
      const { id, commit, subject, author } = decision.run;
      return tell(effects, "runStarted", `run-${id}-started`, {
        run: id,
        commit,
        subject,
        author,
        workloads: countAsked(world, decision.run),
      });
    }
    case "finishRun":
      return tellEnd(effects, decision.run);
    case "placeStop": {
      const { id, scope, who, why } = decision.stop;
      return tell(effects, "stopPlaced", `stop-${id}`, { stop: id, scope, who, why });
    }
    case "liftStop": {
      const { owner, message } = decision.reason;
      return tell(effects, "stopLifted", `lift-${decision.stops.join("-")}`, {
        stops: [...decision.stops],
        who: owner,
        why: message,
      });
    }
    case "judge":
    case "openWave":
    case "answerAsk":
      return;
  }
}

/** Pushes one transition; a push that somebody else won means that the world is another one now. */
async function record(effects: Effects, world: World, decision: LedgerDecision): Promise<ActOutcome> {
  const { message, owner, code } = decision.reason;
  const entry = { sentence: message, actor: owner, cause: code, next: decision.ledger };
  const outcome = await effects.ledger.record(entry, world.ledger);
  if (outcome.kind === "overtaken") {
    effects.log.info({ why: outcome.why }, "another planner was first");
    await effects.mainline.refresh();
    // Not again at once: a push that protection refuses for good looks the same, and must not be tried without a pause.
    return "settled";
  }
  effects.log.info({ decision: decision.kind, reason: decision.reason }, "recorded");
  await effects.mainline.adopt(outcome.state);
  await tellTransition(effects, world, decision);
  return "again";
}

async function handOut(effects: Effects, decision: Extract<Decision, { readonly kind: "handOut" }>): Promise<void> {
  const { batch, reason } = decision;
  const outcome = await effects.queue.put(batch.cluster, makeBatchJob(batch));
  if (outcome === "present") return;
  effects.log.info({ cluster: batch.cluster, run: batch.run, workloads: batch.items.length, reason }, "handed out");
  const names = batch.items.map(nameWorkload);
  const id = `batch-${batch.run}-${batch.cluster}-${effects.clock.now()}`;
  await tell(effects, "batchHandedOut", id, { run: batch.run, cluster: batch.cluster, workloads: names });
}

/** Carries out what was decided, in its order: transitions first (push, then act), then jobs. */
export async function act(effects: Effects, world: World, decisions: readonly Decision[]): Promise<ActOutcome> {
  for (const decision of decisions) {
    if (isLedgerDecision(decision)) return record(effects, world, decision);
    if (decision.kind === "handOut") await handOut(effects, decision);
    if (decision.kind === "dropBatch") {
      // One that is still active stays until its worker gives it up: looked at again, not asked for without end.
      const isGone = await effects.queue.drop(decision.cluster);
      effects.log.info({ cluster: decision.cluster, reason: decision.reason, isGone }, "removing the broken job");
      return isGone ? "again" : "settled";
    }
  }
  return "settled";
}
