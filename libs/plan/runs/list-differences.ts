import { lookUp } from "#libs/input";
import type { Workload } from "#libs/fleet";
import { printDifference } from "#libs/wording";

import {
  type ClusterSnapshot,
  type LedgerState,
  type ListDifference,
  nameInFleet,
  nameWorkload,
  parseWorkloadName,
  type RunRecord,
  type Snapshot,
} from "../records/index.ts";
import { listRolledBackBuckets } from "../main/index.ts";
import type { RunView } from "../index/index.ts";
import { isInPlace, type JudgedWorkload } from "../workloads/index.ts";
import { findTakenBack, readMark } from "./taken-back.ts";

/** One line of a plan's list, as `printMoveList` writes it. */
function readLine(line: string): { readonly cluster: string; readonly workload: string } | undefined {
  const [, , , , cluster, workload] = line.split("\t");
  return cluster === undefined || workload === undefined ? undefined : { cluster, workload };
}

function findWorkload(cluster: ClusterSnapshot | undefined, workload: string): Workload | undefined {
  const inventory = cluster?.namespaces.get(parseWorkloadName(workload).namespace);
  return inventory?.workloads.find((each) => nameWorkload(each) === workload);
}

type Skipped = Extract<JudgedWorkload["state"], { readonly kind: "skipped" }>;

function nameDifference({ reason, failed }: Skipped): ListDifference["why"] {
  if (failed !== undefined) return "failed";
  if (reason.code === "UnhealthyBefore") return "unhealthy";
  return reason.code === "Overwritten" ? "overwritten" : "skipped";
}

/** Why a listed workload was not moved: one word, and the details. */
function describeSkipped(state: Skipped): Required<Pick<ListDifference, "why" | "reason">> {
  return { why: nameDifference(state), reason: printDifference({ code: "Skipped", reason: state.reason }) };
}

/** All workloads of the run by `cluster:namespace/Kind/name`. */
function indexRun(view: RunView): ReadonlyMap<string, JudgedWorkload> {
  const index = new Map<string, JudgedWorkload>();
  for (const [cluster, classes] of view.clusters) {
    for (const each of classes.list(["migrated", "idle", "skipped"])) index.set(nameInFleet(cluster, each.key), each);
  }
  return index;
}

/** Whether this run moved it: its annotation is on the object. */
function isWritten({ workload }: Pick<JudgedWorkload, "workload">, run: RunRecord): boolean {
  return readMark(workload)?.run === run.id;
}

/** It runs what the run brought, moved by this run. */
function isMoved(each: JudgedWorkload, run: RunRecord): boolean {
  return isInPlace(each.state) && isWritten(each, run);
}

type Named = Pick<ListDifference, "cluster" | "workload">;

/** An ended run, with what followed. */
interface Ended {
  readonly run: RunRecord;
  readonly ledger: LedgerState;
  /** The later run that took over the rest, if any. */
  readonly successor: string | undefined;
  /** The answers of its commit and of the one before; undefined where one does not parse. */
  readonly answers: Readonly<Record<"before" | "after", (namespace: string) => string>> | undefined;
}

function nameSuccessor(successor: RunRecord | undefined, id: string): Pick<ListDifference, "why" | "reason"> {
  const isRollback = successor !== undefined && listRolledBackBuckets(successor).length > 0;
  return { why: isRollback ? "rolled back" : "skipped", reason: printDifference({ code: "TakenOver", run: id }) };
}

/** The difference for a listed workload that belongs to another run now; none where this run had moved it. */
function compareLost(
  named: Named,
  workload: Workload | undefined,
  { run, ledger, successor, answers }: Ended,
): readonly ListDifference[] {
  if (workload === undefined) return [{ ...named, why: "gone" }];
  const writer = readMark(workload)?.run;
  if (writer === run.id) return [];
  const { runs } = ledger;
  const later = lookUp(runs, writer ?? "");
  if (later !== undefined && later.order > run.order) return [{ ...named, ...nameSuccessor(later, later.id) }];
  const back = findTakenBack(ledger, run, workload, answers?.after(workload.namespace));
  if (back !== undefined)
    return [{ ...named, why: "rolled back", reason: printDifference({ code: "TakenBack", run: back }) }];
  return successor === undefined
    ? [{ ...named, why: "already there" }]
    : [{ ...named, ...nameSuccessor(lookUp(runs, successor), successor) }];
}

