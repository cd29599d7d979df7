import { findNamed, lookUp } from "#libs/input";

import { dropAbsent, type LedgerChange, type LedgerState, type RunRecord, type StopRecord } from "../records/index.ts";

/**
 * What decisions ask of a run that is over and not among the newest: where it stands in main's history, what it changed, and
 * whose it was. Clusters, verdicts and outcome stay in the archive.
 */
export function summariseRun(run: RunRecord): RunRecord {
  const {
    clusters: _,
    expected: __,
    retried: ___,
    bake: ____,
    gates: _____,
    measured: ______,
    outcome,
    ...facts
  } = run;
  if (outcome === undefined) return { ...facts, clusters: {}, archived: "facts" };
  const { migrated, idle, skipped } = outcome;
  const counts = { migrated, ...dropAbsent({ idle }), skipped: skipped.length };
  return { ...facts, clusters: {}, counts, archived: "facts" };
}

/** Of a stop that was ended: that it was there, what it was about and when; ids are never used twice. */
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

/**
 * A run that goes on or back stands among the live ones again, and so do its stops, as far as all of it was read from the
 * archive: facts alone would be written in place of the record.
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
