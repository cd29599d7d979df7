import { nameShareScope } from "#libs/input";
import type { Finding } from "#libs/rollouts";
import type { ErrorPlace, Reason } from "#libs/wording";

import { archiveEnded, discoverNext, endRollback, judgeMain, startRun, waitForArchive } from "./transitions/index.ts";
import {
  advanceRuns,
  carryOutRequests,
  carryOutRetry,
  carryOutConverge,
  convergeByItself,
  listAwaited,
  listHeldRuns,
  nameRefusedReverts,
} from "./runs/index.ts";
import { type BatchChoice, chooseBatch } from "./moves/index.ts";
import type { Decision, LedgerDecision, LedgerState, RunRecord, Snapshot } from "./records/index.ts";
import {
  findFleetObstacle,
  findLedgerObstacle,
  stopOnFailures,
  stopOnForcedPush,
  dropJobs,
  stopOnOtherCluster,
  stopOnFailedJob,
  recordClusterStops,
  rollBackAutomatically,
  dropFailedJobs,
} from "./conditions/index.ts";
import { findRevertedRun, findRun, isSaidByMain, listRecordedStops, nameUnread } from "./stops/index.ts";
import { buildContext, type DecisionContext, pendingClasses } from "./index/index.ts";
import { followPulls } from "./proposals/index.ts";

type Wait = Extract<Decision, { readonly kind: "wait" }>;

function wait(scope: string, reason: Reason): Wait {
  return { kind: "wait", scope, reason };
}

/** The place to report: the first error, or without one the first warning. */
function findPlace(findings: readonly Finding[] = []): ErrorPlace | undefined {
  return findings.find(({ severity }) => severity === "error") ?? findings[0];
}

/** Before the baseline commits are not judged one by one, so only errors in main's head are reported. */
function findUnreadHead({ main }: Snapshot): readonly Wait[] {
  const findings = main.unreadable?.get(main.head);
  if (findings === undefined) return [];
  return [wait("all", { code: "MainUnparsable", commit: main.head, place: findPlace(findings) })];
}

/**
 * This version cannot read the commit that was judged last, as after an upgrade with a stricter parser: what newer commits
 * change is unknown, and that is reported (rules 1.7).
 */
function findUnreadable({ specs, main }: Snapshot, { judged }: LedgerState): Wait | undefined {
  if (specs.has(judged) || !main.contained) return undefined;
  const place = findPlace(main.unreadable?.get(judged));
  return wait("all", { code: "MainUnparsable", commit: judged, place, isJudged: true });
}

/** Judges new commits of main, oldest first, one transition at a time. */
function followMain(snapshot: Snapshot, ledger: LedgerState): Decision | undefined {
  const unreadable = findUnreadable(snapshot, ledger);
  if (unreadable !== undefined) return unreadable;
  const found = discoverNext(snapshot, ledger);
  switch (found?.kind) {
    case undefined:
      return undefined;
    case "nothing":
      return judgeMain(snapshot, ledger, found.judged);
    case "run":
      return startRun(snapshot, ledger, found.run, found.judged);
    case "unparsable": {
      const { commit, findings } = found.point;
      const { sha, author } = commit;
      return wait("all", { code: "MainUnparsable", commit: sha, place: findPlace(findings), author });
    }
  }
}

/** A rollback ends when main says what it rolls back to (rules 2.4). */
function endRollbacks({ snapshot, ledger, head: spec }: DecisionContext): LedgerDecision | undefined {
  for (const stop of listRecordedStops(ledger)) {
    if (stop.revertTo === undefined) continue;
    const run = findRun(ledger, stop.scope);
    const to = snapshot.specs.get(stop.revertTo);
    if (run !== undefined && to !== undefined && isSaidByMain(ledger, run, spec, to))
      return endRollback(snapshot, ledger, stop);
  }
  return undefined;
}

const neverSeen = new WeakMap<RunRecord, Map<string, Wait>>();

/** Cached by record, because this wait is made for each unseen cluster at each reconcile. */
function nameNeverSeen(run: RunRecord, name: string): Wait {
  const waits = neverSeen.get(run) ?? new Map<string, Wait>();
  neverSeen.set(run, waits);
  const said = waits.get(name) ?? nameCluster(run, name);
  waits.set(name, said);
  return said;
}

