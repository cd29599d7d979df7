import { findNamed, lookUp } from "#libs/input";
import type { Reason } from "#libs/wording";

import { dropAbsent, type Snapshot } from "../../records/index.ts";
import { nameRunOwner } from "../../main/index.ts";
import { isRunGuardStop, nameStop, type StopStatus } from "../../stops/index.ts";

/** What waits, and why. */
export interface Wait {
  readonly scope: string;
  readonly reason: Reason;
}

/** The run whose failures or gate this wait is about; undefined for others. */
function findGuardedRun({ reason }: Wait): string | undefined {
  if (reason.code === "GateFailed") return reason.run;
  return "stop" in reason && isRunGuardStop(reason.stop) ? findNamed("run", reason.stop.scope) : undefined;
}

interface Guarded {
  readonly run: string;
  /** Its stops by failures and gates. */
  readonly own: readonly StopStatus[];
  /** Whether one of its workloads failed, as far as a wait for its gate says it. */
  readonly hasFailed: boolean | undefined;
}

/**
 * All stops that failures or gates placed on one run, as one: one resume ends them together. Where a gate is among them it is told as
 * the gate's failure, which has more choices.
 */
function joinStops({ run, own, hasFailed }: Guarded, { ledger, specs, main }: Snapshot): Wait | undefined {
  const sorted = own.toSorted((a, b) => Number(a.cause === "gate") - Number(b.cause === "gate"));
  const last = sorted.at(-1);
  if (last === undefined) return undefined;
  const why = [...new Set(sorted.map((stop) => stop.why))].join("; ");
  const record = lookUp(ledger?.runs, run);
  const head = specs.get(main.head);
  const owner = head === undefined || record === undefined ? undefined : nameRunOwner(head, record);
  const known = dropAbsent({ campaign: record?.campaign });
  const { scope } = last;
  if (last.cause !== "gate") return { scope, reason: nameStop({ ...last, why, ...known, ...dropAbsent({ owner }) }) };
  const failed = own.some(({ cause }) => cause === "failures") || hasFailed !== false;
  const stop = { ...last, why };
  return {
    scope,
    reason: { code: "GateFailed", run, why, owner: owner ?? last.who, hasFailed: failed, stop, ...known },
  };
}

/** A stage waits for its rollback's hold only once the rollback is over: until then ending the hold would only hurt. */
function isHeldTooEarly({ reason }: Wait, { ledger }: Snapshot): boolean {
  return reason.code === "StageHeld" && lookUp(ledger?.runs, reason.stop.rollbackOf ?? "")?.state === "open";
}

/**
 * One wait for each run that its failures or gates stopped, whatever number of stops and waits tell of it, with every cause and
 * with the choices once. It stands where the first of them stood.
 */
export function mergeRunStops(
  waits: readonly Wait[],
  stops: readonly StopStatus[],
  snapshot: Snapshot,
): readonly Wait[] {
  const told = new Set<string>();
  const gates = new Map(
    waits.flatMap(({ reason }) => (reason.code === "GateFailed" ? [[reason.run, reason.hasFailed] as const] : [])),
  );
  return waits.flatMap((wait): readonly Wait[] => {
    const run = findGuardedRun(wait);
    const own = stops.filter((stop) => stop.scope === `run/${run ?? ""}` && isRunGuardStop(stop));
    const joined = run === undefined ? undefined : joinStops({ run, own, hasFailed: gates.get(run) }, snapshot);
    if (run === undefined || joined === undefined) return isHeldTooEarly(wait, snapshot) ? [] : [wait];
    if (told.has(run)) return [];
    told.add(run);
    return [joined];
  });
}
