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
import { buildContext, type DecisionContext } from "./index/index.ts";
import { followPulls } from "./proposals/index.ts";

type Wait = Extract<Decision, { readonly kind: "wait" }>;

function wait(scope: string, reason: Reason): Wait {
  return { kind: "wait", scope, reason };
}

/** The place to look at: the first error, warnings skipped. */
function findPlace(findings: readonly Finding[] = []): ErrorPlace | undefined {
  return findings.find(({ severity }) => severity === "error") ?? findings[0];
}

/** Before anything is recorded commits are not judged one by one: what is wrong with main's head is all there is to say. */
function findUnreadHead({ main }: Snapshot): readonly Wait[] {
  const findings = main.unreadable?.get(main.head);
  if (findings === undefined) return [];
  return [wait("all", { code: "MainUnparsable", commit: main.head, place: findPlace(findings) })];
}

/**
 * The commit that was judged last cannot be read by this version, as after an upgrade that reads more strictly: no one can
 * say what newer ones change, and that must not be silent (rules 1.7).
 */
function findUnreadable({ specs, main }: Snapshot, { judged }: LedgerState): Wait | undefined {
  if (specs.has(judged) || !main.contained) return undefined;
  const place = findPlace(main.unreadable?.get(judged));
  return wait("all", { code: "MainUnparsable", commit: judged, place, isJudged: true });
}

/** New commits of main, oldest first: one transition at a time. */
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
    const run = stop.cause === "rollback" || stop.revertTo !== undefined ? findRun(ledger, stop.scope) : undefined;
    const to = snapshot.specs.get(stop.revertTo ?? "");
    if (run !== undefined && to !== undefined && isSaidByMain(ledger, run, spec, to))
      return endRollback(snapshot, ledger, stop);
  }
  return undefined;
}

const neverSeen = new WeakMap<RunRecord, Map<string, Wait>>();

/** Said once for a record: a look at a part of the fleet finds all others unseen. */
function nameNeverSeen(run: RunRecord, name: string): Wait {
  const waits = neverSeen.get(run) ?? new Map<string, Wait>();
  neverSeen.set(run, waits);
  const said = waits.get(name) ?? nameCluster(run, name);
  waits.set(name, said);
  return said;
}

/** `seconds` since it was seen; absent = never by this planner. */
function nameCluster(run: RunRecord, cluster: string, seconds?: number): Wait {
  const hinders = { kind: "run", run: run.id } as const;
  return wait(nameShareScope(run.id, cluster), { code: "ClusterUnreachable", cluster, seconds, hinders });
}

/** Clusters of open runs that are not seen: a run is never done without them (rules 3.4), so each is named. */
function nameUnseen(context: DecisionContext): readonly Decision[] {
  const { snapshot, evaluation } = context;
  return evaluation.views.flatMap((view) =>
    listAwaited(context, view).flatMap((name) => {
      const cluster = snapshot.clusters.get(name);
      if (cluster === undefined) return [nameNeverSeen(view.run, name)];
      const classes = view.clusters.get(name);
      // One that has work to do is named where its batch is chosen.
      const hasWork = (classes?.count(["pending", "rollback", "pendingLast"]) ?? 0) > 0;
      if (cluster.fresh || hasWork) return [];
      return [nameCluster(view.run, name, Math.round(cluster.ageMs / 1000))];
    }),
  );
}

