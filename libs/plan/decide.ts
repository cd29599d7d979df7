import { chooseBatch } from "./choose-batch.ts";
import { type Decision, type LedgerDecision, type Reason } from "./decision.ts";
import { discoverNext } from "./discover-runs.ts";
import { type Survey, surveyFleet } from "./judge-fleet.ts";
import type { LedgerState } from "./ledger-state.ts";
import { carryOutAsks, carryOutRetry } from "./carry-out-asks.ts";
import { guardFailures, guardForcedPush, guardIdentity, guardJobs, guardRecordedStops } from "./guards.ts";
import { countLeft, type RunView } from "./run-view.ts";
import { findRevertedRun, isSaidByMain, isUnderRevert } from "./reverts.ts";
import { type ActiveStop, collectStops, findRun, listRecordedStops } from "./stops.ts";
import { endRollback, finishRun, judgeMain, openWave, startRun } from "./transitions.ts";
import type { ClusterWorld, Spec, World } from "./world.ts";

/** Git was last read too long ago: no new run, no new batch (architecture §3). */
const gitLimitMs = 10 * 60_000;

function wait(scope: string, reason: Reason): Decision {
  return { kind: "wait", scope, reason };
}

/** What stops everything before anything is looked at; undefined when nothing does. */
function findFleetObstacle(world: World): Reason | undefined {
  if (world.ledger === undefined) {
    return {
      code: "NoBaseline",
      message: "no baseline is recorded on branch meshroll/ledger: observing only",
      owner: "whoever owns the rollouts repository",
      command: "meshroll init",
    };
  }
  if (world.main.ageMs > gitLimitMs) {
    const minutes = Math.round(world.main.ageMs / 60_000);
    return { code: "GitDown", message: `main was last read ${minutes} minutes ago`, owner: "the git server" };
  }
  return undefined;
}

/** New commits of main, oldest first: one transition at a time. */
function followMain(world: World, ledger: LedgerState): Decision | undefined {
  const found = discoverNext(world, ledger);
  switch (found?.kind) {
    case undefined:
      return undefined;
    case "nothing":
      return judgeMain(world, ledger, found.judged);
    case "run":
      return startRun(world, ledger, found.run, found.judged);
    case "unparsable": {
      const first = found.point.findings[0];
      const where = first === undefined ? "" : ` (${first.file}:${first.line}:${first.column} ${first.message})`;
      return wait("all", {
        code: "MainUnparsable",
        message: `commit ${found.point.commit.sha.slice(0, 12)} of main does not parse${where}`,
        owner: found.point.commit.author,
        command: "meshroll validate",
      });
    }
  }
}

/** Everything that steps look at, once main and the ledger are known to be good. */
interface Scene {
  readonly world: World;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly survey: Survey;
  /** From all three places. */
  readonly stops: readonly ActiveStop[];
}

/** The clusters that a run waits for: all that were known when it started or joined, without those left aside (rules 3.4, 6.1). */
function listAwaited({ head }: Scene, { run }: RunView): readonly string[] {
  const names = new Set([...Object.keys(run.clusters), ...(run.expected ?? [])]);
  return [...names].filter((name) => !head.settings.asideClusters.includes(name));
}

/** A cluster that joined since the run began enters its last wave (rules 6.1). */
function findJoining({ world, head }: Scene, { run }: RunView): ClusterWorld | undefined {
  return [...world.clusters.values()].find(
    ({ fresh, name }) => fresh && run.clusters[name] === undefined && !head.settings.asideClusters.includes(name),
  );
}

/** A later run that took over a run's buckets leaves it with nobody: it is done, not empty. */
function findHeir({ ledger }: Scene, { run }: RunView): string | undefined {
  const later = Object.values(ledger.runs).filter(
    ({ order, state, buckets }) =>
      order > run.order && state !== "gone" && buckets.some((pattern) => run.buckets.includes(pattern)),
  );
  return later.toSorted((a, b) => b.order - a.order)[0]?.id;
}

/** Without the files of both its commits nobody can say whose workloads are a run's: it is not judged as over. */
function isReadable({ world: { specs } }: Scene, { run }: RunView): boolean {
  return specs.has(run.before) && specs.has(run.commit);
}

/** Nothing is left of it, by everything that it must be judged by: what it says then, else undefined (rules 3.2). */
function endRun(scene: Scene, view: RunView): LedgerDecision | undefined {
  const { world, ledger, head } = scene;
  const isSeen = listAwaited(scene, view).every((name) => world.clusters.get(name)?.fresh === true);
  if (!isSeen || !isReadable(scene, view) || Object.keys(view.run.clusters).length === 0) return undefined;
  const { left, total } = countLeft(view);
  if (left > 0) return undefined;
  const takenOverBy = total === 0 ? findHeir(scene, view) : undefined;
  const state = total === 0 && takenOverBy === undefined ? "empty" : "done";
  return finishRun(world, ledger, view, state, { left: head.settings.asideClusters, takenOverBy });
}

