import { lookUp } from "#libs/input";

import { type LedgerState, parseTime, type RunRecord } from "../../records/index.ts";
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
