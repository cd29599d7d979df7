import { lookUp } from "#libs/input";
import type { BatchSettings, Settings } from "#libs/campaign";
import {
  type FailedMark,
  judgeArrival,
  type Namespace,
  parseMarks,
  type ReadMarks,
  renderFailedMark,
  renderRunMark,
  type RunMark,
  istioKeys,
  markKeys,
  type Workload,
} from "#libs/fleet";
import {
  findStandingWrite,
  type ObjectChange,
  planMove,
  planUndo,
  type Planned,
  resolveTarget,
  type StandingWrite,
} from "#libs/injection";

import {
  isOverdue,
  noteProgress,
  type LookTimes,
  type Progress,
  type ProgressMemory,
  readElapsed,
} from "./care/progress.ts";
import { printTime } from "./iso-time.ts";
import { isConfirmed } from "./permit/confirmed.ts";
import type { ExecutorWorld } from "./permit/facts.ts";
import { settingsOver } from "./run-settings.ts";
import { chooseReadinessTimeout } from "./sail-annotations.ts";
import type { WorkloadStanding } from "./standing.ts";
import { describeSubject } from "./batch-choice.ts";
import { coversSubject } from "./stops.ts";

/** One write that looks after something of ours that moves, failed, or is not demanded any more. */
export interface Care {
  readonly kind: "fail" | "retry" | "undoTry" | "takeBack" | "finishUndo";
  readonly standing: WorkloadStanding;
  /** The run that wrote it. */
  readonly run: string;
  readonly reason: string;
  /** The previous template goes back with this write. */
  readonly reverts: boolean;
  readonly write: { readonly object: "namespace" | "workload"; readonly change: ObjectChange };
}

export interface CareInput extends LookTimes {
  readonly world: ExecutorWorld;
  /** `meshroll.yml`; a stage's own go before them. */
  readonly settings: Settings;
}

function readMarks(annotations: Readonly<Record<string, string>>): ReadMarks | undefined {
  const marks = parseMarks(annotations);
  return marks.kind === "read" ? marks : undefined;
}

/** What its run moves by (rules 1.4). */
function settingsFor(each: WorkloadStanding, { world, settings }: CareInput): Settings {
  return settingsOver(world.head, each.run, settings);
}

/** A return moves by `rollback.batch` (rules 2.3). */
function chooseBatchSettings(each: WorkloadStanding, input: CareInput): BatchSettings {
  const { batch, rollbackBatch } = settingsFor(each, input);
  return each.returnSince === undefined ? batch : rollbackBatch;
}

/** Why a moving workload has failed, if it has. */
function findFailure(each: WorkloadStanding, input: CareInput, progress: Progress | undefined): string | undefined {
  const target = resolveTarget(input.world.cluster.facts, each.desired);
  const quietMs = progress === undefined ? 0 : input.monotonic - progress.quietSince;
  const arrival = judgeArrival(each.workload, target, { quietMs });
  if (arrival.kind === "wrong") return arrival.reason;
  const readinessTimeout = chooseReadinessTimeout(each, chooseBatchSettings(each, input).readinessTimeout);
  const isStuck = progress !== undefined && readElapsed(input) - progress.bestAt >= readinessTimeout;
  const { serverNow } = input.world.cluster;
  const isTooLate = isStuck || isOverdue(each, { ...input, serverNow }, readinessTimeout);
  return isTooLate && arrival.kind === "moving" ? "ReadinessTimeout" : undefined;
}

function toCare(
  kind: Care["kind"],
  standing: WorkloadStanding,
  object: "namespace" | "workload",
  planned: Planned,
  reason: string,
): readonly Care[] {
  if (planned.kind !== "write") return [];
  const run =
    readMarks(standing.workload.annotations)?.run?.run ??
    readMarks(standing.inventory.namespace.annotations)?.run?.run ??
    "";
  const { change } = planned;
  const reverts = change.template !== undefined || change.labels !== undefined;
  return [{ kind, standing, run, reason, reverts, write: { object, change } }];
}

