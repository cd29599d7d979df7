import { renderUndo, type UndoStatus } from "#libs/wording";

import type { RunRecord, Snapshot } from "../records/index.ts";
import { countLeft, type RunView } from "../index/index.ts";
import { listForwardBuckets } from "../main/index.ts";
import { findRevertedRun, listRecordedStops } from "../stops/index.ts";

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

/** A rollback at work; `done` of its `total` workloads run what main had before. */
export interface RollbackStatus {
  readonly run: string;
  readonly done: number;
  readonly total: number;
}

/** Everything of the run goes back: it takes no bucket forward, or a rollback at once of it is in force. */
export function isRolledBack({ run }: RunView, { ledger }: Pick<Snapshot, "ledger">): boolean {
  if (run.changes.length > 0 && listForwardBuckets(run).length === 0) return true;
  return ledger !== undefined && listRecordedStops(ledger).some((stop) => findRevertedRun(stop, ledger)?.id === run.id);
}

/** The newest rollback of these runs that has something left to do. */
export function describeRollback(views: readonly RunView[], snapshot: Snapshot): RollbackStatus | undefined {
  const view = views.findLast((each) => isRolledBack(each, snapshot) && countLeft(each).left > 0);
  if (view === undefined) return undefined;
  const { left, total } = countLeft(view);
  return { run: view.run.id, done: total - left, total };
}
