import { countEnded, type FleetStatus, wasRolledBack, type LedgerState, type RunRecord } from "#libs/plan";

import { printAgeCell } from "./get-status-rows.ts";
import type { Listing, Row } from "../listing.ts";

type RunStatus = FleetStatus["runs"][number];

/** Figures of a run: of an open one from the status, of an ended one from its record. */
function countRun(record: Partial<RunRecord>, run: RunStatus | undefined): readonly [done: string, skipped: string] {
  if (run !== undefined) return [`${run.migrated}/${run.workloads}`, String(run.skippedTotal)];
  const ended = countEnded(record);
  return ended === undefined ? ["-", "-"] : [`${ended.migrated}/${ended.workloads}`, String(ended.skipped)];
}

function makeRow(record: RunRecord, all: readonly RunRecord[], status: FleetStatus | undefined, now: string): Row {
  const { id, campaign, stage, state, startedAt, endedAt, author, subject } = record;
  const run = status?.runs.find((each) => each.id === id);
  const isOver = run === undefined && state !== "open";
  const shown = isOver && wasRolledBack(record, all) ? "rolled-back" : state;
  const [done, skipped] = shown === "rolled-back" ? ["-", "-"] : countRun(record, run);
  return {
    name: id,
    cells: [id, campaign ?? "-", stage ?? "-", shown, done, skipped, printAgeCell(startedAt, now)],
    wide: [author.replaceAll(" ", "-"), endedAt ?? "-", subject],
    item: run === undefined ? record : { ...record, progress: run },
  };
}

/** Without the ledger only open runs in the planner's status are known. */
function makeOpenRow(run: RunStatus, now: string): Row {
  const { id, migrated, workloads, skippedTotal, startedAt, author, subject } = run;
  const cells = [id, "-", "-", "open", `${migrated}/${workloads}`, String(skippedTotal), printAgeCell(startedAt, now)];
  return { name: id, cells, wide: [author.replaceAll(" ", "-"), "-", subject], item: run };
}

/** All runs of the ledger, newest first; by name those of a campaign, or one. */
export function listRuns(
  ledger: LedgerState | undefined,
  status: FleetStatus | undefined,
  name: string | undefined,
): Listing {
  const now = status?.at ?? new Date().toISOString();
  const all = Object.values(ledger?.runs ?? {});
  const records = all
    .filter(({ id, campaign }) => name === undefined || campaign === name || `run/${id}` === name)
    .toSorted((a, b) => b.order - a.order);
  const rows =
    ledger === undefined
      ? (status?.runs ?? []).map((run) => makeOpenRow(run, now))
      : records.map((record) => makeRow(record, all, status, now));
  const header = ["NAME", "CAMPAIGN", "STAGE", "STATE", "DONE", "SKIPPED", "AGE"];
  const spare = ["AGE", "CAMPAIGN", "STAGE", "SKIPPED"];
  return { kind: "RunList", prefix: "run", header, spare, wideHeader: ["AUTHOR", "ENDED", "SUBJECT"], rows };
}