/** The difference for one listed workload, unless it was moved. */
function compareOne(
  named: Named,
  each: JudgedWorkload | undefined,
  ended: Ended,
  cluster: ClusterSnapshot | undefined,
): readonly ListDifference[] {
  if (each === undefined) return compareLost(named, findWorkload(cluster, named.workload), ended);
  if (each.state.kind === "skipped") return [{ ...named, ...describeSkipped(each.state) }];
  return isMoved(each, ended.run) ? [] : [{ ...named, why: "already there" }];
}

/** An unlisted workload that the run wrote to: it moved, even if it failed or was overwritten later. */
function describeLate({ cluster, key, state }: JudgedWorkload): ListDifference {
  const reason = state.kind === "skipped" ? { reason: describeSkipped(state).reason } : {};
  return { cluster, workload: key, why: "late", ...reason };
}

/**
 * Unlisted workloads that moved and no longer belong to the run. Their annotation is the run's, or that of a later rollback,
 * which otherwise would have had nothing to roll back.
 */
function listLateLost(
  { clusters }: Snapshot,
  { run, ledger, answers }: Ended,
  known: ReadonlySet<string>,
): readonly ListDifference[] {
  if (answers === undefined) return [];
  return [...clusters.values()].flatMap(({ name, namespaces }) =>
    [...namespaces.values()].flatMap(({ namespace, workloads }) => {
      const answer = answers.after(namespace.name);
      if (answers.before(namespace.name) === answer) return [];
      return workloads.flatMap((each): readonly ListDifference[] => {
        const workload = nameWorkload(each);
        const isLate = isWritten({ workload: each }, run) || findTakenBack(ledger, run, each, answer) !== undefined;
        return isLate && !known.has(nameInFleet(name, workload)) ? [{ cluster: name, workload, why: "late" }] : [];
      });
    }),
  );
}

/** The answers for a namespace by the run's commit, and before it. */
function readAnswers({ specs }: Snapshot, run: RunRecord): Ended["answers"] {
  const [before, after] = [specs.get(run.before)?.resolver, specs.get(run.commit)?.resolver];
  if (before === undefined || after === undefined) return undefined;
  return { before: (name) => before.resolve(name).revision, after: (name) => after.resolve(name).revision };
}

/**
 * The differences between the list in the run's pull request and what was done (rules 10.2); undefined without a recorded list,
 * empty when there are none.
 */
export function describeList(
  snapshot: Snapshot,
  ledger: LedgerState,
  run: RunRecord,
  view: RunView,
  successor: string | undefined,
): readonly ListDifference[] | undefined {
  const plan = lookUp(ledger.plans, run.list ?? "");
  if (plan === undefined) return undefined;
  const index = indexRun(view);
  const lines = plan.list.split("\n").flatMap((line) => readLine(line) ?? []);
  const listed = new Set(lines.map(({ cluster, workload }) => nameInFleet(cluster, workload)));
  const ended = { run, ledger, successor, answers: readAnswers(snapshot, run) };
  const known = lines.flatMap((named) =>
    compareOne(
      named,
      index.get(nameInFleet(named.cluster, named.workload)),
      ended,
      snapshot.clusters.get(named.cluster),
    ),
  );
  const late = [...index].flatMap(([key, each]) =>
    listed.has(key) || !isWritten(each, run) ? [] : [describeLate(each)],
  );
  return [...known, ...late, ...listLateLost(snapshot, ended, new Set([...listed, ...index.keys()]))];
}