/** `seconds` since the cluster was seen; absent = never by this planner. */
function nameCluster(run: RunRecord, cluster: string, seconds?: number): Wait {
  const hinders = { kind: "run", run: run.id } as const;
  return wait(nameShareScope(run.id, cluster), { code: "ClusterUnreachable", cluster, seconds, hinders });
}

/** A wait for each cluster of an open run that is not seen: a run is never done without it (rules 3.4). */
function nameUnseen(context: DecisionContext): readonly Decision[] {
  const { snapshot, evaluation } = context;
  return evaluation.views.flatMap((view) =>
    listAwaited(context, view).flatMap((name) => {
      const cluster = snapshot.clusters.get(name);
      if (cluster === undefined) return [nameNeverSeen(view.run, name)];
      const classes = view.clusters.get(name);
      // With work to do the cluster is named where its batch is chosen.
      const hasWork = (classes?.count(pendingClasses) ?? 0) > 0;
      if (cluster.fresh || hasWork) return [];
      return [nameCluster(view.run, name, Math.round(cluster.ageMs / 1000))];
    }),
  );
}

/** A batch for every cluster that may have one, and a wait for each other. */
function handOut(context: DecisionContext, waits: readonly Wait[], onlyRollbacks: boolean): readonly Decision[] {
  const { snapshot, evaluation } = context;
  const stops = context.stops.filter((stop) => stop.strength === "move");
  const held = listHeldRuns(context);
  // A run's wait is reported once: `waits` may have its calendar already, as the reason why a wave does not open.
  const reported = new Set(waits.map(({ scope }) => scope));
  const holding = [...held].flatMap(([run, reason]) =>
    reported.has(`run/${run}`) ? [] : [wait(`run/${run}`, reason)],
  );
  const { head } = context;
  const common = {
    now: snapshot.now,
    head,
    stops,
    views: evaluation.views,
    held,
    onlyRollbacks,
  };
  const choices = [...snapshot.clusters.values()].flatMap((cluster) => {
    const judged = evaluation.judged.get(cluster.name);
    if (judged === undefined) return [];
    return chooseBatch({ ...common, cluster, judged }).flatMap((choice) => toDecision(choice, cluster.name, reported));
  });
  return [
    ...nameUnread(head),
    ...nameRefusedReverts(context),
    ...nameUnseen(context),
    ...waits,
    ...holding,
    ...choices,
  ];
}

/** Omits a closed wave where the run's own wait says why it does not open. */
function toDecision(choice: BatchChoice, cluster: string, reported: ReadonlySet<string>): readonly Decision[] {
  switch (choice.kind) {
    case "batch":
      return [{ kind: "handOut", batch: choice.batch, reason: choice.reason }];
    case "wait": {
      const isReported = choice.reason.code === "WaveClosed" && reported.has(`run/${choice.run}`);
      return isReported ? [] : [wait(nameShareScope(choice.run, cluster), choice.reason)];
    }
    case "nothing":
      return [];
  }
}

/** Verbs and changes of main come before anything that is read from the fleet; one transition at a time. */
function decideOnPeople(snapshot: Snapshot, ledger: LedgerState): Decision | undefined {
  return (
    carryOutRequests(snapshot, ledger) ??
    recordClusterStops(snapshot, ledger) ??
    stopOnForcedPush(snapshot, ledger) ??
    followMain(snapshot, ledger) ??
    followPulls(snapshot, ledger)
  );
}

/** Verbs that need the fleet, then automatic stops and rollbacks, then waves that open and runs that end. */
function decideOnRuns(context: DecisionContext): Decision | readonly Wait[] {
  const { snapshot, ledger, evaluation } = context;
  return (
    carryOutRetry(snapshot, ledger) ??
    carryOutConverge(context) ??
    endRollbacks(context) ??
    stopOnOtherCluster(snapshot, ledger, evaluation.views) ??
    stopOnFailures(snapshot, ledger, context.head, evaluation.views) ??
    rollBackAutomatically(snapshot, ledger, context.head) ??
    stopOnFailedJob(snapshot, ledger) ??
    convergeByItself(context) ??
    advanceRuns(context)
  );
}

function decideOnWork(context: DecisionContext, waits: readonly Wait[], onlyRollbacks = false): readonly Decision[] {
  const { queueUp, queueTrouble } = context.snapshot;
  if (queueUp && queueTrouble === undefined) return handOut(context, waits, onlyRollbacks);
  return [wait("all", queueTrouble ?? { code: "QueueDown" }), ...waits];
}

