import { lookUp } from "#libs/input";
import type { LedgerState, RunRecord, StopRecord } from "#libs/plan";

import { placePlan, placeRun, placeStop, printPastRuns, printPastStops } from "./archive-files.ts";
import { namePlan, printPlan } from "./codec.ts";
import { printRecord } from "../records/records.ts";

function printHeads({ baseline, main, judged, sequence }: LedgerState): ReadonlyMap<string, string> {
  return new Map([
    ["baseline", printRecord(baseline)],
    ["heads", printRecord({ main, judged, sequence })],
  ]);
}

/** Path -> new content; null removes. */
type Changes = Map<string, string | null>;

type Archivable = RunRecord | StopRecord;

/** How one kind of record is written. */
interface Kind<T extends Archivable> {
  readonly folder: "runs" | "stops";
  readonly place: (record: T) => { readonly whole: string; readonly past: string };
  readonly printPast: (records: readonly T[]) => string;
}

const runKind: Kind<RunRecord> = { folder: "runs", place: placeRun, printPast: printPastRuns };
const stopKind: Kind<StopRecord> = { folder: "stops", place: placeStop, printPast: printPastStops };

type Records<T> = Readonly<Record<string, T>>;

function isLive<T extends Archivable>(record: T | undefined): record is T {
  return record !== undefined && record.archived === undefined;
}

/** A record that leaves the live part is archived as it was last; one that comes back leaves the archive. */
function moveOne<T extends Archivable>(
  kind: Kind<T>,
  changes: Changes,
  id: string,
  before: T | undefined,
  after: T,
): void {
  const path = `${kind.folder}/${id}.json`;
  const { whole } = kind.place(after);
  if (isLive(after)) {
    const text = printRecord(after);
    if (!isLive(before) || printRecord(before) !== text) changes.set(path, text);
    if (before !== undefined && !isLive(before)) changes.set(whole, null);
    return;
  }
  if (before !== undefined && !isLive(before)) return;
  if (before === undefined) throw new Error(`bug: ${path} would go to the archive without ever having been live`);
  changes.set(path, null);
  changes.set(whole, printRecord(before));
}

/** Rewrites the files of lines in which a record came or went. */
function rewritePast<T extends Archivable>(
  kind: Kind<T>,
  changes: Changes,
  after: Records<T>,
  touched: ReadonlySet<string>,
) {
  if (touched.size === 0) return;
  const lines = new Map<string, T[]>([...touched].map((path) => [path, []]));
  for (const record of Object.values(after)) if (!isLive(record)) lines.get(kind.place(record).past)?.push(record);
  for (const [path, records] of lines) changes.set(path, records.length === 0 ? null : kind.printPast(records));
}

/** Whether the record's line comes or goes. */
function isPastTouched<T extends Archivable>(old: T | undefined, record: T): boolean {
  return isLive(old) !== isLive(record) && (old !== undefined || !isLive(record));
}

function listRecordChanges<T extends Archivable>(kind: Kind<T>, before: Records<T>, after: Records<T>): Changes {
  const changes: Changes = new Map();
  const touched = new Set<string>();
  for (const [id, record] of Object.entries(after)) {
    const old = lookUp(before, id);
    // A state has thousands of records; a transition replaces only the few objects that it changes.
    if (old === record) continue;
    moveOne(kind, changes, id, old, record);
    if (isPastTouched(old, record)) touched.add(kind.place(record).past);
  }
  for (const [id, record] of Object.entries(before)) {
    if (lookUp(after, id) === undefined && isLive(record)) changes.set(`${kind.folder}/${id}.json`, null);
  }
  rewritePast(kind, changes, after, touched);
  return changes;
}

function listRequestChanges(before: LedgerState["requests"], after: LedgerState["requests"]): Changes {
  const changes: Changes = new Map();
  for (const [id, request] of Object.entries(after)) {
    const path = `requests/${id}.json`;
    if (lookUp(before, id) !== request) changes.set(path, printRecord(request));
  }
  for (const id of Object.keys(before)) if (lookUp(after, id) === undefined) changes.set(`requests/${id}.json`, null);
  return changes;
}

/** A list is archived if a run carried it out, and removed if its pull request was not merged. */
function listPlanChanges({ plans: before }: Pick<LedgerState, "plans">, { plans: after, runs }: LedgerState): Changes {
  const changes: Changes = new Map();
  for (const [head, plan] of Object.entries(after)) {
    const old = lookUp(before, head);
    if (old === plan) continue;
    const text = printPlan(plan);
    if (old === undefined || printPlan(old) !== text) changes.set(namePlan(plan), text);
  }
  const leaving = Object.values(before).filter(({ head }) => lookUp(after, head) === undefined);
  const carriedOut = leaving.length === 0 ? new Set() : new Set(Object.values(runs).map(({ list }) => list));
  for (const plan of leaving) {
    changes.set(namePlan(plan), null);
    if (carriedOut.has(plan.head)) changes.set(placePlan(plan), printPlan(plan));
  }
  return changes;
}

const empty = { runs: {}, stops: {}, requests: {}, plans: {} };

/** Only differing files are written, so that a commit shows its transition and nothing else. Path -> content; null removes. */
export function listChanges(
  before: LedgerState | undefined,
  after: LedgerState,
): Readonly<Record<string, string | null>> {
  const old = before ?? empty;
  const known = before === undefined ? new Map<string, string>() : printHeads(before);
  const heads = [...printHeads(after)].filter(([path, content]) => known.get(path) !== content);
  return Object.fromEntries([
    ...heads,
    ...listRecordChanges(runKind, old.runs, after.runs),
    ...listRecordChanges(stopKind, old.stops, after.stops),
    ...listRequestChanges(old.requests, after.requests),
    ...listPlanChanges(old, after),
  ]);
}
