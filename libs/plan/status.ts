import { readRunning } from "#libs/fleet";

import type { Decision, Reason } from "./decision.ts";
import { printTime } from "./iso-time.ts";
import type { LedgerState } from "./ledger-state.ts";
import type { RunView } from "./run-view.ts";
import { countLeft } from "./run-view.ts";
import type { WorkloadStanding } from "./standing.ts";
import { collectMoveStops } from "./stops.ts";
import type { ClusterWorld, Spec, World } from "./world.ts";

/** Asked and actual share of one revision in one bucket, always together (architecture §5). */
export interface ShareStatus {
  readonly revision: string;
  /** Whole percent of the file. */
  readonly asked: number;
  /** Managed namespaces of the bucket, over the fleet, whose workloads all run it. */
  readonly namespaces: number;
  /** `namespaces` in percent of the bucket's, one decimal. */
  readonly actual: number;
}

export interface BucketStatus {
  readonly bucket: string;
  readonly namespaces: number;
  readonly shares: readonly ShareStatus[];
  /** Namespaces whose workloads run more than one revision, or one that the file does not name. */
  readonly mixed: number;
}

export interface RunStatus {
  readonly id: string;
  readonly subject: string;
  readonly author: string;
  readonly startedAt: string;
  readonly workloads: number;
  readonly arrived: number;
  readonly moving: number;
  readonly due: number;
  readonly waiting: number;
  /** The first hundred; `asideTotal` counts them all. */
  readonly aside: readonly { readonly cluster: string; readonly workload: string; readonly reason: string }[];
  readonly asideTotal: number;
}

export interface ClusterStatus {
  readonly name: string;
  readonly mode: "observe" | "act";
  readonly fresh: boolean;
  readonly ageSeconds: number;
  readonly namespaces: number;
  readonly workloads: number;
  readonly unmanaged: number;
  readonly rolling: number;
  readonly unhealthy: number;
  /** Managed workloads that differ from the file though no run asks. */
  readonly drift: number;
  readonly problems: readonly string[];
}

/** The five answers, the same on every surface (ux.md §0). */
export interface FleetStatus {
  readonly apiVersion: "meshroll.dev/v1";
  readonly kind: "FleetStatus";
  readonly at: string;
  /** Wall time at which the planner wrote it, epoch ms; absent when it was computed just now. */
  readonly wroteAt?: number;
  readonly main: { readonly head: string; readonly ageSeconds: number };
  /** Sail's words. */
  readonly state: "Idle" | "InProgress" | "Failed";
  readonly where: readonly BucketStatus[];
  readonly doing: readonly { readonly cluster: string; readonly run: string; readonly workloads: readonly string[] }[];
  readonly waitingFor: readonly (Reason & { readonly scope: string })[];
  readonly otherwise: string;
  readonly stop: { readonly command: string; readonly effect: string };
  readonly undo: { readonly command: string; readonly effect: string };
  readonly runs: readonly RunStatus[];
  readonly clusters: readonly ClusterStatus[];
  readonly stops: readonly {
    readonly id: string;
    readonly scope: string;
    readonly who: string;
    readonly why: string;
  }[];
}

/** Lists end here: a status travels over a bus that ends at 1 MiB. */
const shown = 100;

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The one revision that every counted workload of a namespace runs; undefined when they differ or none runs. */
function nameCommonRevision(workloads: readonly WorkloadStanding[]): string | undefined {
  const running = new Set(
    workloads.map((each) => {
      const found = readRunning(each.workload);
      return found.kind === "all" ? found.revision : found.kind === "empty" ? each.desired : undefined;
    }),
  );
  return running.size === 1 ? [...running][0] : undefined;
}

function groupByNamespace(judged: Iterable<WorkloadStanding>): Map<string, WorkloadStanding[]> {
  const groups = new Map<string, WorkloadStanding[]>();
  for (const each of judged) {
    if (each.standing.kind === "unmanaged") continue;
    const group = groups.get(each.workload.namespace);
    if (group === undefined) groups.set(each.workload.namespace, [each]);
    else group.push(each);
  }
  return groups;
}

function describeBuckets(head: Spec, judged: readonly WorkloadStanding[]): readonly BucketStatus[] {
  const tally = new Map(head.rollouts.buckets.map((bucket) => [bucket.pattern, new Map<string | undefined, number>()]));
  for (const group of groupByNamespace(judged).values()) {
    const counts = tally.get(group[0]?.bucket ?? "");
    const revision = nameCommonRevision(group);
    counts?.set(revision, (counts.get(revision) ?? 0) + 1);
  }
  return head.rollouts.buckets.map((bucket) => {
    const counts = tally.get(bucket.pattern) ?? new Map<string | undefined, number>();
    const namespaces = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const shares = bucket.shares.map(({ revision, weight }) => {
      const count = counts.get(revision) ?? 0;
      return {
        revision,
        asked: weight,
        namespaces: count,
        actual: namespaces === 0 ? 0 : round((100 * count) / namespaces),
      };
    });
    const named = shares.reduce((sum, share) => sum + share.namespaces, 0);
    return { bucket: bucket.pattern, namespaces, shares, mixed: namespaces - named };
  });
}

