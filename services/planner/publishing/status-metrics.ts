import { findScopeKind } from "#libs/input";
import type { FleetStatus } from "#libs/plan";
import type { Clock, MetricRow, Metrics } from "#libs/runtime";

/** Most rows of one metric: a file may name thousands of buckets, and the metrics of a process must stay short. */
const mostShares = 500;

function listShares({ where }: FleetStatus): readonly MetricRow[] {
  return where
    .flatMap(({ bucket, shares }) =>
      shares.flatMap(({ revision, requested, actual }): MetricRow[] => [
        [{ bucket, revision, source: "requested" }, requested],
        [{ bucket, revision, source: "actual" }, actual],
      ]),
    )
    .slice(0, mostShares);
}

function listNamespaces({ where }: FleetStatus): readonly MetricRow[] {
  return where
    .flatMap(({ bucket, shares }) =>
      shares.map(({ revision, namespaces }): MetricRow => [{ bucket, revision, source: "running" }, namespaces]),
    )
    .slice(0, mostShares);
}

function listWorkloads({ clusters }: FleetStatus): readonly MetricRow[] {
  return clusters.flatMap(({ name: cluster, workloads, unmanaged, rolling, unhealthy, drift }): MetricRow[] => {
    const states = { managed: workloads - unmanaged, unmanaged, rolling, unhealthy, drift };
    return Object.entries(states).map(([state, count]) => [{ cluster, state }, count]);
  });
}

function listRuns({ runs }: FleetStatus): readonly MetricRow[] {
  return runs.flatMap(({ id: run, migrated, idle, migrating, pending, waiting, skippedTotal }): MetricRow[] => {
    const classes = { migrated, idle, migrating, pending, waiting, skipped: skippedTotal };
    return Object.entries(classes).map(([name, count]) => [{ run, class: name }, count]);
  });
}

/** Counts words; one that `known` does not match counts as "other", so that no text from outside becomes a label. */
function countBy(name: string, words: readonly string[], known: RegExp): readonly MetricRow[] {
  const counts = new Map<string, number>();
  for (const word of words) {
    const label = known.test(word) ? word : "other";
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts].map(([found, count]) => [{ [name]: found }, count]);
}

/** Metrics from the last published status: the same numbers as everywhere else. */
export function createStatusMetrics(metrics: Metrics, clock: Clock): (status: FleetStatus) => void {
  const shares = metrics.level(
    "meshroll_share_percent",
    "Share of a bucket's namespaces by revision, requested and actual",
    ["bucket", "revision", "source"],
  );
  const namespaces = metrics.level("meshroll_namespaces", "Managed namespaces by bucket and revision", [
    "bucket",
    "revision",
    "source",
  ]);
  const workloads = metrics.level("meshroll_workloads", "Workloads by cluster and state", ["cluster", "state"]);
  const ofRuns = metrics.level("meshroll_run_workloads", "Workloads of open runs by class", ["run", "class"]);
  const open = metrics.level("meshroll_runs_open", "Runs that are open");
  const stops = metrics.level("meshroll_stops", "Stops in force by kind of scope", ["scope"]);
  const stragglers = metrics.level("meshroll_stragglers", "Workloads of open runs that went skipped, by reason", [
    "reason",
  ]);
  const batches = metrics.level(
    "meshroll_clusters_busy",
    "Clusters that have a batch, or in which something of ours rolls",
  );
  /** Monotonic ms: the ages keep growing when no planner publishes any more. */
  let readAt: readonly number[] = [];
  let seenAt: readonly (readonly [string, number])[] = [];
  const ageOf = (at: number): number => (clock.monotonic() - at) / 1000;
  metrics.ask("meshroll_main_age_seconds", "Since main was last read", [], () => readAt.map((at) => [{}, ageOf(at)]));
  metrics.ask("meshroll_inventory_age_seconds", "Since a cluster last published", ["cluster"], () =>
    seenAt.map(([cluster, at]) => [{ cluster }, ageOf(at)]),
  );

  return (status) => {
    shares.replace(listShares(status));
    namespaces.replace(listNamespaces(status));
    workloads.replace(listWorkloads(status));
    ofRuns.replace(listRuns(status));
    open.set(status.runs.length);
    const kinds = status.stops.map(({ scope }) => findScopeKind(scope) ?? "");
    stops.replace(countBy("scope", kinds, /^(?:all|cluster|campaign|run|bucket|namespace)$/));
    const codes = status.runs.flatMap(({ skipped }) => skipped.map(({ code }) => code));
    stragglers.replace(countBy("reason", codes, /^[A-Z][A-Za-z]{2,40}$/));
    batches.set(status.rollouts.length);
    const now = clock.monotonic();
    seenAt = status.clusters.flatMap(({ name, ageSeconds }) =>
      ageSeconds === undefined ? [] : [[name, now - ageSeconds * 1000]],
    );
    const { ageSeconds } = status.main;
    readAt = ageSeconds === undefined ? [] : [now - ageSeconds * 1000];
  };
}
