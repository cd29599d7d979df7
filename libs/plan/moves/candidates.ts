import type { RunClass, RunInCluster } from "../index/index.ts";
import { type ActiveStop, coversSubject, nameStop } from "../stops/index.ts";
import { alternate, type JudgedWorkload, listLowestBatch } from "../workloads/index.ts";
import { type BatchChoice, type BatchInput, describeSubject, wait } from "./batch-choice.ts";

/** The due workloads of a run in a cluster that may be handed out now, in the order of their turns. Read lazily. */
export interface Candidates {
  readonly total: number;
  /** Without those under a stop, above the lowest migration batch, or in a namespace that has to wait for another one. */
  list(): Iterable<JudgedWorkload>;
  /** Those of them that roll; `urgent`: that roll or are broken. */
  listPart(part: "rolling" | "urgent"): readonly JudgedWorkload[];
}

/** The first `count`. */
export function take<T>(from: Iterable<T>, count: number): readonly T[] {
  const taken: T[] = [];
  if (count <= 0) return taken;
  for (const each of from) if (taken.push(each) >= count) break;
  return taken;
}

function* filter(from: Iterable<JudgedWorkload>, isWanted: (each: JudgedWorkload) => boolean) {
  for (const each of from) if (isWanted(each)) yield each;
}

/** Leaves out workloads whose write was refused lately: a permanent refusal must not hold up the others. */
export function skipRefused({ refused }: BatchInput, from: Iterable<JudgedWorkload>): Iterable<JudgedWorkload> {
  return refused === undefined || refused.size === 0 ? from : filter(from, ({ key }) => !refused.has(key));
}

function findStop(each: JudgedWorkload, { stops, run }: BatchInput): ActiveStop | undefined {
  return stops.find((stop) => coversSubject(stop, describeSubject(each, run.id)));
}

/**
 * Whether a stop holds the whole bucket, whose workloads are then skipped at once. Rollbacks are checked one by one (rules
 * 2.3).
 */
function isBucketHeld({ cluster, stops, run }: BatchInput, runClass: RunClass, bucket: string): boolean {
  const subject = { cluster: cluster.name, run: run.id, campaign: run.campaign, namespace: "", bucket };
  return runClass !== "rollback" && stops.some((stop) => coversSubject(stop, subject));
}

/** The workloads under no stop, turn by turn, within a turn in the order of their keys (rules 4.7). */
function* listFree(
  input: BatchInput,
  classes: RunInCluster,
  runClass: RunClass,
  way: "single" | "unit",
): Generator<JudgedWorkload, undefined> {
  const isFree = (each: JudgedWorkload) => findStop(each, input) === undefined;
  for (const turn of classes.turns(runClass, way)) {
    const free = turn.filter(({ bucket }) => !isBucketHeld(input, runClass, bucket));
    if (free.length === 0) continue;
    yield* input.stops.length === 0
      ? classes.list([runClass], ...free)
      : filter(classes.list([runClass], ...free), isFree);
  }
}

/**
 * The candidates of one class, or a wait with the first stop when stops hold them all. Where a namespace's label decides, its
 * workloads move together: one namespace at a time, one that has begun before the others (rules 5.2).
 */
export function openCandidates(input: BatchInput, classes: RunInCluster, runClass: RunClass): Candidates | BatchChoice {
  const isFree = (each: JudgedWorkload) => findStop(each, input) === undefined;
  const listSingles = () => listFree(input, classes, runClass, "single");
  const [unit] = take(listFree(input, classes, runClass, "unit"), 1);
  if (unit === undefined && take(listSingles(), 1).length === 0) {
    const [first] = take(classes.list([runClass]), 1);
    const stop = first === undefined ? undefined : findStop(first, input);
    if (stop !== undefined) return wait(input.run.id, nameStop(stop));
  }
  // A rollback ignores the owners' order (rules 2.3).
  const placed = runClass === "rollback" ? [] : [...filter(classes.list([runClass], "placed"), isFree)];
  const placedUnits = placed.filter((each) => each.site.kind === "namespace");
  const [begun] = take(filter(input.judged.list("begun"), isFree), 1);
  const listUnits = () => listFree(input, classes, runClass, "unit");
  const listNext = () => (runClass === "rollback" ? skipRefused(input, listUnits()) : listUnits());
  const [lowest = unit] = take(listLowestBatch(listNext, placedUnits), 1);
  const turn = (begun ?? lowest)?.workload.namespace;
  const units =
    turn === undefined ? [] : classes.listIn(runClass, turn).filter((each) => each.site.kind === "namespace");
  const isNext = (each: JudgedWorkload) => each.site.kind !== "namespace" || each.workload.namespace === turn;
  return {
    total: classes.count([runClass]),
    list: () => listLowestBatch(() => alternate(units.filter(isFree), listSingles()), placed.filter(isNext)),
    listPart: (part) => [...filter(classes.list([runClass], part), (each) => isFree(each) && isNext(each))],
  };
}
