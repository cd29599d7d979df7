import { parseMarks } from "#libs/fleet";

import type { LedgerState, ListDifference, RunRecord } from "./ledger-state.ts";
import type { RunView } from "./run-view.ts";
import type { WorkloadStanding } from "./standing.ts";
import type { ClusterWorld, World } from "./world.ts";
import { nameInFleet, nameWorkload } from "./workload-key.ts";

/** Of one line of a plan's list, as `printMoveList` writes it. */
function readLine(line: string): { readonly cluster: string; readonly workload: string } | undefined {
  const [, , , , cluster, workload] = line.split("\t");
  return cluster === undefined || workload === undefined ? undefined : { cluster, workload };
}

function exists(cluster: ClusterWorld | undefined, workload: string): boolean {
  const namespace = workload.split("/")[0] ?? "";
  const inventory = cluster?.namespaces.get(namespace);
  return inventory?.workloads.some((each) => nameWorkload(each) === workload) ?? false;
}

/** In one word, and the rest for people: what became of a listed workload that the run gave up. */
function describeAside(reason: string, failed: string | undefined): Pick<ListDifference, "why" | "reason"> {
  if (failed !== undefined) return { why: "failed", reason };
  if (reason.startsWith("UnhealthyBefore")) return { why: "unhealthy", reason };
  return { why: reason.startsWith("TakenBack") ? "taken back" : "aside", reason };
}

/** Everybody of the run by `cluster:namespace/Kind/name`: who arrived, and who was left aside. */
function indexRun(view: RunView): ReadonlyMap<string, WorkloadStanding> {
  const index = new Map<string, WorkloadStanding>();
  for (const [cluster, classes] of view.clusters) {
    for (const each of classes.list(["there", "aside"])) index.set(nameInFleet(cluster, each.key), each);
  }
  return index;
}

/** Moved by this very run: its mark stands on the object. */
function isMoved({ standing, workload }: WorkloadStanding, run: RunRecord): boolean {
  const marks = parseMarks(workload.annotations);
  return standing.kind === "there" && marks.kind === "read" && marks.run?.run === run.id;
}

type Named = Pick<ListDifference, "cluster" | "workload">;

/** What became of one listed workload, where that is not "moved". */
function compareOne(
  named: Named,
  each: WorkloadStanding | undefined,
  run: RunRecord,
  cluster: ClusterWorld | undefined,
): readonly ListDifference[] {
  if (each?.standing.kind === "aside") {
    const { reason, failed } = each.standing;
    return [{ ...named, ...describeAside(reason, failed) }];
  }
  if (each === undefined && !exists(cluster, named.workload)) return [{ ...named, why: "gone" }];
  return each !== undefined && isMoved(each, run) ? [] : [{ ...named, why: "already there" }];
}

/**
 * Each difference between the list that the run's pull request named and what was done (rules 10.2); undefined where no list
 * is recorded, empty when the two are the same.
 */
export function describeList(
  { clusters }: World,
  { plans }: LedgerState,
  run: RunRecord,
  view: RunView,
): readonly ListDifference[] | undefined {
  const plan = plans[run.list ?? ""];
  if (plan === undefined) return undefined;
  const index = indexRun(view);
  const lines = plan.list.split("\n").flatMap((line) => readLine(line) ?? []);
  const listed = new Set(lines.map(({ cluster, workload }) => nameInFleet(cluster, workload)));
  const known = lines.flatMap((named) =>
    compareOne(named, index.get(nameInFleet(named.cluster, named.workload)), run, clusters.get(named.cluster)),
  );
  const late = [...index].flatMap(([key, each]) =>
    listed.has(key) || !isMoved(each, run) ? [] : [{ cluster: each.cluster, workload: each.key, why: "late" as const }],
  );
  return [...known, ...late];
}
