import { lookUp } from "#libs/input";
import { parseAnnotations, type Workload } from "#libs/fleet";

import {
  type ClusterSnapshot,
  type LedgerState,
  type ListDifference,
  nameInFleet,
  nameWorkload,
  type RunRecord,
  type Snapshot,
} from "../records/index.ts";
import { listRolledBackBuckets } from "../main/index.ts";
import type { RunView } from "../index/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";

/** Of one line of a plan's list, as `printMoveList` writes it. */
function readLine(line: string): { readonly cluster: string; readonly workload: string } | undefined {
  const [, , , , cluster, workload] = line.split("\t");
  return cluster === undefined || workload === undefined ? undefined : { cluster, workload };
}

function findWorkload(cluster: ClusterSnapshot | undefined, workload: string): Workload | undefined {
  const namespace = workload.split("/")[0] ?? "";
  const inventory = cluster?.namespaces.get(namespace);
  return inventory?.workloads.find((each) => nameWorkload(each) === workload);
}

/** In one word, and the rest for people: what became of a listed workload that the run gave up. */
function describeSkipped(reason: string, failed: string | undefined): Pick<ListDifference, "why" | "reason"> {
  if (failed !== undefined) return { why: "failed", reason };
  if (reason.startsWith("UnhealthyBefore")) return { why: "unhealthy", reason };
  return { why: reason.startsWith("Overwritten") ? "overwritten" : "skipped", reason };
}

/** Everybody of the run by `cluster:namespace/Kind/name`: who arrived, and who was skipped. */
function indexRun(view: RunView): ReadonlyMap<string, JudgedWorkload> {
  const index = new Map<string, JudgedWorkload>();
  for (const [cluster, classes] of view.clusters) {
    for (const each of classes.list(["migrated", "skipped"])) index.set(nameInFleet(cluster, each.key), each);
  }
  return index;
}

/** The run that wrote to it last. */
function readRun({ annotations }: Workload): string | undefined {
  const marks = parseAnnotations(annotations);
  return marks.kind === "read" ? marks.run?.run : undefined;
}

/** Moved by this very run: its mark stands on the object. */
function isMoved({ state, workload }: JudgedWorkload, run: RunRecord): boolean {
  return state.kind === "migrated" && readRun(workload) === run.id;
}

type Named = Pick<ListDifference, "cluster" | "workload">;

/** A run that ends, with what came after it. */
interface Ended {
  readonly run: RunRecord;
  readonly runs: LedgerState["runs"];
  /** The later run that took over whoever was left of it, where one did. */
  readonly successor: string | undefined;
}

function nameSuccessor(successor: RunRecord | undefined, id: string): Pick<ListDifference, "why" | "reason"> {
  const isRollback = successor !== undefined && listRolledBackBuckets(successor).length > 0;
  return { why: isRollback ? "rolled back" : "skipped", reason: `run ${id} has it now` };
}

/** Listed, and nobody of the run any more: what it moved before another run took it over is no difference. */
function compareLost(
  named: Named,
  workload: Workload | undefined,
  { run, runs, successor }: Ended,
): readonly ListDifference[] {
  if (workload === undefined) return [{ ...named, why: "gone" }];
  const writer = readRun(workload);
  if (writer === run.id) return [];
  const later = lookUp(runs, writer ?? "");
  if (later !== undefined && later.order > run.order) return [{ ...named, ...nameSuccessor(later, later.id) }];
  return successor === undefined
    ? [{ ...named, why: "already there" }]
    : [{ ...named, ...nameSuccessor(lookUp(runs, successor), successor) }];
}

/** What became of one listed workload, where that is not "moved". */
function compareOne(
  named: Named,
  each: JudgedWorkload | undefined,
  ended: Ended,
  cluster: ClusterSnapshot | undefined,
): readonly ListDifference[] {
  if (each === undefined) return compareLost(named, findWorkload(cluster, named.workload), ended);
  if (each.state.kind === "skipped") {
    const { reason, failed } = each.state;
    return [{ ...named, ...describeSkipped(reason, failed) }];
  }
  return isMoved(each, ended.run) ? [] : [{ ...named, why: "already there" }];
}

/**
 * Who moved though nobody listed it, and went back with a rollback since: the run had moved it, or the rollback would have had
 * nothing to write. Asked where nobody is left of the run itself.
 */
function listLateRolledBack(
  { clusters, specs }: Snapshot,
  ended: Ended,
  listed: ReadonlySet<string>,
): readonly ListDifference[] {
  const { run, runs, successor } = ended;
  const [before, after] = [specs.get(run.before)?.resolver, specs.get(run.commit)?.resolver];
  const isRollback = listRolledBackBuckets(lookUp(runs, successor ?? "") ?? run).length > 0;
  if (successor === undefined || !isRollback || before === undefined || after === undefined) return [];
  return [...clusters.values()].flatMap(({ name, namespaces }) =>
    [...namespaces.values()].flatMap(({ namespace, workloads }) => {
      if (before.resolve(namespace.name).revision === after.resolve(namespace.name).revision) return [];
      return workloads.flatMap((each): readonly ListDifference[] => {
        const named = { cluster: name, workload: nameWorkload(each) };
        const isOurs = [run.id, successor].includes(readRun(each) ?? "");
        return isOurs && !listed.has(nameInFleet(name, named.workload)) ? [{ ...named, why: "late" }] : [];
      });
    }),
  );
}

/**
 * Each difference between the list that the run's pull request named and what was done (rules 10.2); undefined where no list
 * is recorded, empty when the two are the same.
 */
export function describeList(
  snapshot: Snapshot,
  { plans, runs }: LedgerState,
  run: RunRecord,
  view: RunView,
  successor: string | undefined,
): readonly ListDifference[] | undefined {
  const plan = lookUp(plans, run.list ?? "");
  if (plan === undefined) return undefined;
  const index = indexRun(view);
  const lines = plan.list.split("\n").flatMap((line) => readLine(line) ?? []);
  const listed = new Set(lines.map(({ cluster, workload }) => nameInFleet(cluster, workload)));
  const ended = { run, runs, successor };
  const known = lines.flatMap((named) =>
    compareOne(
      named,
      index.get(nameInFleet(named.cluster, named.workload)),
      ended,
      snapshot.clusters.get(named.cluster),
    ),
  );
  const late = [...index].flatMap(([key, each]) =>
    listed.has(key) || !isMoved(each, run) ? [] : [{ cluster: each.cluster, workload: each.key, why: "late" as const }],
  );
  return [...known, ...late, ...listLateRolledBack(snapshot, ended, listed)];
}