/** Only the mark: `onWorkloadFailure: leave` keeps the new template for its owner to look at; a return is never reverted. */
function planMarkOnly({ workload, run, desired, returnSince }: WorkloadStanding, text: string): Planned {
  const { resourceVersion, annotations } = workload;
  const isOwn = returnSince === undefined || run === undefined || readMarks(annotations)?.run?.run === run.id;
  // What a return waited for was another run's undo: the mark is this run's, or it would not bind it (rules 2.3).
  const mark = isOwn
    ? {}
    : {
        [markKeys.run]: renderRunMark({ run: run.id, target: desired, attempt: 1, unhealthyBefore: false }),
        ...(annotations[markKeys.previous] === undefined ? {} : { [markKeys.previous]: null }),
      };
  return { kind: "write", change: { resourceVersion, annotations: { [markKeys.failed]: text, ...mark } } };
}

/** One more try is a move like any other: only by a main that git confirms, and under no stop (rules 4.3). */
function mayTryAgain(each: WorkloadStanding, world: ExecutorWorld): boolean {
  const { stops, head } = world;
  const subject = describeSubject(each, each.run?.id ?? "");
  return head !== undefined && isConfirmed(world) && !stops.some((stop) => coversSubject(stop, subject));
}

/** A move of this very run that has tries left in its turn; another run's undo is not tried again by this one. */
function hasTriesLeft(each: WorkloadStanding, run: RunMark | undefined, input: CareInput): run is RunMark {
  if (run === undefined || (each.returnSince !== undefined && run.run !== each.run?.id)) return false;
  return run.attempt < chooseBatchSettings(each, input).maxAttempts;
}

/** A failed move: tried again while its turn has tries left, else marked and undone in one patch (rules 4.6). */
function planFailure(each: WorkloadStanding, reason: string, input: CareInput): readonly Care[] {
  const run = readMarks(each.workload.annotations)?.run;
  if (run?.unhealthyBefore === true && each.returnSince === undefined) {
    return toCare("undoTry", each, "workload", planUndo(each.workload, undefined), `UnhealthyBefore: ${reason}`);
  }
  if (hasTriesLeft(each, run, input) && mayTryAgain(each, input.world)) {
    const order = { run: run.run, target: each.desired, attempt: run.attempt + 1 };
    return toCare("retry", each, "workload", planMove(each.workload, each.site, order), reason);
  }
  return planMark(each, { revision: each.desired, reason, at: printTime(input.now) }, input);
}

/** The mark, on what fails as one: the namespace where its label decides, else the workload. */
function planMark(each: WorkloadStanding, failure: FailedMark, input: CareInput): readonly Care[] {
  const isReturn = each.returnSince !== undefined;
  const text = renderFailedMark(failure);
  if (each.site.kind === "namespace" && !isReturn) {
    const planned = planUndo(each.inventory.namespace, failure);
    return toCare("fail", each, "namespace", planned, `${failure.reason} of ${each.key}`);
  }
  const isLeft = isReturn || settingsFor(each, input).onWorkloadFailure === "leave";
  const planned = isLeft ? planMarkOnly(each, text) : planUndo(each.workload, failure);
  return toCare("fail", each, "workload", planned, failure.reason);
}

/**
 * Taking back needs a main that parses, that git confirms, and no stop that covers everything here (rules 4.4). And a ledger that
 * judged this very main: else the run that moves it, and what it is put back to, is only not recorded yet.
 */
function mayTakeBack(world: ExecutorWorld): boolean {
  const { stops, head, ledger } = world;
  const isJudged = head !== undefined && ledger?.judged === head.commit;
  return isJudged && isConfirmed(world) && !stops.some((stop) => stop.scope === "all" || stop.id === "kubectl");
}

/** Undoing an old move would lead to a revision that nobody asks for: only a write that hides the desired one is late. */
function hidesDesired({ previous }: StandingWrite, desired: string): boolean {
  const before = previous.template?.labels?.[istioKeys.revision] ?? previous.labels?.[istioKeys.revision];
  return before === undefined || before === null || before === desired;
}

