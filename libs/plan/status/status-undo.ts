import { renderUndo, type UndoStatus } from "#libs/wording";

import type { RunRecord } from "../records/index.ts";
import { listForwardBuckets } from "../main/index.ts";

/** The newest of these runs that is still in main's history. */
function findNewest(runs: readonly RunRecord[]): RunRecord | undefined {
  return runs.filter(({ state }) => state !== "gone").toSorted((a, b) => b.order - a.order)[0];
}

/** How many workloads a rollback moves, and how many at a time in each cluster. */
interface Extent {
  readonly moved: number;
  readonly batchSize: number;
}

/** The way back from the newest of these runs. What a rollback undid is raised again by a merge. */
export function describeUndo(runs: readonly RunRecord[], measure?: (run: RunRecord) => Extent): UndoStatus {
  const last = findNewest(runs);
  if (last === undefined) return renderUndo({ code: "NoRun" });
  const buckets = listForwardBuckets(last);
  if (buckets.length === 0) return renderUndo({ code: "IsRollback", of: last.id });
  const extent = measure === undefined ? {} : { extent: measure(last) };
  return renderUndo({ code: "TakesBack", run: last.id, buckets, ...extent });
}
