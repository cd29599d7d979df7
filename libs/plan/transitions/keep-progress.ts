import { renderWorkloadReason } from "#libs/wording";

import type {
  LedgerChange,
  LedgerState,
  RunChange,
  RunProgress,
  RunRecord,
  SkippedWorkload,
  Snapshot,
  StopRecord,
} from "../records/index.ts";
import { buildContext, countClasses, countLeft, type RunView } from "../index/index.ts";
import { findRun, isRollbackNow, listRecordedStops } from "../stops/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";

function describeSkipped({ cluster, key, state }: JudgedWorkload): readonly SkippedWorkload[] {
  if (state.kind !== "skipped") return [];
  const { reason, failed } = state;
  const told = { cluster, workload: key, ...renderWorkloadReason(reason) };
  return [failed === undefined ? told : { ...told, failed: true }];
}

function measureProgress(view: RunView): RunProgress {
  const idle = countClasses(view, ["idle"]);
  const skipped = [...view.clusters.values()].flatMap((classes) =>
    [...classes.list(["skipped"])].flatMap(describeSkipped),
  );
  return {
    migrated: countClasses(view, ["migrated"]),
    ...(idle === 0 ? {} : { idle }),
    skipped,
    left: countLeft(view).left,
  };
}

/** The open runs with these ids, with what they have done now, by the files of main that were judged last. */
function measureRuns(
  snapshot: Snapshot,
  ledger: LedgerState,
  isAsked: (run: RunRecord) => boolean,
): readonly RunChange[] {
  const asked = Object.values(ledger.runs).filter((run) => run.state === "open" && isAsked(run));
  const context = asked.length === 0 ? undefined : buildContext(snapshot, ledger, ledger.judged);
  return asked.flatMap((run) => {
    const view = context?.evaluation.views.find((each) => each.run.id === run.id);
    return view === undefined ? [] : [{ run: { ...run, atTakeover: measureProgress(view) }, steps: [] }];
  });
}

/**
 * What open runs have done when a later run on their buckets begins: its workloads then belong to that one. A rollback with
 * `--now` moved them back under the run's own id already, so the figures of its request stay.
 */
export function keepProgress(snapshot: Snapshot, ledger: LedgerState, started: RunRecord): readonly RunChange[] {
  const back = listRecordedStops(ledger)
    .filter(isRollbackNow)
    .map(({ scope }) => scope);
  return measureRuns(
    snapshot,
    ledger,
    ({ id, converge, buckets }) =>
      converge === undefined &&
      !back.includes(`run/${id}`) &&
      buckets.some((pattern) => started.buckets.includes(pattern)),
  );
}

/**
 * What the run has done when a rollback of it is requested. A request with `--now` counts from its publication on, and would show
 * the workloads as already to be moved back, so it is measured without requests.
 */
export function keepProgressOf(snapshot: Snapshot, ledger: LedgerState, id: string): readonly RunChange[] {
  return measureRuns({ ...snapshot, requests: [] }, ledger, (run) => run.id === id);
}

/** A rollback that a person cancelled takes nothing over, so the figures of its request do not count. */
export function dropProgress(ledger: LedgerState, resumed: readonly StopRecord[]): Pick<LedgerChange, "runs"> {
  const runs = resumed
    .filter(({ cause }) => cause === "rollback")
    .flatMap(({ scope }) => findRun(ledger, scope) ?? [])
    .filter(({ state, atTakeover }) => state === "open" && atTakeover !== undefined)
    .map((kept) => {
      const { atTakeover: _, ...run } = kept;
      return { run, steps: [] };
    });
  return runs.length === 0 ? {} : { runs };
}
