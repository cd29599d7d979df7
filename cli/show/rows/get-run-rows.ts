import { countEnded, dropAbsent, findRollbackOf, type FleetStatus, type LedgerState, type RunRecord } from "#libs/plan";

import { printAgeCell } from "./get-status-rows.ts";
import type { Listing, Row } from "../listing.ts";

type RunStatus = FleetStatus["runs"][number];

/** Done of all, skipped, and how many of the skipped ones failed. */
type Figures = readonly [done: string, skipped: string, failed: string];

const unknown: Figures = ["-", "-", "-"];

interface Counted extends Readonly<Record<"workloads" | "migrated" | "skipped", number>> {
  /** Absent where it is not known. */
  readonly failed?: number;
}

function printFigures({ workloads, migrated, skipped, failed }: Counted): Figures {
  return [`${migrated}/${workloads}`, String(skipped), failed === undefined ? "-" : String(failed)];
}

function countOpen({ workloads, migrated, skippedTotal: skipped, clusters }: RunStatus): Figures {
  const failed = clusters.reduce((sum, share) => sum + share.failed, 0);
  return printFigures({ workloads, migrated, skipped, failed });
}

/**
 * Figures of a run: of an open one from the status, of an ended one from its record. One that was rolled back had workloads, so where
 * its record counts none an earlier version wrote it. `by`: the run that rolled it back.
 */
function countRun(
  record: Pick<RunRecord, "outcome" | "counts">,
  run: RunStatus | undefined,
  by: string | undefined,
): Figures {
  if (run !== undefined) return countOpen(run);
  const ended = countEnded(record);
  return ended === undefined || (by !== undefined && ended.workloads === 0) ? unknown : printFigures(ended);
}

/** The run that rolled it back, once it is over. */
function findRollback(record: RunRecord, all: readonly RunRecord[], run: RunStatus | undefined): string | undefined {
  return run === undefined && record.state !== "open" ? findRollbackOf(record, all) : undefined;
}

function makeRow(record: RunRecord, all: readonly RunRecord[], status: FleetStatus | undefined, now: string): Row {
  const { id, campaign, stage, state, startedAt, endedAt, author, subject } = record;
  const run = status?.runs.find((each) => each.id === id);
  const by = findRollback(record, all, run);
  const shown = by === undefined ? state : "rolled-back";
  return {
    name: id,
    cells: [id, campaign ?? "-", stage ?? "-", shown, ...countRun(record, run, by), printAgeCell(startedAt, now)],
    wide: [by ?? "-", author.replaceAll(" ", "-"), endedAt ?? "-", subject],
    item: { ...record, ...dropAbsent({ rolledBackBy: by, progress: run }) },
  };
}

/** Without the ledger only open runs in the planner's status are known. */
function makeOpenRow(run: RunStatus, now: string): Row {
  const { id, startedAt, author, subject } = run;
  const cells = [id, "-", "-", "open", ...countOpen(run), printAgeCell(startedAt, now)];
  return { name: id, cells, wide: ["-", author.replaceAll(" ", "-"), "-", subject], item: run };
}

/** All runs of the ledger, newest first; by name those of a campaign, or one. `nowMs`: for ages where there is no status. */
export function listRuns(
  ledger: LedgerState | undefined,
  status: FleetStatus | undefined,
  name: string | undefined,
  nowMs = Date.now(),
): Listing {
  const now = status?.at ?? new Date(nowMs).toISOString();
  const all = Object.values(ledger?.runs ?? {});
  const records = all
    .filter(({ id, campaign }) => name === undefined || campaign === name || `run/${id}` === name)
    .toSorted((a, b) => b.order - a.order);
  const rows =
    ledger === undefined
      ? (status?.runs ?? []).map((run) => makeOpenRow(run, now))
      : records.map((record) => makeRow(record, all, status, now));
  const header = ["NAME", "CAMPAIGN", "STAGE", "STATE", "DONE", "SKIPPED", "FAILED", "AGE"];
  const spare = ["AGE", "CAMPAIGN", "STAGE", "SKIPPED"];
  return {
    kind: "RunList",
    prefix: "run",
    header,
    spare,
    wideHeader: ["ROLLED-BACK-BY", "AUTHOR", "ENDED", "SUBJECT"],
    rows,
  };
}
