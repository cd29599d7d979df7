import type { FleetStatus } from "#libs/plan";

import { describeWait, findWait } from "./describe-wait.ts";
import { drawBar, fitLeft, fitRight } from "./fit-text.ts";

type Run = FleetStatus["runs"][number];
type Cluster = FleetStatus["clusters"][number];

/** Columns of the table, in characters; what a cluster waits for gets the rest of the line. */
const widths = { name: 13, bar: 16, count: 9, figure: 6 } as const;

interface Row {
  readonly name: string;
  readonly done: number;
  readonly total: number;
  readonly migrating: number;
  readonly failed: number;
  readonly waits: string;
}

function print(row: Row, columns: number): string {
  const name = fitLeft(row.name, widths.name);
  const bar = drawBar(row.done, row.total, widths.bar);
  const count = fitRight(`${row.done}/${row.total}`, widths.count);
  const figures = [row.migrating, row.failed].map((each) => fitRight(each === 0 ? "-" : String(each), widths.figure));
  return fitLeft([name, `${bar}${count}`, ...figures, ` ${row.waits}`].join(" "), columns).trimEnd();
}

/** The table's heading line. */
export function drawHead(hasRun: boolean, columns: number): string {
  const names = hasRun
    ? ["DONE", "MOVING", "FAILED", "WAITS FOR"]
    : ["ON DESIRED REVISION", "MOVING", "BROKEN", "STATE"];
  const [bar = "", migrating = "", failed = "", waits = ""] = names;
  const head = [
    fitLeft("CLUSTER", widths.name),
    fitLeft(bar, widths.bar + widths.count),
    fitRight(migrating, widths.figure),
    fitRight(failed, widths.figure),
    ` ${waits}`,
  ];
  return fitLeft(head.join(" "), columns).trimEnd();
}

function describeLeft(status: FleetStatus, run: Run, cluster: string, migrating: number): string {
  const wait = findWait(status, run.id, cluster);
  if (wait !== undefined) return describeWait(wait);
  return migrating > 0 ? "moving pods" : "next batch";
}

/** Fewer migrated than there are need a reason on the same line. */
function sayDone(skipped: number): string {
  return skipped === 0 ? "✔ done" : `✔ done, ${skipped} skipped`;
}

/** A cluster's share of the run: migrated, migrating and failed workloads, and what the rest waits for. */
function describeShare(status: FleetStatus, run: Run, { name, fresh }: Cluster): Row {
  const share = run.clusters.find((each) => each.cluster === name);
  if (share === undefined) return { name, done: 0, total: 0, migrating: 0, failed: 0, waits: "no workload here" };
  const { workloads: total, migrated: done, migrating, failed, skipped } = share;
  const waits = done + skipped === total ? sayDone(skipped) : describeLeft(status, run, name, migrating);
  return { name, done, total, migrating, failed, waits: fresh ? waits : "cluster unreachable" };
}

/** Without a run: how many managed workloads are on the desired revision. */
function describeIdleCluster({ name, workloads, unmanaged, drift, rolling, unhealthy, fresh }: Cluster): Row {
  const total = workloads - unmanaged;
  return {
    name,
    done: total - drift,
    total,
    migrating: rolling,
    failed: unhealthy,
    waits: fresh ? "idle" : "unreachable",
  };
}

/** One line for each cluster; when there are too few rows, the last line counts the rest. */
export function drawClusters(status: FleetStatus, run: Run | undefined, columns: number, rows: number): string[] {
  // The status has the clusters in the order in which executors connected.
  const clusters = status.clusters.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const shown = clusters.length <= rows ? clusters.length : Math.max(0, rows - 1);
  const lines = clusters
    .slice(0, shown)
    .map((each) => print(run === undefined ? describeIdleCluster(each) : describeShare(status, run, each), columns));
  const rest = clusters.length - shown;
  return rest === 0 || rows === 0 ? lines : [...lines, fitLeft(`… ${rest} more clusters`, columns).trimEnd()];
}
