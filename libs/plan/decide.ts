import type { Finding } from "#libs/spec";

import { archiveEnded } from "./archive/archive-ended.ts";
import { waitForArchive } from "./archive/wait-for-archive.ts";
import { advanceRuns, listAwaited, listHeldRuns } from "./advance-runs.ts";
import type { BatchChoice } from "./batch-choice.ts";
import { chooseBatch } from "./choose-batch.ts";
import type { Decision, LedgerDecision, Reason } from "./decision.ts";
import { discoverNext } from "./discover-runs.ts";
import type { LedgerState, RunRecord } from "./ledger-state.ts";
import { raiseFormat, waitForOlder } from "./formats/raise-format.ts";
import { carryOutAsks, carryOutRetry } from "./carry-out-asks.ts";
import {
  guardFailures,
  guardForeignJobs,
  guardForcedPush,
  guardIdentity,
  guardJobs,
  guardReturnedJobs,
} from "./guards.ts";
import { guardRecordedStops } from "./guard-recorded-stops.ts";
import { guardRollbacks } from "./guard-rollback.ts";
import { nameRefusedReverts } from "./name-refused-reverts.ts";
import { findFleetObstacle, findLedgerObstacle } from "./obstacles.ts";
import { nameForeignRecords } from "./past/name-foreign-records.ts";
import { findRevertedRun, isSaidByMain } from "./reverts.ts";
import { type Scene, setScene } from "./scene.ts";
import { followPulls } from "./stages/index.ts";
import { findRun, listRecordedStops } from "./stops.ts";
import { endRollback, judgeMain, startRun } from "./transitions.ts";
import { nameUnread } from "./unread/name-unread.ts";
import type { World } from "./world.ts";

type Wait = Extract<Decision, { readonly kind: "wait" }>;

function wait(scope: string, reason: Reason): Wait {
  return { kind: "wait", scope, reason };
}

/** Where somebody has to look: the first error, warnings aside. */
function printPlace(findings: readonly Finding[] = []): string {
  const first = findings.find(({ severity }) => severity === "error") ?? findings[0];
  return first === undefined ? "" : ` (${first.file}:${first.line}:${first.column} ${first.message})`;
}

/** Before anything is recorded nobody judges commits one by one: what is wrong with main's head is all there is to say. */
function findUnreadHead({ main }: World): readonly Wait[] {
  const findings = main.unreadable?.get(main.head);
  if (findings === undefined) return [];
  const message = `commit ${main.head.slice(0, 12)} of main does not parse${printPlace(findings)}`;
  return [wait("all", { code: "MainUnparsable", message, owner: "whoever merged last", command: "meshroll validate" })];
}

/**
 * The commit that was judged last cannot be read by this version, as after an upgrade that reads more strictly: nobody can
 * say what newer ones change, and that must not be silent (rules 1.7).
 */
function findUnreadable({ specs, main }: World, { judged }: LedgerState): Wait | undefined {
  if (specs.has(judged) || !main.contained) return undefined;
  const message =
    `commit ${judged.slice(0, 12)} of main, which was judged last, does not parse with this version of meshroll` +
    `${printPlace(main.unreadable?.get(judged))}: nothing is compared with it, and nobody moves`;
  const owner = "whoever owns the rollouts repository";
  return wait("all", { code: "MainUnparsable", message, owner, command: "meshroll validate" });
}

/** New commits of main, oldest first: one transition at a time. */
function followMain(world: World, ledger: LedgerState): Decision | undefined {
  const unreadable = findUnreadable(world, ledger);
  if (unreadable !== undefined) return unreadable;
  const found = discoverNext(world, ledger);
  switch (found?.kind) {
    case undefined:
      return undefined;
    case "nothing":
      return judgeMain(world, ledger, found.judged);
    case "run":
      return startRun(world, ledger, found.run, found.judged);
    case "unparsable": {
      const { commit, findings } = found.point;
      return wait("all", {
        code: "MainUnparsable",
        message: `commit ${commit.sha.slice(0, 12)} of main does not parse${printPlace(findings)}`,
        owner: commit.author,
        command: "meshroll validate",
      });
    }
  }
}

/** A rollback ends when main says what it goes back to (rules 2.4). */
function endRollbacks({ world, ledger, head: spec }: Scene): LedgerDecision | undefined {
  for (const stop of listRecordedStops(ledger)) {
    const run = stop.cause === "rollback" || stop.revertTo !== undefined ? findRun(ledger, stop.scope) : undefined;
    const to = world.specs.get(stop.revertTo ?? "");
    if (run !== undefined && to !== undefined && isSaidByMain(ledger, run, spec, to))
      return endRollback(world, ledger, stop);
  }
  return undefined;
}

