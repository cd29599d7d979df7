import { lookUp, namesOneOf } from "#libs/input";
import type { LedgerState, RunRecord, StopRecord } from "#libs/plan";

import { placeRun, placeStop } from "../files/archive-files.ts";
import { type Piece, readArchived } from "../files/codec.ts";
import type { LedgerBranch } from "../port.ts";
import { LedgerUnreadable } from "../records/records.ts";

function readOne(path: string, text: string): Piece {
  try {
    return readArchived(path, text);
  } catch (error) {
    // One bad file of the archive must not stop readers of the live part; only a reader of that run gets the error.
    if (error instanceof LedgerUnreadable) return {};
    throw error;
  }
}

function markRecalled<T extends RunRecord | StopRecord>(facts: T, whole: T | undefined): T {
  return whole === undefined ? { ...facts, archived: "unreadable" } : { ...whole, archived: "whole" };
}

/** See `Ledger.recall`: two git processes for any number of records. */
export async function recallRuns(
  branch: LedgerBranch,
  state: LedgerState,
  ids: readonly string[],
): Promise<LedgerState> {
  const runs = ids.flatMap((id) => lookUp(state.runs, id) ?? []).filter(({ archived }) => archived === "facts");
  if (runs.length === 0) return state;
  const names = { run: runs.map(({ id }) => id) };
  const stops = Object.values(state.stops).filter(
    ({ scope, archived }) => archived === "facts" && namesOneOf(scope, names),
  );
  const paths = [...runs.map((run) => placeRun(run).whole), ...stops.map((stop) => placeStop(stop).whole)];
  const files = await branch.readTree(state.head, paths);
  const pieces = files.map(({ path, text = "" }) => readOne(path, text));
  const wholeRuns = new Map(pieces.flatMap((piece) => Object.entries(piece.runs ?? {})));
  const wholeStops = new Map(pieces.flatMap((piece) => Object.entries(piece.stops ?? {})));
  return {
    ...state,
    runs: {
      ...state.runs,
      ...Object.fromEntries(runs.map((run) => [run.id, markRecalled(run, wholeRuns.get(run.id))])),
    },
    stops: {
      ...state.stops,
      ...Object.fromEntries(stops.map((each) => [each.id, markRecalled(each, wholeStops.get(each.id))])),
    },
  };
}
