import type { FleetStatus, RecordReport } from "#libs/plan";

import { printCount } from "../count.ts";

/** A run's state in words, and the mark that stands with them. */
export interface RunState {
  readonly words: string;
  readonly mark: "done" | "moving" | "pending" | "failed" | "skipped" | "held";
}

type Known = Pick<RecordReport, "id" | "state" | "campaign" | "counts" | "takenOverBy" | "rolledBackBy">;

/** Whether a pause holds it: its own, its campaign's, or the fleet's. */
function isPaused({ id, campaign }: Known, stops: FleetStatus["stops"]): boolean {
  const scopes = new Set(["all", `run/${id}`, ...(campaign === undefined ? [] : [`campaign/${campaign}`])]);
  return stops.some(
    ({ strength, scope, foundIn }) => strength === "move" && scopes.has(scope) && foundIn === undefined,
  );
}

function describeOpen(run: Known, stops: FleetStatus["stops"]): RunState {
  const isGoingBack = stops.some(({ scope, cause }) => cause === "rollback" && scope === `run/${run.id}`);
  if (isGoingBack || run.rolledBackBy !== undefined) return { words: "being rolled back", mark: "moving" };
  if (isPaused(run, stops)) return { words: "paused", mark: "held" };
  return { words: "in progress", mark: "moving" };
}

function describeDone({ counts }: Known): RunState {
  if (counts === undefined) return { words: "ended", mark: "done" };
  const { skipped, failed = 0 } = counts;
  if (failed > 0) return { words: `ended, ${printCount(failed, "workload")} failed`, mark: "failed" };
  if (skipped > 0) return { words: `ended, ${printCount(skipped, "workload")} skipped`, mark: "skipped" };
  return { words: "ended, all migrated", mark: "done" };
}

/** The state of a run by its record, and by what stops it now. */
export function describeRunState(run: Known, stops: FleetStatus["stops"]): RunState {
  if (run.state === "open") return describeOpen(run, stops);
  if (run.rolledBackBy !== undefined) return { words: "rolled back", mark: "skipped" };
  if (run.takenOverBy !== undefined) return { words: "superseded by a later run", mark: "skipped" };
  if (run.state === "empty") return { words: "ended, nothing was to be moved", mark: "done" };
  if (run.state === "gone") return { words: "ended, its commit is not in main any more", mark: "skipped" };
  return describeDone(run);
}