const neverSeen = new WeakMap<RunRecord, Map<string, Wait>>();

/** Said once for a record: a look at a part of the fleet finds all others unseen. */
function nameNeverSeen(run: RunRecord, name: string): Wait {
  const waits = neverSeen.get(run) ?? new Map<string, Wait>();
  neverSeen.set(run, waits);
  const said = waits.get(name) ?? nameCluster(run, name, "was never seen by this planner");
  waits.set(name, said);
  return said;
}

function nameCluster(run: RunRecord, name: string, seen: string): Wait {
  const without = `to go on without it merge clusters.${name}.aside: true into meshroll.yml`;
  const message = `${name} ${seen}: run ${run.id} is not done before its workloads were looked at; ${without}`;
  const owner = `the executor of ${name}`;
  return wait(`run/${run.id}@${name}`, { code: "ClusterUnreachable", message, owner });
}

/** Clusters of open runs that nobody sees: a run is never done without them (rules 3.4), so each is named. */
function nameUnseen(scene: Scene): readonly Decision[] {
  const { world, survey } = scene;
  return survey.views.flatMap((view) =>
    listAwaited(scene, view).flatMap((name) => {
      const cluster = world.clusters.get(name);
      if (cluster === undefined) return [nameNeverSeen(view.run, name)];
      const classes = view.clusters.get(name);
      // One that has work to do is named where its batch is chosen.
      const hasWork = (classes?.count(["due", "back", "dueLast"]) ?? 0) > 0;
      if (cluster.fresh || hasWork) return [];
      return [nameCluster(view.run, name, `was last seen ${Math.round(cluster.ageMs / 1000)} s ago`)];
    }),
  );
}

/** Batches for every cluster that may have one; waits, named, for the rest. */
function handOut(scene: Scene, waits: readonly Wait[], onlyReturns: boolean): readonly Decision[] {
  const { world, survey } = scene;
  const stops = scene.stops.filter((stop) => stop.strength === "move");
  const held = listHeldRuns(scene);
  // What a run waits for is told once: its calendar may be known already from the wave that does not open.
  const told = new Set(waits.map(({ scope }) => scope));
  const holding = [...held].flatMap(([run, reason]) => (told.has(`run/${run}`) ? [] : [wait(`run/${run}`, reason)]));
  const { head } = scene;
  const common = { now: world.now, head, settings: head.settings, stops, views: survey.views, held, onlyReturns };
  const choices = [...world.clusters.values()].flatMap((cluster) => {
    const judged = survey.judged.get(cluster.name);
    if (judged === undefined) return [];
    return chooseBatch({ ...common, cluster, judged }).flatMap((choice) => toDecision(choice, cluster.name, told));
  });
  return [
    ...nameForeignRecords(world),
    ...nameUnread(head),
    ...nameRefusedReverts(scene),
    ...nameUnseen(scene),
    ...waits,
    ...holding,
    ...choices,
  ];
}

/** Why a wave does not open is told once for its run, not for each cluster of it. */
function toDecision(choice: BatchChoice, cluster: string, told: ReadonlySet<string>): readonly Decision[] {
  switch (choice.kind) {
    case "batch":
      return [{ kind: "handOut", batch: choice.batch, reason: choice.reason }];
    case "wait": {
      const isTold = choice.reason.code === "WaveClosed" && told.has(`run/${choice.run}`);
      return isTold ? [] : [wait(`run/${choice.run}@${cluster}`, choice.reason)];
    }
    case "nothing":
      return [];
  }
}

/** What people said and what main says, before anything that the machine sees: one transition at a time. */
function decideOnPeople(world: World, ledger: LedgerState): Decision | undefined {
  return (
    carryOutAsks(world, ledger) ??
    guardRecordedStops(world, ledger) ??
    guardForcedPush(world, ledger) ??
    followMain(world, ledger) ??
    followPulls(world, ledger)
  );
}

/** Verbs that need the fleet, our own guards, then waves that open and runs that end. */
function decideOnRuns(scene: Scene): Decision | readonly Wait[] {
  const { world, ledger, survey } = scene;
  return (
    carryOutRetry(world, ledger) ??
    endRollbacks(scene) ??
    guardIdentity(world, ledger, survey.views) ??
    guardFailures(world, ledger, scene.head, survey.views) ??
    guardRollbacks(world, ledger, scene.head) ??
    guardForeignJobs(world) ??
    guardJobs(world, ledger) ??
    advanceRuns(scene)
  );
}

