import type { BucketStatus, FleetStatus } from "#libs/plan";

import type { RunEnd, RunSight } from "../run-facts.ts";

/** A wait with its cause, owner, deadline and next command; `scopes` is how many wait for the same. */
export interface WaitAnswer {
  readonly message: string;
  readonly owner: string;
  readonly until?: string;
  readonly command?: string;
  readonly scopes: number;
}

export interface Command {
  readonly command: string;
  readonly effect: string;
}

/** The five answers about one run, the same on every surface (architecture §1, promise 5). */
export interface FiveAnswers {
  readonly where: readonly BucketStatus[];
  readonly doing: readonly { readonly cluster: string; readonly workloads: number }[];
  readonly waitingFor: readonly WaitAnswer[];
  readonly otherwise: string;
  readonly stop: Command;
  readonly undo: Command;
}

/** Buckets that are not where they were asked to be come first: they are what the run is about. */
function orderBuckets(where: readonly BucketStatus[]): readonly BucketStatus[] {
  const distance = ({ shares, mixed }: BucketStatus) =>
    mixed + shares.reduce((sum, { asked, actual }) => sum + Math.abs(asked - actual), 0);
  return where.toSorted((a, b) => distance(b) - distance(a));
}

/** Waits of the run and of everybody; the same one in several clusters is told once. */
function collectWaits(id: string, status: FleetStatus): readonly WaitAnswer[] {
  const own = status.waitingFor.filter(
    ({ scope }) => scope === "all" || scope === `run/${id}` || scope.startsWith(`run/${id}@`),
  );
  const groups = new Map<string, WaitAnswer>();
  for (const { message, owner, until, command } of own) {
    const before = groups.get(message);
    groups.set(message, {
      message,
      owner,
      ...(until === undefined ? {} : { until }),
      ...(command === undefined ? {} : { command }),
      scopes: (before?.scopes ?? 0) + 1,
    });
  }
  return [...groups.values()];
}

function nameStop(id: string, isOpen: boolean): Command {
  if (!isOpen) return { command: "", effect: "the run is over: nothing of it moves" };
  return { command: `meshroll pause run/${id} --reason "…"`, effect: "starts nothing more; what rolls finishes" };
}

function nameUndo({ facts: { id, end }, run, status }: RunSight): Command {
  // The planner's own words, where they are about this run: it knows of one that went back itself.
  const undo = status?.undo;
  if (undo !== undefined && `${undo.command} ${undo.effect}`.includes(id)) return undo;
  const count = end?.arrived ?? (run === undefined ? undefined : run.arrived + run.moving);
  const moved = count === undefined ? "what it moved goes back" : `up to ${count} workloads go back`;
  return { command: `meshroll rollback run/${id} --reason "…"`, effect: `${moved}, in batches; a hold stays` };
}

/** What is over does nothing, waits for nobody, and nothing becomes of it. */
function answerEnded(sight: RunSight): FiveAnswers {
  const { facts, status } = sight;
  return {
    where: orderBuckets(status?.where ?? []),
    doing: [],
    waitingFor: [],
    otherwise: "nothing: the run is over",
    stop: nameStop(facts.id, false),
    undo: nameUndo(sight),
  };
}

/** The five answers of one moment. */
export function answerFive(sight: RunSight): FiveAnswers {
  const { facts, status } = sight;
  const { id } = facts;
  if (isOver(sight)) return answerEnded(sight);
  const doing = (status?.doing ?? []).filter((each) => each.run === id);
  return {
    where: orderBuckets(status?.where ?? []),
    doing: doing.map(({ cluster, workloads }) => ({ cluster, workloads: workloads.length })),
    waitingFor: status === undefined ? [] : collectWaits(id, status),
    otherwise: status?.otherwise ?? "",
    stop: nameStop(id, true),
    undo: nameUndo(sight),
  };
}

/** Nothing of it moves any more, whether its end was heard or not. */
export function isOver({ facts, hasVanished }: RunSight): boolean {
  return facts.end !== undefined || hasVanished === true;
}

function isStopped(id: string, status: FleetStatus | undefined): boolean {
  const scopes = [`run/${id}`, "all"];
  return status?.stops.some(({ scope, strength }) => strength === "move" && scopes.includes(scope)) ?? false;
}

function nameEnd({ state, aside, takenOverBy }: RunEnd): string {
  if (takenOverBy !== undefined) return `taken over by run ${takenOverBy}`;
  return state === "done" && aside > 0 ? "done, some aside" : state;
}

/** One word for a run's state, for people. */
export function nameState({ facts, run, status, hasVanished }: RunSight): string {
  if (facts.end !== undefined) return nameEnd(facts.end);
  if (isStopped(facts.id, status)) return "stopped";
  // Its end was told to nobody who still knows; `meshroll history` has it.
  if (hasVanished === true) return "over";
  if (run === undefined) return "started";
  if (run.moving + run.due > 0) return "running";
  return run.waiting > 0 ? "waiting" : "running";
}

/** What merged, as its author said it. */
export function nameRun({ facts, run }: RunSight): string {
  return facts.subject ?? run?.subject ?? `run ${facts.id}`;
}

/** A run's workloads in numbers. */
export interface RunCounts {
  readonly arrived: number;
  readonly total: number;
  readonly moving: number;
  readonly waiting: number;
  readonly aside: number;
}

/** In place of the counts: what was taken over by a later run is no count of this one. */
export function nameHeir({ facts: { end } }: RunSight): string | undefined {
  return end?.takenOverBy === undefined ? undefined : `run ${end.takenOverBy} took its workloads over`;
}

const unknown = { arrived: 0, workloads: 0, moving: 0, waiting: 0, asideTotal: 0 };

/** As it ended, or as the status says; zero while nobody has said anything. */
export function countRun({ facts: { end }, run }: RunSight): RunCounts {
  if (end !== undefined) {
    return { arrived: end.arrived, total: end.arrived + end.aside, moving: 0, waiting: 0, aside: end.aside };
  }
  const { arrived, workloads, moving, waiting, asideTotal } = run ?? unknown;
  return { arrived, total: workloads, moving, waiting, aside: asideTotal };
}
