import type { Settings } from "#libs/campaign";

import { findClusterObstacle, findRevisionObstacle } from "./cluster-readiness.ts";
import { printTime } from "./iso-time.ts";
import type { Batch, BatchItem, Reason } from "./decision.ts";
import { countAllowed, countUnavailable } from "./availability.ts";
import type { RunInCluster, RunView } from "./run-view.ts";
import type { Blocker, WorkloadStanding } from "./standing.ts";
import { type ActiveStop, coversSubject } from "./stops.ts";
import type { ClusterWorld } from "./world.ts";

/** Everything the choice for one cluster looks at. */
export interface BatchInput {
  readonly now: number;
  readonly cluster: ClusterWorld;
  readonly settings: Settings;
  readonly stops: readonly ActiveStop[];
  /** Open runs, oldest first. */
  readonly views: readonly RunView[];
  /** Every judged workload of this cluster: what rolls counts, whichever run moved it (rules 4.2). */
  readonly judged: readonly WorkloadStanding[];
}

export type BatchChoice =
  | { readonly kind: "batch"; readonly batch: Batch; readonly reason: Reason }
  | { readonly kind: "wait"; readonly run: string; readonly reason: Reason }
  | { readonly kind: "nothing" };

function wait(run: string, code: string, message: string, owner: string, extra: Partial<Reason> = {}): BatchChoice {
  return { kind: "wait", run, reason: { code, message, owner, ...extra } };
}

function findStop(each: WorkloadStanding, run: string, stops: readonly ActiveStop[]): ActiveStop | undefined {
  const subject = {
    cluster: each.cluster,
    run,
    namespace: each.workload.namespace,
    bucket: each.bucket,
  };
  return stops.find((stop) => coversSubject(stop, subject));
}

/**
 * What rolls already towards a revision that main does not ask for any more: it takes no new place, and it goes before
 * the rest, because what it rolls towards may never come (rules 4.2: its own patch does not count against itself).
 */
function preferRolling(free: readonly WorkloadStanding[]): readonly WorkloadStanding[] {
  const rolling = free.filter((each) => each.rolling);
  return rolling.length > 0 ? rolling : free;
}

/** How many may be put in motion now; or the reason why none. What is chosen does not count against itself. */
function measureRoom(input: BatchInput, run: string, chosen: readonly WorkloadStanding[]): number | BatchChoice {
  const { batch, strategy } = input.settings;
  if (chosen.some((each) => each.rolling)) return batch.batchSize;
  const rolling = input.judged.filter((each) => each.rolling).length;
  const { name } = input.cluster;
  if (strategy === "Batched") {
    if (rolling > 0) return wait(run, "BatchSettling", `${rolling} workloads still roll in ${name}`, "the workloads");
    const next = input.cluster.batchEndedAt + batch.delayBetweenBatches;
    if (next > input.now) {
      const until = printTime(next);
      return wait(run, "DelayBetweenBatches", `the next batch in ${name} starts after the delay`, "meshroll", {
        until,
      });
    }
  }
  const opened = input.views.find((view) => view.run.id === run)?.run.clusters[name];
  const allowed = countAllowed(batch.maxUnavailable, input.judged);
  const missing = countUnavailable(input.judged, new Set(opened?.unhealthyBefore ?? []));
  const room = Math.min(batch.batchSize - rolling, allowed - missing);
  if (room > 0) return room;
  return allowed - missing <= 0
    ? wait(
        run,
        "MaxUnavailable",
        `${missing} workloads of ${name} are unavailable, ${allowed} are allowed`,
        "the workloads",
      )
    : wait(run, "BatchFull", `${rolling} workloads roll in ${name}, batchSize is ${batch.batchSize}`, "the workloads");
}

/** Begun and not through: something in it moves, or still has to. What is tried at the end holds nobody up. */
function isBegun({ site, namespaceBegun, standing }: WorkloadStanding): boolean {
  if (site.kind !== "namespace" || !namespaceBegun) return false;
  const isDue = standing.kind === "due" && !standing.unhealthyBefore;
  return isDue || standing.kind === "moving" || standing.kind === "blocked";
}

/** Namespaces move as a unit where their label decides: one at a time, the one begun before any other (rules 5.2). */
function keepOneNamespace(
  due: readonly WorkloadStanding[],
  judged: readonly WorkloadStanding[],
): readonly WorkloadStanding[] {
  const begun = judged.find(isBegun);
  const chosen = begun ?? due.find((each) => each.site.kind === "namespace");
  return due.filter((each) => each.site.kind !== "namespace" || each.workload.namespace === chosen?.workload.namespace);
}

/** Who may go now: due first, and those unhealthy before the run when nothing else is left. */
function listCandidates(classes: RunInCluster): readonly WorkloadStanding[] {
  if (classes.due.length > 0) return classes.due;
  return classes.moving.length > 0 || classes.blocked.length > 0 ? [] : classes.dueLast;
}