/** Head does not demand this write of ours, and this process knows its run: else it fetches first. */
function isLate(object: Workload | Namespace, each: WorkloadStanding, { ledger, stops }: ExecutorWorld): boolean {
  const write = findStandingWrite(object);
  if (write === undefined || write.run.target === each.desired) return false;
  // What a rollback put back, and a person lifted, goes forward again: under the stops that hold what goes forward.
  const subject = describeSubject(each, write.run.run);
  if (write.previous.restored === true && stops.some((stop) => coversSubject(stop, subject))) return false;
  return lookUp(ledger?.runs, write.run.run) !== undefined && hidesDesired(write, each.desired);
}

/**
 * Pinned, opted out, paused, without a budget: what differs there is drift, and not ours to mend by a restart. A rollout
 * that has no new pod yet looks like its owner's; where all of our write stands, it is ours.
 */
function isWritable({ standing }: WorkloadStanding): boolean {
  return standing.kind === "due" || (standing.kind === "blocked" && standing.by === "ownerRollout");
}

/**
 * A write of ours that head does not demand and no run will move: a late patch of an executor that was away. A namespace's
 * label goes back before what was restarted for it, else that would be injected with the late revision again.
 */
function planTakeBack(each: WorkloadStanding, world: ExecutorWorld): readonly Care[] {
  if (each.run !== undefined || !isWritable(each) || !mayTakeBack(world)) return [];
  if (world.unguarded?.has("take-back") === true) return [];
  const { workload, inventory, desired } = each;
  const object = isLate(inventory.namespace, each, world) ? inventory.namespace : workload;
  if (!isLate(object, each, world)) return [];
  const reason = `main asks for ${desired}, not for ${findStandingWrite(object)?.run.target}`;
  return toCare("takeBack", each, object === workload ? "workload" : "namespace", planUndo(object, undefined), reason);
}

/** A marked namespace whose restarted workloads still carry our token: whoever looks next finishes (rules 4.6). */
function planNamespaceUndo(each: WorkloadStanding): readonly Care[] {
  const failed = readMarks(each.inventory.namespace.annotations)?.failed;
  const write = findStandingWrite(each.workload);
  if (failed === undefined || write?.run.target !== failed.revision || each.standing.kind !== "aside") return [];
  return toCare(
    "finishUndo",
    each,
    "workload",
    planUndo(each.workload, undefined),
    `its namespace failed: ${failed.reason}`,
  );
}

/** Failures do not wait; finished undoes and late writes restart what serves, so they go `batchSize` at a time. */
function limitUndoes(cares: readonly Care[], input: CareInput): readonly Care[] {
  // A namespace's label restarts nobody, and what it would give to new pods must not wait for others.
  const isLimited = ({ kind, write }: Care): boolean =>
    kind === "finishUndo" || (kind === "takeBack" && write.object === "workload");
  // What is about to be undone does not count against itself.
  const waiting = new Set(cares.filter(isLimited).map((care) => care.standing.key));
  const undone = [...input.world.judged.list("rolling")].filter(
    (each) => each.standing.kind !== "moving" && !waiting.has(each.key),
  ).length;
  let room = input.settings.batch.batchSize - undone;
  return cares.filter((care) => !isLimited(care) || room-- > 0);
}

/** A namespace is marked once, however many of its workloads failed at the same look. */
function markNamespaceOnce(cares: readonly Care[]): readonly Care[] {
  const marked = new Set<string>();
  return cares.filter((care) => {
    if (care.write.object !== "namespace") return true;
    const { namespace } = care.standing.workload;
    return !marked.has(namespace) && marked.add(namespace);
  });
}

/** What has to be written now so that nothing of ours is left behind; each write is decided on what stands there now. */
export function planCare(input: CareInput, memory: ProgressMemory): readonly Care[] {
  noteProgress(memory, input.world, input);
  // Nothing of ours stands on anybody else.
  const ours = [...input.world.judged.list("rolling", "touched")];
  const cares = ours.flatMap((each) => {
    if (each.standing.kind === "moving") {
      const failure = findFailure(each, input, memory.get(each.key));
      return failure === undefined ? [] : planFailure(each, failure, input);
    }
    return [...planNamespaceUndo(each), ...planTakeBack(each, input.world)];
  });
  return limitUndoes(markNamespaceOnce(cares), input);
}