/** Batches for every cluster that may have one; waits, named, for the rest. */
function handOut(context: DecisionContext, waits: readonly Wait[], onlyRollbacks: boolean): readonly Decision[] {
  const { snapshot, evaluation } = context;
  const stops = context.stops.filter((stop) => stop.strength === "move");
  const held = listHeldRuns(context);
  // What a run waits for is reported once: its calendar may be known already from the wave that does not open.
  const told = new Set(waits.map(({ scope }) => scope));
  const holding = [...held].flatMap(([run, reason]) => (told.has(`run/${run}`) ? [] : [wait(`run/${run}`, reason)]));
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
    return chooseBatch({ ...common, cluster, judged }).flatMap((choice) => toDecision(choice, cluster.name, told));
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

/** Why a wave does not open is reported once for its run, not for each cluster of it. */
function toDecision(choice: BatchChoice, cluster: string, told: ReadonlySet<string>): readonly Decision[] {
  switch (choice.kind) {
    case "batch":
      return [{ kind: "handOut", batch: choice.batch, reason: choice.reason }];
    case "wait": {
      const isTold = choice.reason.code === "WaveClosed" && told.has(`run/${choice.run}`);
      return isTold ? [] : [wait(nameShareScope(choice.run, cluster), choice.reason)];
    }
    case "nothing":
      return [];
  }
}

/** What people said and what main says, before anything that the machine sees: one transition at a time. */
function decideOnPeople(snapshot: Snapshot, ledger: LedgerState): Decision | undefined {
  return (
    carryOutRequests(snapshot, ledger) ??
    recordClusterStops(snapshot, ledger) ??
    stopOnForcedPush(snapshot, ledger) ??
    followMain(snapshot, ledger) ??
    followPulls(snapshot, ledger)
  );
}

/** Verbs that need the fleet, our own guards, then waves that open and runs that end. */
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

/** By the last files that parsed: executors move nothing then but for a rollback that is in force (rules 1.7, 2.4). */
function buildLastContext(snapshot: Snapshot, ledger: LedgerState): DecisionContext | undefined {
  const context = buildContext(snapshot, ledger, ledger.judged);
  return context === undefined ? undefined : keepReverted(context, context.stops);
}

/** The same without the runs that no rollback among these stops brings back at once. */
function keepReverted(context: DecisionContext, stops: DecisionContext["stops"]): DecisionContext {
  const reverted = new Set(stops.map((stop) => findRevertedRun(stop, context.ledger)?.id));
  const views = context.evaluation.views.filter(({ run }) => reverted.has(run.id));
  return { ...context, evaluation: { ...context.evaluation, views } };
}

/**
 * Main is old: nothing is known of what was merged since, so only what a person asked to roll back at once does (rules 2.4, 12.1).
 * Of what a clone of an earlier process recorded, or a ledger that has a newer commit which is not used, it is unknown whether it
 * still holds: then the verb has to be on the bus now.
 */
function decideOnBrakesOnly(snapshot: Snapshot, ledger: LedgerState, why: Decision): readonly Decision[] {
  const context = buildContext(snapshot, ledger, snapshot.main.head) ?? buildLastContext(snapshot, ledger);
  if (context === undefined || !snapshot.main.contained) return [why];
  const isRecalled = !Number.isFinite(snapshot.main.ageMs) || snapshot.ledgerDoubt !== undefined;
  const braked = keepReverted(
    context,
    context.stops.filter(({ from }) => from === "control" || !isRecalled),
  );
  return [why, ...dropFailedJobs(snapshot, braked.evaluation.views), ...decideOnWork(braked, [], true)];
}

/** While main does not parse, or the ledger takes no push, rollbacks go on; nothing else does (rules 2.4, 8.2). */
function decideOnRollbacksOnly(snapshot: Snapshot, ledger: LedgerState, why: Decision): readonly Decision[] {
  const context = buildContext(snapshot, ledger, snapshot.main.head) ?? buildLastContext(snapshot, ledger);
  if (context === undefined || !snapshot.main.contained) return [why];
  const dropped = [...dropJobs(snapshot, ledger), ...dropFailedJobs(snapshot, context.evaluation.views)];
  return [why, ...dropped, ...decideOnWork(context, [], true)];
}

/**
 * What the planner does next, from one snapshot: pure, so that the same snapshot gives the same answer. The first
 * transition that is due comes alone: it is pushed, and the snapshot that it leaves behind is looked at afresh.
 */
export function decide(snapshot: Snapshot): readonly Decision[] {
  // 1. Is there anything to decide on?
  const obstacle = findFleetObstacle(snapshot);
  const { ledger } = snapshot;
  if (ledger === undefined) return obstacle === undefined ? [] : [wait("all", obstacle), ...findUnreadHead(snapshot)];
  if (obstacle !== undefined) return decideOnBrakesOnly(snapshot, ledger, wait("all", obstacle));
  const unpushed = findLedgerObstacle(snapshot);
  if (unpushed !== undefined) return decideOnRollbacksOnly(snapshot, ledger, wait("all", unpushed));

  // 2. People and main.
  const said = decideOnPeople(snapshot, ledger);
  if (said?.kind === "wait") return decideOnRollbacksOnly(snapshot, ledger, said);
  if (said !== undefined) return [said];

  // 3. The state of every workload by main's head.
  const context = buildContext(snapshot, ledger, snapshot.main.head);
  if (context === undefined) return [];

  // 4. Runs: stopped, opened, ended. 5. What is over leaves the live part. 6. Work.
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