/**
 * The context by main's head, or by the last files that parsed: executors then move only what a rollback in force brings back
 * (rules 1.7, 2.4).
 */
function buildNewestContext(snapshot: Snapshot, ledger: LedgerState): DecisionContext | undefined {
  const newest = buildContext(snapshot, ledger, snapshot.main.head);
  if (newest !== undefined) return newest;
  const context = buildContext(snapshot, ledger, ledger.judged);
  return context === undefined ? undefined : keepReverted(context, context.stops);
}

/** The context with only those runs that a rollback among these stops brings back at once. */
function keepReverted(context: DecisionContext, stops: DecisionContext["stops"]): DecisionContext {
  const reverted = new Set(stops.map((stop) => findRevertedRun(stop, context.ledger)?.id));
  const views = context.evaluation.views.filter(({ run }) => reverted.has(run.id));
  return { ...context, evaluation: { ...context.evaluation, views } };
}

/**
 * Main is old, so what was merged since is unknown, and only rollbacks with `--now` go on (rules 2.4, 12.1). A ledger from an
 * earlier process's clone, or with a newer commit that is not used, may list rollbacks that were ended: then only verbs that
 * are on the bus now count.
 */
function decideOnRollbacksNow(snapshot: Snapshot, ledger: LedgerState, why: Decision): readonly Decision[] {
  const context = buildNewestContext(snapshot, ledger);
  if (context === undefined || !snapshot.main.contained) return [why];
  const isRecalled = !Number.isFinite(snapshot.main.ageMs) || snapshot.ledgerDoubt !== undefined;
  const reverting = keepReverted(
    context,
    context.stops.filter(({ from }) => from === "control" || !isRecalled),
  );
  return [why, ...dropFailedJobs(snapshot, reverting.evaluation.views), ...decideOnWork(reverting, [], true)];
}

/** While main does not parse, or the ledger accepts no push, only rollbacks go on (rules 2.4, 8.2). */
function decideOnRollbacksOnly(snapshot: Snapshot, ledger: LedgerState, why: Decision): readonly Decision[] {
  const context = buildNewestContext(snapshot, ledger);
  if (context === undefined || !snapshot.main.contained) return [why];
  const dropped = [...dropJobs(snapshot, ledger), ...dropFailedJobs(snapshot, context.evaluation.views)];
  return [why, ...dropped, ...decideOnWork(context, [], true)];
}

/**
 * The planner's next decisions from one snapshot. Pure: the same snapshot gives the same result. A transition comes alone: it
 * is pushed first, and the next snapshot is judged again.
 */
export function decide(snapshot: Snapshot): readonly Decision[] {
  // 1. Is there anything to decide on?
  const obstacle = findFleetObstacle(snapshot);
  const { ledger } = snapshot;
  if (ledger === undefined) return obstacle === undefined ? [] : [wait("all", obstacle), ...findUnreadHead(snapshot)];
  if (obstacle !== undefined) return decideOnRollbacksNow(snapshot, ledger, wait("all", obstacle));
  const unpushed = findLedgerObstacle(snapshot);
  if (unpushed !== undefined) return decideOnRollbacksOnly(snapshot, ledger, wait("all", unpushed));

  // 2. Verbs and main.
  const said = decideOnPeople(snapshot, ledger);
  if (said?.kind === "wait") return decideOnRollbacksOnly(snapshot, ledger, said);
  if (said !== undefined) return [said];

  // 3. The state of every workload by main's head.
  const context = buildContext(snapshot, ledger, snapshot.main.head);
  if (context === undefined) return [];

  // 4. Runs: stopped, opened, ended. 5. Ended records leave the live part. 6. Work.
  const turned = decideOnRuns(context);
  return "kind" in turned ? [turned] : decideOnRest(context, turned);
}

function decideOnRest(context: DecisionContext, waits: readonly Wait[]): readonly Decision[] {
  const { snapshot, ledger, head } = context;
  const archived = archiveEnded(snapshot, ledger, head);
  if (archived !== undefined) return [archived];
  const rest = decideOnWork(context, [...waits, ...waitForArchive(snapshot, ledger)]);
  return [...dropJobs(snapshot, ledger), ...rest];
}
