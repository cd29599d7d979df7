import { findNamed, lookUp } from "#libs/input";

import {
  countOutcome,
  dropAbsent,
  type LedgerChange,
  type LedgerState,
  type RunRecord,
  type StopRecord,
} from "../records/index.ts";

/**
 * The facts that decisions need of an older ended run: its place in main's history, its changes, and its campaign. Clusters,
 * verdicts and outcome are in the archive.
 */
export function summariseRun(run: RunRecord): RunRecord {
  const {
    clusters: _,
    expected: __,
    retried: ___,
    bake: ____,
    gates: _____,
    measured: ______,
    reopened: _______,
    taken: ________,
    outcome,
    ...facts
  } = run;
  if (outcome === undefined) return { ...facts, clusters: {}, archived: "facts" };
  return { ...facts, clusters: {}, counts: countOutcome(outcome), archived: "facts" };
}

/** The facts of an ended stop: that it existed, its scope and times; ids are never reused. */
export function summariseStop({ resume, ...stop }: StopRecord): StopRecord {
  const { id, scope, strength, at, who, cause, stage, revertTo, now, rollbackOf, foundIn } = stop;
  return {
    id,
    scope,
    strength,
    at,
    who,
    why: "",
    cause,
    ...(stage === undefined ? {} : { stage }),
    ...(revertTo === undefined ? {} : { revertTo }),
    ...(now === undefined ? {} : { now }),
    ...(rollbackOf === undefined ? {} : { rollbackOf }),
    ...(foundIn === undefined ? {} : { foundIn }),
    ...(resume === undefined ? {} : { resume: { at: resume.at, who: resume.who, why: "" } }),
    archived: "facts",
  };
}

function unmark<T extends { readonly archived?: unknown }>(record: T): Omit<T, "archived"> {
  const { archived: _, ...live } = record;
  return live;
}

/** The record of a run with forgiven tries; one that was over is open again, for these alone. */
export function openAgain(run: RunRecord, retried: RunRecord["retried"]): RunRecord {
  const { endedAt: _, outcome: __, ...record } = run;
  const reopened = record.state === "open" ? {} : ({ reopened: true } as const);
  return { ...record, ...reopened, ...dropAbsent({ retried }), state: "open" };
}

/**
 * Moves a run that is opened again, and its stops, back to the live part, as far as they were read from the archive. A summary
 * must not replace the full record.
 */
export function restoreRun({ runs, stops }: LedgerState, scope: string): Pick<LedgerChange, "runs" | "stops"> {
  const run = lookUp(runs, findNamed("run", scope) ?? "");
  if (run?.archived !== "whole") return {};
  const own = Object.values(stops).filter((stop) => stop.scope === scope && stop.archived === "whole");
  return {
    runs: [{ run: unmark(run), steps: [{ kind: "restored" }] }],
    ...(own.length === 0 ? {} : { stops: own.map((stop) => ({ stop: unmark(stop), step: "restored" })) }),
  };
}