function makeItem(each: WorkloadStanding): BatchItem {
  const { namespace, kind, name, uid } = each.workload;
  const standing = each.standing;
  const isDue = standing.kind === "due";
  return {
    namespace,
    kind,
    name,
    uid,
    target: each.desired,
    attempt: isDue ? standing.attempt : 1,
    unhealthyBefore: isDue && standing.unhealthyBefore,
  };
}

function byName(a: WorkloadStanding, b: WorkloadStanding): number {
  return a.key < b.key ? -1 : 1;
}

/** One run's next batch in one cluster. */
function chooseForRun(input: BatchInput, view: RunView, classes: RunInCluster): BatchChoice {
  const { run } = view;
  const { name } = input.cluster;
  const candidates = listCandidates(classes);
  if (candidates.length === 0) return { kind: "nothing" };
  if (run.clusters[name] === undefined) {
    return wait(run.id, "WaveClosed", `the wave of ${name} is not open yet`, "meshroll");
  }
  const stopped = candidates.map((each) => findStop(each, run.id, input.stops));
  const free = candidates.filter((_, index) => stopped[index] === undefined);
  const stop = stopped.find((each) => each !== undefined);
  if (free.length === 0 && stop !== undefined) {
    const command =
      stop.id === "kubectl"
        ? `kubectl -n meshroll-system delete configmap meshroll-stop`
        : `meshroll resume ${stop.scope} --reason "…"`;
    return wait(run.id, "Stopped", `${stop.scope} is stopped by ${stop.who}: ${stop.why}`, stop.who, { command });
  }
  const next = preferRolling(keepOneNamespace(free.toSorted(byName), input.judged));
  const room = measureRoom(input, run.id, next);
  if (typeof room !== "number") return room;
  const chosen = next.slice(0, room);
  const obstacle = chosen
    .map((each) => findRevisionObstacle(input.cluster, each.desired))
    .find((each) => each !== undefined);
  if (obstacle !== undefined) return { kind: "wait", run: run.id, reason: obstacle };
  if (chosen.length === 0) {
    const message = `another namespace of ${name} whose label decides is not through yet`;
    return wait(run.id, "NamespaceBegun", message, "the workloads");
  }
  const batch: Batch = {
    cluster: name,
    clusterUid: input.cluster.facts.uid,
    run: run.id,
    commit: run.commit,
    strategy: input.settings.strategy,
    items: chosen.map(makeItem),
  };
  const message = `${chosen.length} of ${candidates.length} due workloads of ${name}, batchSize ${input.settings.batch.batchSize}`;
  return { kind: "batch", batch, reason: { code: "BatchReady", message, owner: "meshroll" } };
}

/** For machines. */
const blockerCodes: Readonly<Record<Blocker, string>> = {
  disruptionBudget: "BudgetAllowsNothing",
  paused: "PausedByOwner",
  ownerRollout: "OwnerRollout",
  tag: "TagNotMoved",
};

/** Who waits for somebody else, by cause: one wait each, with the first of them as the example. */
function nameBlocked(run: string, cluster: string, classes: RunInCluster): readonly BatchChoice[] {
  const causes = new Map<Blocker, { readonly first: WorkloadStanding; readonly reason: string; count: number }>();
  for (const each of classes.blocked) {
    if (each.standing.kind !== "blocked") continue;
    const cause = causes.get(each.standing.by);
    if (cause === undefined) causes.set(each.standing.by, { first: each, reason: each.standing.reason, count: 1 });
    else cause.count += 1;
  }
  return [...causes].map(([by, { first, reason, count }]) => {
    const message = `${count} in ${cluster} wait: ${reason} (${first.key})`;
    return wait(run, blockerCodes[by], message, by === "tag" ? "the tag's owner" : "their owners");
  });
}

/** The cluster's next batch: one at a time, the oldest run first, never of two runs (rules 1.3, 4.1). */
export function chooseBatch(input: BatchInput): readonly BatchChoice[] {
  const { cluster } = input;
  const waits: BatchChoice[] = [];
  for (const view of input.views) {
    const classes = view.clusters.get(cluster.name);
    if (classes === undefined) continue;
    if (cluster.fresh) waits.push(...nameBlocked(view.run.id, cluster.name, classes));
    if (listCandidates(classes).length === 0) continue;
    const obstacle = findClusterObstacle(cluster);
    if (obstacle !== undefined) {
      waits.push({ kind: "wait", run: view.run.id, reason: obstacle });
      continue;
    }
    if (cluster.batch !== undefined) {
      waits.push(
        wait(
          view.run.id,
          "BatchInHand",
          `a batch of run ${cluster.batch.run} is in hand in ${cluster.name}`,
          "the executor",
        ),
      );
      continue;
    }
    const choice = chooseForRun(input, view, classes);
    if (choice.kind === "batch") return [...waits, choice];
    if (choice.kind === "wait") waits.push(choice);
  }
  return waits;
}
