import { lookUp } from "#libs/input";

import { type LedgerState, parseTime, type RunRecord } from "../../records/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";
import { readMark } from "../taken-back.ts";

const dayMs = 86_400_000;

/** A run that `drift: converge` started, where no person asked. */
function isByItself(run: RunRecord | undefined): boolean {
  return run?.converge?.cause === "deploys";
}

/** Within a day after our write, by the clock of the API server; where it says nothing that is so. */
function isWithinDay({ workload: { times } }: JudgedWorkload): boolean {
  if (times?.written === undefined || times.deployed === undefined) return true;
  return times.deployed - times.written < dayMs;
}

/** Who put a workload back twice; undefined: a manager without a name. */
export interface Insisting {
  readonly manager: string | undefined;
}

/**
 * The manager that put a workload back within a day after `drift: converge` had brought it to what main says: the second time. Two
 * controllers that insist would restart it for ever, so it is left alone. Undefined for any other.
 */
export function findInsisting(runs: LedgerState["runs"], each: JudgedWorkload): Insisting | undefined {
  const { state, workload } = each;
  if (state.kind !== "skipped" || state.reason.code !== "Overwritten") return undefined;
  const writer = readMark(workload);
  if (writer === undefined || !isByItself(lookUp(runs, writer.run)) || !isWithinDay(each)) return undefined;
  return { manager: state.reason.manager };
}

/** Its owner's write ended a try that a converging run forgave already; without one, a run named it within the last day. */
function isNamedBy({ retried, startedAt }: RunRecord, name: string, tries: number, now: number): boolean {
  const named = lookUp(retried, name);
  if (named === undefined) return false;
  return tries > 0 ? named >= tries : now - parseTime(startedAt) < dayMs;
}

/** A converging run was about the workload for this very deploy: once is enough, whatever came of it. */
export function wasNamed(runs: LedgerState["runs"], names: Readonly<Record<string, number>>, now: number): boolean {
  const converging = Object.values(runs).filter(({ converge }) => converge !== undefined);
  return Object.entries(names).every(([name, tries]) => converging.some((run) => isNamedBy(run, name, tries, now)));
}
