import { lookUp } from "#libs/input";
import { renderWorkloadReason } from "#libs/wording";

import type {
  LedgerChange,
  LedgerState,
  RunChange,
  RunRecord,
  SkippedWorkload,
  Snapshot,
  StopRecord,
  TakenPart,
} from "../records/index.ts";
import { buildContext, leftClasses, type RunClass, type RunView } from "../index/index.ts";
import { collectStops, findRun, isRollbackNow, listRecordedStops } from "../stops/index.ts";
import { createOwnership, type JudgedWorkload } from "../workloads/index.ts";

function describeSkipped({ cluster, key, state }: JudgedWorkload): readonly SkippedWorkload[] {
  if (state.kind !== "skipped") return [];
  const { reason, failed } = state;
  const told = { cluster, workload: key, ...renderWorkloadReason(reason) };
  return [failed === undefined ? told : { ...told, failed: true }];
}

type IsTaken = (each: JudgedWorkload) => boolean;

/** The run's workloads that are taken over. What an earlier stage left over stays with the run, and its end counts it. */
function measurePart(view: RunView, isTaken: IsTaken, by: string): TakenPart {
  const list = (...classes: readonly RunClass[]): readonly JudgedWorkload[] =>
    [...view.clusters.values()]
      .flatMap((inCluster) => [...inCluster.list(classes)])
      .filter((each) => each.isLeftover !== true && isTaken(each));
  const idle = list("idle").length;
  return {
    by,
    migrated: list("migrated").length,
    ...(idle === 0 ? {} : { idle }),
    skipped: list("skipped").flatMap(describeSkipped),
    left: list(...leftClasses).length,
  };
}

function isEmpty({ migrated, idle = 0, skipped, left }: TakenPart): boolean {
  return migrated + idle + skipped.length + left === 0;
}

/** What is taken over of an open run, by this run or stop. */
interface Takeover {
  readonly run: RunRecord;
  readonly isTaken: IsTaken;
  readonly by: string;
}

/** The runs with what is taken over of them now, by the files of main that were judged last. */
function addParts(snapshot: Snapshot, ledger: LedgerState, takeovers: readonly Takeover[]): readonly RunChange[] {
  const context = takeovers.length === 0 ? undefined : buildContext(snapshot, ledger, ledger.judged);
  return takeovers.flatMap(({ run, isTaken, by }): readonly RunChange[] => {
    const view = context?.evaluation.views.find((each) => each.run.id === run.id);
    const part = view === undefined ? undefined : measurePart(view, isTaken, by);
    if (part === undefined || isEmpty(part)) return [];
    return [{ run: { ...run, taken: [...(run.taken ?? []), part] }, steps: [] }];
  });
}

/** Scopes of the runs that are rolled back at once. */
function listRollbacksNow(ledger: LedgerState, without: readonly StopRecord[] = []): readonly string[] {
  const ended = new Set(without.map(({ id }) => id));
  return listRecordedStops(ledger)
    .filter((stop) => isRollbackNow(stop) && !ended.has(stop.id))
    .map(({ scope }) => scope);
}

/** The run that each namespace belongs to once this run is recorded; undefined while its files were not read. */
function nameOwners({ specs, requests, clusters }: Snapshot, ledger: LedgerState, started: RunRecord) {
  const head = specs.get(started.commit);
  if (head === undefined) return undefined;
  const after = { ...ledger, judged: started.commit, runs: { ...ledger.runs, [started.id]: started } };
  const stops = collectStops(after, requests, clusters.values(), { head, specs });
  const ownerOf = createOwnership(head, after, specs, stops);
  return (namespace: string) => ownerOf(namespace).run?.id;
}

/**
 * What open runs have done of the workloads that belong to a later run from its beginning on. A rollback with `--now` moved them back
 * under the run's own id already, so the figures of its request stay.
 */
export function keepProgress(snapshot: Snapshot, ledger: LedgerState, started: RunRecord): readonly RunChange[] {
  const back = listRollbacksNow(ledger);
  const open = Object.values(ledger.runs).filter(
    ({ id, state, converge }) => state === "open" && converge === undefined && !back.includes(`run/${id}`),
  );
  const nameOwner = open.length === 0 ? undefined : nameOwners(snapshot, ledger, started);
  if (nameOwner === undefined) return [];
  const takeovers = open.map((run): Takeover => {
    return { run, isTaken: ({ workload }) => nameOwner(workload.namespace) !== run.id, by: started.id };
  });
  return addParts(snapshot, ledger, takeovers);
}

/**
 * What a run has done when a rollback of it at once is recorded; of a second one the figures of the first stay. Such a request counts
 * from its publication on, and would show the workloads as already to be moved back, so it is measured without requests.
 */
export function keepProgressOf(snapshot: Snapshot, ledger: LedgerState, stop: StopRecord): readonly RunChange[] {
  const run = isRollbackNow(stop) ? findRun(ledger, stop.scope) : undefined;
  if (run?.state !== "open" || listRollbacksNow(ledger).includes(stop.scope)) return [];
  return addParts({ ...snapshot, requests: [] }, ledger, [{ run, isTaken: () => true, by: stop.id }]);
}

/** A rollback at once that a person cancelled takes nothing over, so its figures do not count, unless another one is in force. */
export function dropProgress(ledger: LedgerState, resumed: readonly StopRecord[]): Pick<LedgerChange, "runs"> {
  const back = listRollbacksNow(ledger, resumed);
  const ended = resumed.filter((stop) => isRollbackNow(stop) && !back.includes(stop.scope));
  const runs = [...new Set(ended.map(({ scope }) => scope))].flatMap((scope): readonly RunChange[] => {
    const run = findRun(ledger, scope);
    if (run?.state !== "open" || run.taken === undefined) return [];
    const { taken, ...rest } = run;
    const kept = taken.filter(({ by }) => lookUp(ledger.stops, by) === undefined);
    return [{ run: kept.length === 0 ? rest : { ...rest, taken: kept }, steps: [] }];
  });
  return runs.length === 0 ? {} : { runs };
}
