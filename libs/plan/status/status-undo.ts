import type { RunRecord } from "../records/index.ts";
import { listForwardBuckets } from "../main/index.ts";
import type { CommandStatus } from "./campaign-status.ts";

/** The newest of these runs that is still in main's history. */
function findNewest(runs: readonly RunRecord[]): RunRecord | undefined {
  return runs.filter(({ state }) => state !== "gone").toSorted((a, b) => b.order - a.order)[0];
}

/** The way back from the newest of these runs. What a rollback undid is raised again by a merge. */
export function describeUndo(runs: readonly RunRecord[], moved?: (run: RunRecord) => string): CommandStatus {
  const last = findNewest(runs);
  if (last === undefined) return { command: "nothing to undo", effect: "no run is recorded yet" };
  const forward = listForwardBuckets(last);
  if (forward.length === 0) {
    const effect = `run ${last.id} is a rollback itself: to go forward again, change rollouts.yml`;
    return { command: "nothing to undo", effect };
  }
  const how = moved === undefined ? "" : `: ${moved(last)}`;
  const effect = `opens a pull request that takes ${forward.join(", ")} back to before run ${last.id}${how}; with --now at once`;
  return { command: `meshroll rollback run/${last.id} --reason "…"`, effect };
}