/** Clusters that joined enter the wave; runs that nothing is left of end. A stop never ends one (rules 3.2). */
function advanceRuns(scene: Scene): LedgerDecision | undefined {
  const { world, ledger, survey, stops } = scene;
  for (const view of survey.views) {
    if (view.run.state !== "open" || isUnderRevert(view.run, stops, ledger)) continue;
    const joining = findJoining(scene, view);
    const turned = joining === undefined ? endRun(scene, view) : openWave(world, ledger, view.run, joining);
    if (turned !== undefined) return turned;
  }
  return undefined;
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

/** Clusters of open runs that nobody sees: a run is never done without them (rules 3.4), so each is named. */
function nameUnseen(scene: Scene): readonly Decision[] {
  const { world, survey } = scene;
  return survey.views.flatMap((view) =>
    listAwaited(scene, view).flatMap((name) => {
      const cluster = world.clusters.get(name);
      const classes = view.clusters.get(name);
      // One that has work to do is named where its batch is chosen.
      const hasWork = (classes?.count(["due", "back", "dueLast"]) ?? 0) > 0;
      if (cluster?.fresh === true || (cluster !== undefined && hasWork)) return [];
      const seen =
        cluster === undefined
          ? "was never seen by this planner"
          : `was last seen ${Math.round(cluster.ageMs / 1000)} s ago`;
      const without = `to go on without it merge clusters.${name}.aside: true into meshroll.yml`;
      const message = `${name} ${seen}: run ${view.run.id} is not done before its workloads were looked at; ${without}`;
      const owner = `the executor of ${name}`;
      return [wait(`run/${view.run.id}@${name}`, { code: "ClusterUnreachable", message, owner })];
    }),
  );
}

/** Batches for every cluster that may have one; waits, named, for the rest. */
function handOut(scene: Scene, onlyReturns: boolean): readonly Decision[] {
  const { world, survey } = scene;
  const stops = scene.stops.filter((stop) => stop.strength === "move");
  const decisions: Decision[] = [...nameUnseen(scene)];
  for (const cluster of world.clusters.values()) {
    const judged = survey.judged.get(cluster.name);
    if (judged === undefined) continue;
    const choices = chooseBatch({
      now: world.now,
      cluster,
      settings: scene.head.settings,
      stops,
      views: survey.views,
      judged,
      onlyReturns,
    });
    for (const choice of choices) {
      if (choice.kind === "batch") decisions.push({ kind: "handOut", batch: choice.batch, reason: choice.reason });
      if (choice.kind === "wait") decisions.push(wait(`run/${choice.run}@${cluster.name}`, choice.reason));
    }
  }
  return decisions;
}

/** What people said and what main says, before anything that the machine sees: one transition at a time. */
function decideOnPeople(world: World, ledger: LedgerState): Decision | undefined {
  return (
    carryOutAsks(world, ledger) ??
    guardRecordedStops(world, ledger) ??
    guardForcedPush(world, ledger) ??
    followMain(world, ledger)
  );
}

/** Verbs that need the fleet, our own guards, then waves that open and runs that end. */
function decideOnRuns(scene: Scene): Decision | undefined {
  const { world, ledger, survey } = scene;
  return (
    carryOutRetry(world, ledger) ??
    endRollbacks(scene) ??
    guardIdentity(world, ledger, survey.views) ??
    guardFailures(world, ledger, scene.head, survey.views) ??
    guardJobs(world, ledger) ??
    advanceRuns(scene)
  );
}

function decideOnWork(scene: Scene, onlyReturns = false): readonly Decision[] {
  if (scene.world.queueUp) return handOut(scene, onlyReturns);
  return [wait("all", { code: "QueueDown", message: "Redis does not answer: nothing new starts", owner: "Redis" })];
}

/** Where everybody stands by the newest files that parse; undefined while none were read. */
function setScene(world: World, ledger: LedgerState, commit: string): Scene | undefined {
  const spec = world.specs.get(commit);
  if (spec === undefined) return undefined;
  const stops = collectStops(ledger, world.asks, world.clusters.values());
  return { world, ledger, head: spec, survey: surveyFleet(world, spec), stops };
}

/** By the last files that parsed: executors move nobody then but for a rollback that is in force (rules 1.7, 2.4). */
function setLastScene(world: World, ledger: LedgerState): Scene | undefined {
  const scene = setScene(world, ledger, ledger.judged);
  if (scene === undefined) return undefined;
  const reverted = new Set(scene.stops.map((stop) => findRevertedRun(stop, ledger)?.id));
  const views = scene.survey.views.filter(({ run }) => reverted.has(run.id));
  return { ...scene, survey: { ...scene.survey, views } };
}

/** While main does not parse, or the ledger takes no push, what goes back goes on; nothing else does (rules 2.4, 8.2). */
function decideOnReturnsOnly(world: World, ledger: LedgerState, why: Decision): readonly Decision[] {
  const scene = setScene(world, ledger, world.main.head) ?? setLastScene(world, ledger);
  const isRewritten = !world.main.contained;
  return scene === undefined || isRewritten ? [why] : [why, ...decideOnWork(scene, true)];
}

/**
 * What the planner does next, from one snapshot: pure, so that the same world gives the same answer. The first
 * transition that is due comes alone: it is pushed, and the world that it leaves behind is looked at afresh.
 */
export function decide(world: World): readonly Decision[] {
  // 1. Is there anything to decide on?
  const obstacle = findFleetObstacle(world);
  const { ledger } = world;
  if (obstacle !== undefined) return [wait("all", obstacle)];
  if (ledger === undefined) return [];
  if (world.ledgerDown !== undefined) {
    const message = `branch meshroll/ledger takes no push: ${world.ledgerDown}`;
    const owner = "whoever owns the rollouts repository";
    return decideOnReturnsOnly(world, ledger, wait("all", { code: "LedgerDown", message, owner }));
  }

  // 2. People and main.
  const said = decideOnPeople(world, ledger);
  if (said?.kind === "wait") return decideOnReturnsOnly(world, ledger, said);
  if (said !== undefined) return [said];

  // 3. Where everybody stands by main's head.
  const scene = setScene(world, ledger, world.main.head);
  if (scene === undefined) return [];

  // 4. Runs: stopped, opened, ended. 5. Work.
  const turned = decideOnRuns(scene);
  return turned === undefined ? decideOnWork(scene) : [turned];
}
