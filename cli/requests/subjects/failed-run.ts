import { lookUp } from "#libs/input";
import type { FleetStatus, LedgerState, RunRecord } from "#libs/plan";

import { refuseUnknown } from "../../names/unknown-name.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { SkippedWorkload } from "../resolve-workloads.ts";

/** Skipped workloads: of an open run by the planner's status, of an ended one by its record. */
export function listSkipped(
  run: string,
  status: FleetStatus | undefined,
  ledger: LedgerState | undefined,
): readonly SkippedWorkload[] {
  return status?.runs.find(({ id }) => id === run)?.skipped ?? lookUp(ledger?.runs, run)?.outcome?.skipped ?? [];
}

function listRecords(ledger: LedgerState | undefined): readonly RunRecord[] {
  return Object.values(ledger?.runs ?? {}).toSorted((a, b) => b.order - a.order);
}

/** An archived run has only figures. */
function hasSkipped(run: string, status: FleetStatus | undefined, ledger: LedgerState | undefined): boolean {
  const archived = lookUp(ledger?.runs, run)?.counts?.skipped ?? 0;
  return archived > 0 || listSkipped(run, status, ledger).length > 0;
}

/** Refuses a campaign without failures, or an unknown one. */
function refuseNone(campaign: string, status: FleetStatus | undefined, records: readonly RunRecord[]): Refusal {
  const unfinished = status?.campaigns?.map(({ name }) => name) ?? [];
  const known = [...records.flatMap((run) => run.campaign ?? []), ...unfinished];
  if (!known.includes(campaign)) return refuseUnknown("campaign", campaign, known, "no campaign has a run");
  return new Refusal(exitCodes.invalid, `nothing of ${campaign} failed: there is nothing to retry`, [
    { command: `meshroll get failures ${campaign}` },
  ]);
}

/** The newest run of a campaign with skipped workloads; by the ledger, else by the planner's status. */
export function findFailedRun(
  campaign: string,
  status: FleetStatus | undefined,
  ledger: LedgerState | undefined,
): string {
  const records = listRecords(ledger);
  const recorded = records.filter((run) => run.campaign === campaign).map(({ id }) => id);
  const open = status?.campaigns?.find(({ name }) => name === campaign)?.runs ?? [];
  const failed = (ledger === undefined ? open : recorded).find((id) => hasSkipped(id, status, ledger));
  if (failed !== undefined) return failed;
  throw refuseNone(campaign, status, records);
}