function decideOnWork(scene: Scene, waits: readonly Wait[], onlyReturns = false): readonly Decision[] {
  const { queueUp, queueTrouble } = scene.world;
  if (queueUp && queueTrouble === undefined) return handOut(scene, waits, onlyReturns);
  const message = "Redis does not answer: nothing new starts";
  return [wait("all", queueTrouble ?? { code: "QueueDown", message, owner: "Redis" }), ...waits];
}

/** By the last files that parsed: executors move nobody then but for a rollback that is in force (rules 1.7, 2.4). */
function setLastScene(world: World, ledger: LedgerState): Scene | undefined {
  const scene = setScene(world, ledger, ledger.judged);
  return scene === undefined ? undefined : keepReverted(scene, scene.stops);
}

/** The same without the runs that no rollback among these stops brings back at once. */
function keepReverted(scene: Scene, stops: Scene["stops"]): Scene {
  const reverted = new Set(stops.map((stop) => findRevertedRun(stop, scene.ledger)?.id));
  const views = scene.survey.views.filter(({ run }) => reverted.has(run.id));
  return { ...scene, survey: { ...scene.survey, views } };
}

/**
 * Main is old: nothing is known of what was merged since, so only what a person asked to go back at once does (rules 2.4, 12.1).
 * Of what a clone of an earlier process recorded, or a ledger that has a newer commit nobody goes by, it is not known whether it
 * still holds: then the verb has to be on the bus now.
 */
function decideOnBrakesOnly(world: World, ledger: LedgerState, why: Decision): readonly Decision[] {
  const scene = setScene(world, ledger, world.main.head) ?? setLastScene(world, ledger);
  if (scene === undefined || !world.main.contained) return [why];
  const isRecalled = !Number.isFinite(world.main.ageMs) || world.ledgerDoubt !== undefined;
  const braked = keepReverted(
    scene,
    scene.stops.filter(({ from }) => from === "control" || !isRecalled),
  );
  const dropped = guardReturnedJobs(world, braked.survey.views);
  return dropped === undefined ? [why, ...decideOnWork(braked, [], true)] : [why, dropped];
}

/** While main does not parse, or the ledger takes no push, what goes back goes on; nothing else does (rules 2.4, 8.2). */
function decideOnReturnsOnly(world: World, ledger: LedgerState, why: Decision): readonly Decision[] {
  const scene = setScene(world, ledger, world.main.head) ?? setLastScene(world, ledger);
  if (scene === undefined || !world.main.contained) return [why];
  const dropped = guardForeignJobs(world) ?? guardReturnedJobs(world, scene.survey.views);
  return dropped === undefined ? [why, ...decideOnWork(scene, [], true)] : [why, dropped];
}

/**
 * What the planner does next, from one snapshot: pure, so that the same world gives the same answer. The first
 * transition that is due comes alone: it is pushed, and the world that it leaves behind is looked at afresh.
 */
export function decide(world: World): readonly Decision[] {
  // 1. Is there anything to decide on?
  const obstacle = findFleetObstacle(world);
  const { ledger } = world;
  if (ledger === undefined) return obstacle === undefined ? [] : [wait("all", obstacle), ...findUnreadHead(world)];
  if (obstacle !== undefined) return decideOnBrakesOnly(world, ledger, wait("all", obstacle));
  const unpushed = findLedgerObstacle(world);
  if (unpushed !== undefined) return decideOnReturnsOnly(world, ledger, wait("all", unpushed));

  // 2. People and main.
  const said = decideOnPeople(world, ledger);
  if (said?.kind === "wait") return decideOnReturnsOnly(world, ledger, said);
  if (said !== undefined) return [said];

  // 3. Where everybody stands by main's head.
  const scene = setScene(world, ledger, world.main.head);
  if (scene === undefined) return [];

  // 4. Runs: stopped, opened, ended. 5. What is over leaves the live part. 6. Work.
  const turned = decideOnRuns(scene);
  return "kind" in turned ? [turned] : decideOnRest(scene, turned);
}

function decideOnRest(scene: Scene, waits: readonly Wait[]): readonly Decision[] {
  const { world, ledger, head } = scene;
  const kept = archiveEnded(world, ledger, head) ?? raiseFormat(world, ledger);
  if (kept !== undefined) return [kept];
  return decideOnWork(scene, [...waits, ...waitForArchive(world, ledger), ...waitForOlder(world, ledger)]);
}