function describeRun(view: RunView): RunStatus {
  const { run } = view;
  const classes = [...view.clusters.values()];
  const count = (pick: (each: (typeof classes)[number]) => readonly unknown[]) =>
    classes.reduce((sum, each) => sum + pick(each).length, 0);
  const aside = [...view.clusters].flatMap(([cluster, each]) =>
    each.aside.map(({ key, standing }) => ({
      cluster,
      workload: key,
      reason: standing.kind === "aside" ? standing.reason : "",
    })),
  );
  return {
    id: run.id,
    subject: run.subject,
    author: run.author,
    startedAt: run.startedAt,
    workloads: countLeft(view).total,
    arrived: count((each) => each.there),
    moving: count((each) => each.moving),
    due: count((each) => [...each.due, ...each.dueLast]),
    waiting: count((each) => each.blocked),
    aside: aside.slice(0, shown),
    asideTotal: aside.length,
  };
}

function describeCluster(cluster: ClusterWorld, judged: readonly WorkloadStanding[]): ClusterStatus {
  const managed = judged.filter((each) => each.standing.kind !== "unmanaged");
  return {
    name: cluster.name,
    mode: cluster.facts.mode,
    fresh: cluster.fresh,
    ageSeconds: Math.round(cluster.ageMs / 1000),
    namespaces: cluster.namespaces.size,
    workloads: judged.length,
    unmanaged: judged.length - managed.length,
    rolling: managed.filter((each) => each.rolling).length,
    unhealthy: managed.filter((each) => each.unavailable && !each.rolling).length,
    drift: managed.filter((each) => each.run === undefined && each.standing.kind !== "there").length,
    problems: cluster.facts.problems,
  };
}

function describeDoing(world: World, judged: ReadonlyMap<string, readonly WorkloadStanding[]>): FleetStatus["doing"] {
  return [...world.clusters.values()].flatMap((cluster) => {
    const workloads = (judged.get(cluster.name) ?? []).filter((each) => each.rolling).map((each) => each.key);
    const run = cluster.batch?.run ?? "";
    return workloads.length === 0 && cluster.batch === undefined
      ? []
      : [{ cluster: cluster.name, run, workloads: workloads.slice(0, shown) }];
  });
}

function describeOtherwise(views: readonly RunView[], waiting: FleetStatus["waitingFor"]): string {
  if (views.length === 0) return "nothing until a change of rollouts.yml is merged";
  const held = waiting.find((each) => each.until === undefined && each.command !== undefined);
  if (held !== undefined) return `nothing: ${held.message}`;
  const due = views.reduce((sum, view) => sum + countLeft(view).left, 0);
  return `${due} workloads go on in batches until the file says what runs`;
}

/** The way back from the newest run: a commit like any other, carried out in batches. */
function describeUndo(ledger: LedgerState | undefined): FleetStatus["undo"] {
  const last = Object.values(ledger?.runs ?? {}).toSorted((a, b) => b.order - a.order)[0];
  if (last === undefined) return { command: "nothing to undo", effect: "no run is recorded yet" };
  const effect = `merged, it moves the namespaces of run ${last.id} back, in batches (a merge commit needs -m 1)`;
  return { command: `git revert ${last.commit.slice(0, 12)}`, effect };
}

/** The status of one instant, from the same snapshot that was decided on. */
export function describeFleet(
  world: World,
  head: Spec,
  judged: ReadonlyMap<string, readonly WorkloadStanding[]>,
  views: readonly RunView[],
  decisions: readonly Decision[],
): FleetStatus {
  const stops = collectMoveStops(world.ledger, world.asks, world.clusters.values());
  const waitingFor = decisions.flatMap((each) => (each.kind === "wait" ? [{ scope: each.scope, ...each.reason }] : []));
  const isFailed = Object.values(world.ledger?.stops ?? {}).some(
    (stop) =>
      stop.cause === "failures" && stop.lift === undefined && views.some(({ run }) => stop.scope === `run/${run.id}`),
  );
  const all = [...judged.values()].flat();
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "FleetStatus",
    at: printTime(world.now),
    main: { head: world.main.head, ageSeconds: Math.round(world.main.ageMs / 1000) },
    state: isFailed ? "Failed" : views.length > 0 ? "InProgress" : "Idle",
    where: describeBuckets(head, all),
    doing: describeDoing(world, judged),
    waitingFor,
    otherwise: describeOtherwise(views, waitingFor),
    stop: {
      command: "kubectl -n meshroll-system create configmap meshroll-stop",
      effect: "that cluster starts nothing more; what rolls finishes (make the namespace first)",
    },
    undo: describeUndo(world.ledger),
    runs: views.map(describeRun),
    clusters: [...world.clusters.values()].map((cluster) => describeCluster(cluster, judged.get(cluster.name) ?? [])),
    stops: stops.map(({ id, scope, who, why }) => ({ id, scope, who, why })),
  };
}
