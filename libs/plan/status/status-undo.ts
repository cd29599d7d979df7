import { renderUndo, type UndoStatus } from "#libs/wording";

import { listTakenBack, type RunRecord, type Snapshot, type Spec } from "../records/index.ts";
import { countLeft, countLeftIn, type RunView } from "../index/index.ts";
import { isPureRollback, listForwardBuckets, settingsOf } from "../main/index.ts";
import { estimateRollback } from "../proposals/index.ts";
import { findRevertedRun, listRecordedStops } from "../stops/index.ts";

/** The newest of these runs in main's history. A converging run changed nothing that could be undone. */
function findNewest(runs: readonly RunRecord[]): RunRecord | undefined {
  const changing = runs.filter(({ state, converge }) => state !== "gone" && converge === undefined);
  return changing.toSorted((a, b) => b.order - a.order)[0];
}

/** The number of workloads in a rollback, and how many at a time in each cluster. */
interface Extent {
  readonly moved: number;
  readonly batchSize: number;
}

/** How to roll back the newest of these runs. What a rollback undid is raised again by a merge. */
export function describeUndo(
  runs: readonly RunRecord[],
  rollback: RollbackStatus | undefined,
  measure?: (run: RunRecord) => Extent,
): UndoStatus {
  const last = findNewest(runs);
  if (last === undefined) return renderUndo({ code: "NoRun" });
  if (rollback?.run === last.id) return renderUndo({ code: "AtWork", run: last.id, of: rollback.of });
  const buckets = listForwardBuckets(last);
  if (buckets.length === 0) return renderUndo({ code: "IsRollback", run: last.id, of: listTakenBack(last, runs) });
  const extent = measure === undefined ? {} : { extent: measure(last) };
  return renderUndo({ code: "TakesBack", run: last.id, buckets, ...extent });
}

/** A rollback in progress; `done` of its `total` workloads run what main had before. */
export interface RollbackStatus {
  /** The run that moves workloads back. */
  readonly run: string;
  /** The runs that are rolled back; `run` itself where that is done at once. Empty where only a part of one is. */
  readonly of: readonly string[];
  readonly done: number;
  readonly total: number;
  /** The remaining time by its batches, at a minute each and with delays; absent without a head. */
  readonly aboutSeconds?: number;
}

/** Whether all of the run is rolled back: it moves no bucket forward, or a rollback with `--now` of it is in force. */
export function isRolledBack({ run }: RunView, { ledger }: Pick<Snapshot, "ledger">): boolean {
  if (isPureRollback(run)) return true;
  return ledger !== undefined && listRecordedStops(ledger).some((stop) => findRevertedRun(stop, ledger)?.id === run.id);
}

/** The newest rollback of these runs that has something left. */
export function describeRollback(
  views: readonly RunView[],
  snapshot: Snapshot,
  head: Spec | undefined,
): RollbackStatus | undefined {
  const view = views.findLast((each) => isRolledBack(each, snapshot) && countLeft(each).left > 0);
  if (view === undefined) return undefined;
  const { left, total } = countLeft(view);
  const { run } = view;
  const of = isPureRollback(run) ? listTakenBack(run, Object.values(snapshot.ledger?.runs ?? {})) : [run.id];
  const progress = { run: run.id, of, done: total - left, total };
  if (head === undefined) return progress;
  const rest = [...view.clusters.values()].map(countLeftIn);
  const { rollbackBatch } = settingsOf(head, view.run);
  return { ...progress, aboutSeconds: Math.round(estimateRollback(rollbackBatch, rest) / 1000) };
}
