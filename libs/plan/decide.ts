import { chooseBatch } from "./choose-batch.ts";
import { type Decision, type LedgerDecision, type Reason } from "./decision.ts";
import { discoverNext } from "./discover-runs.ts";
import { type Survey, surveyFleet } from "./judge-fleet.ts";
import type { LedgerState } from "./ledger-state.ts";
import { carryOutAsks, guardFailures, guardForcedPush, guardIdentity, guardJobs } from "./guards.ts";
import { countLeft, type RunView } from "./run-view.ts";
import type { WorkloadStanding } from "./standing.ts";
import { collectMoveStops } from "./stops.ts";
import { finishRun, judgeMain, openWave, startRun } from "./transitions.ts";
import type { Spec, World } from "./world.ts";

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

/** Clusters that joined since the run began enter its last wave; runs that nothing is left of end. */
function advanceRuns(world: World, ledger: LedgerState, views: readonly RunView[]): LedgerDecision | undefined {
  for (const view of views) {
    for (const cluster of world.clusters.values()) {
      if (cluster.fresh && view.run.clusters[cluster.name] === undefined) {
        return openWave(world, ledger, view.run, cluster);
      }
    }
    const clusters = Object.keys(view.run.clusters);
    const isSeen = clusters.length > 0 && clusters.every((name) => world.clusters.get(name)?.fresh === true);
    const { left, total } = countLeft(view);
    if (isSeen && left === 0) return finishRun(world, ledger, view.run, total === 0 ? "empty" : "done", view);
  }
  return undefined;
}

/** Clusters of open runs that nobody sees: a run is never done without them (rules 3.4), so each is named. */
function nameUnseen(world: World, views: readonly RunView[]): readonly Decision[] {
  return views.flatMap(({ run, clusters }) =>
    Object.keys(run.clusters).flatMap((name) => {
      const cluster = world.clusters.get(name);
      // One that has work to do is named where its batch is chosen.
      const hasWork = [...(clusters.get(name)?.due ?? []), ...(clusters.get(name)?.dueLast ?? [])].length > 0;
      if (cluster?.fresh === true || (cluster !== undefined && hasWork)) return [];
      const seen =
        cluster === undefined
          ? "was never seen by this planner"
          : `was last seen ${Math.round(cluster.ageMs / 1000)} s ago`;
      const message = `${name} ${seen}: run ${run.id} is not done before its workloads were looked at`;
      return [wait(`run/${run.id}@${name}`, { code: "ClusterUnreachable", message, owner: `the executor of ${name}` })];
    }),
  );
}

/** Batches for every cluster that may have one; waits, named, for the rest. */
function handOut(
  world: World,
  ledger: LedgerState,
  head: Spec,
  views: readonly RunView[],
  judged: ReadonlyMap<string, readonly WorkloadStanding[]>,
): readonly Decision[] {
  const stops = collectMoveStops(ledger, world.asks, world.clusters.values());
  const decisions: Decision[] = [...nameUnseen(world, views)];
  for (const cluster of world.clusters.values()) {
    const choices = chooseBatch({
      now: world.now,
      cluster,
      settings: head.settings,
      stops,
      views,
      judged: judged.get(cluster.name) ?? [],
    });
    for (const choice of choices) {
      if (choice.kind === "batch") decisions.push({ kind: "handOut", batch: choice.batch, reason: choice.reason });
      if (choice.kind === "wait") decisions.push(wait(`run/${choice.run}@${cluster.name}`, choice.reason));
    }
  }
  return decisions;
}

/** Everything that steps look at, once main and the ledger are known to be good. */
interface Scene {
  readonly world: World;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly survey: Survey;
}

/** What people said and what main says, before anything that the machine sees: one transition at a time. */
function decideOnPeople(world: World, ledger: LedgerState): Decision | undefined {
  return carryOutAsks(world, ledger) ?? guardForcedPush(world, ledger) ?? followMain(world, ledger);
}

/** Our own guards, then waves that open and runs that end. */
function decideOnRuns({ world, ledger, head, survey }: Scene): Decision | undefined {
  return (
    guardIdentity(world, ledger, survey.views) ??
    guardFailures(world, ledger, head, survey.views) ??
    guardJobs(world, ledger) ??
    advanceRuns(world, ledger, survey.views)
  );
}

function decideOnWork({ world, ledger, head, survey }: Scene): readonly Decision[] {
  if (world.queueUp) return handOut(world, ledger, head, survey.views, survey.judged);
  return [wait("all", { code: "QueueDown", message: "Redis does not answer: nothing new starts", owner: "Redis" })];
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

  // 2. People and main.
  const said = decideOnPeople(world, ledger);
  if (said !== undefined) return [said];

  // 3. Where everybody stands by main's head.
  const head = world.specs.get(world.main.head);
  if (head === undefined) return [];
  const scene: Scene = { world, ledger, head, survey: surveyFleet(world, head) };

  // 4. Runs: stopped, opened, ended. 5. Work.
  const turned = decideOnRuns(scene);
  return turned === undefined ? decideOnWork(scene) : [turned];
}
