import { lookUp } from "#libs/input";

import { type LedgerState, nameInFleet, parseTime, type RunRecord } from "../../records/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";
import { readMark } from "../taken-back.ts";

const dayMs = 86_400_000;

/** Whether `drift: converge` started the run, without a person's request. */
function isByItself(run: RunRecord | undefined): boolean {
  return run?.converge?.cause === "deploys";
}

/** Within a day after our write, by the API server's clock; true where it does not say. */
function isWithinDay({ workload: { times } }: JudgedWorkload): boolean {
  if (times?.written === undefined || times.deployed === undefined) return true;
  return times.deployed - times.written < dayMs;
}

/** The manager that overwrote a workload twice; undefined: it has no name. */
export interface Insisting {
  readonly manager: string | undefined;
}

/**
 * The manager that overwrote a workload again within a day after `drift: converge` had corrected it. It is left alone then,
 * because two controllers that insist would restart it for ever. Undefined for any other.
 */
export function findInsisting(runs: LedgerState["runs"], each: JudgedWorkload): Insisting | undefined {
  const { state, workload } = each;
  if (state.kind !== "skipped" || state.reason.code !== "Overwritten") return undefined;
  const writer = readMark(workload);
  if (writer === undefined || !isByItself(lookUp(runs, writer.run)) || !isWithinDay(each)) return undefined;
  return { manager: state.reason.manager };
}

/**
 * The manager that took a workload back by replacing it as a whole, our annotations too (`kubectl rollout undo`), within a day after
 * `drift: converge` had moved it. Undefined for any other.
 */
export function findUndoing(
  runs: LedgerState["runs"],
  { cluster, key, state, workload }: JudgedWorkload,
  now: number,
): Insisting | undefined {
  if ((state.kind !== "pending" && state.kind !== "waiting") || readMark(workload) !== undefined) return undefined;
  const name = nameInFleet(cluster, key);
  const mover = Object.values(runs).find((run) => isByItself(run) && hasMoved(run, name, now));
  return mover === undefined ? undefined : { manager: workload.revisionManager?.name };
}

/** It named the workload, ended within the last day, and did not name it as skipped. */
function hasMoved({ state, endedAt, retried, outcome }: RunRecord, name: string, now: number): boolean {
  if (state !== "done" || endedAt === undefined || now - parseTime(endedAt) >= dayMs) return false;
  const isSkipped = outcome?.skipped.some(({ cluster, workload }) => nameInFleet(cluster, workload) === name) === true;
  return !isSkipped && lookUp(retried, name) !== undefined;
}

/** Its owner's write ended a try that a converging run had forgiven; without a try, a run named it within the last day. */
function isNamedBy({ retried, startedAt }: RunRecord, name: string, tries: number, now: number): boolean {
  const named = lookUp(retried, name);
  if (named === undefined) return false;
  return tries > 0 ? named >= tries : now - parseTime(startedAt) < dayMs;
}

/** Whether a converging run was about the workload for this very deploy: it is not repeated, whatever the outcome. */
export function wasNamed(runs: LedgerState["runs"], names: Readonly<Record<string, number>>, now: number): boolean {
  const converging = Object.values(runs).filter(({ converge }) => converge !== undefined);
  return Object.entries(names).every(([name, tries]) => converging.some((run) => isNamedBy(run, name, tries, now)));
}
