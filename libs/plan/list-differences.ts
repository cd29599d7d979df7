import { lookUp } from "#libs/input";
import { parseMarks, type Workload } from "#libs/fleet";

import type { LedgerState, ListDifference, RunRecord } from "./ledger-state.ts";
import { listReturnedBuckets } from "./returns.ts";
import type { RunView } from "./run-view.ts";
import type { WorkloadStanding } from "./standing.ts";
import type { ClusterWorld, World } from "./world.ts";
import { nameInFleet, nameWorkload } from "./workload-key.ts";

/** Of one line of a plan's list, as `printMoveList` writes it. */
function readLine(line: string): { readonly cluster: string; readonly workload: string } | undefined {
  const [, , , , cluster, workload] = line.split("\t");
  return cluster === undefined || workload === undefined ? undefined : { cluster, workload };
}

function findWorkload(cluster: ClusterWorld | undefined, workload: string): Workload | undefined {
  const namespace = workload.split("/")[0] ?? "";
  const inventory = cluster?.namespaces.get(namespace);
  return inventory?.workloads.find((each) => nameWorkload(each) === workload);
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

/** The run that wrote to it last. */
function readRun({ annotations }: Workload): string | undefined {
  const marks = parseMarks(annotations);
  return marks.kind === "read" ? marks.run?.run : undefined;
}

/** Moved by this very run: its mark stands on the object. */
function isMoved({ standing, workload }: WorkloadStanding, run: RunRecord): boolean {
  return standing.kind === "there" && readRun(workload) === run.id;
}

type Named = Pick<ListDifference, "cluster" | "workload">;

/** A run that ends, with what came after it. */
interface Ended {
  readonly run: RunRecord;
  readonly runs: LedgerState["runs"];
  /** The later run that took over whoever was left of it, where one did. */
  readonly heir: string | undefined;
}

function nameHeir(heir: RunRecord | undefined, id: string): Pick<ListDifference, "why" | "reason"> {
  const isReturn = heir !== undefined && listReturnedBuckets(heir).length > 0;
  return { why: isReturn ? "taken back" : "aside", reason: `run ${id} has it now` };
}

/** Listed, and nobody of the run any more: what it moved before another run took it over is no difference. */
function compareLost(
  named: Named,
  workload: Workload | undefined,
  { run, runs, heir }: Ended,
): readonly ListDifference[] {
  if (workload === undefined) return [{ ...named, why: "gone" }];
  const writer = readRun(workload);
  if (writer === run.id) return [];
  const later = lookUp(runs, writer ?? "");
  if (later !== undefined && later.order > run.order) return [{ ...named, ...nameHeir(later, later.id) }];
  return heir === undefined
    ? [{ ...named, why: "already there" }]
    : [{ ...named, ...nameHeir(lookUp(runs, heir), heir) }];
}

/** What became of one listed workload, where that is not "moved". */
function compareOne(
  named: Named,
  each: WorkloadStanding | undefined,
  ended: Ended,
  cluster: ClusterWorld | undefined,
): readonly ListDifference[] {
  if (each === undefined) return compareLost(named, findWorkload(cluster, named.workload), ended);
  if (each.standing.kind === "aside") {
    const { reason, failed } = each.standing;
    return [{ ...named, ...describeAside(reason, failed) }];
  }
  return isMoved(each, ended.run) ? [] : [{ ...named, why: "already there" }];
}

/**
 * Who moved though nobody listed it, and went back with a return since: the run had moved it, or the return would have had
 * nothing to write. Asked where nobody is left of the run itself.
 */
function listLateReturned(
  { clusters, specs }: World,
  ended: Ended,
  listed: ReadonlySet<string>,
): readonly ListDifference[] {
  const { run, runs, heir } = ended;
  const [before, after] = [specs.get(run.before)?.resolver, specs.get(run.commit)?.resolver];
  const isReturn = listReturnedBuckets(lookUp(runs, heir ?? "") ?? run).length > 0;
  if (heir === undefined || !isReturn || before === undefined || after === undefined) return [];
  return [...clusters.values()].flatMap(({ name, namespaces }) =>
    [...namespaces.values()].flatMap(({ namespace, workloads }) => {
      if (before.resolve(namespace.name).revision === after.resolve(namespace.name).revision) return [];
      return workloads.flatMap((each): readonly ListDifference[] => {
        const named = { cluster: name, workload: nameWorkload(each) };
        const isOurs = [run.id, heir].includes(readRun(each) ?? "");
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
  world: World,
  { plans, runs }: LedgerState,
  run: RunRecord,
  view: RunView,
  heir: string | undefined,
): readonly ListDifference[] | undefined {
  const plan = lookUp(plans, run.list ?? "");
  if (plan === undefined) return undefined;
  const index = indexRun(view);
  const lines = plan.list.split("\n").flatMap((line) => readLine(line) ?? []);
  const listed = new Set(lines.map(({ cluster, workload }) => nameInFleet(cluster, workload)));
  const ended = { run, runs, heir };
  const known = lines.flatMap((named) =>
    compareOne(named, index.get(nameInFleet(named.cluster, named.workload)), ended, world.clusters.get(named.cluster)),
  );
  const late = [...index].flatMap(([key, each]) =>
    listed.has(key) || !isMoved(each, run) ? [] : [{ cluster: each.cluster, workload: each.key, why: "late" as const }],
  );
  return [...known, ...late, ...listLateReturned(world, ended, listed)];
}
