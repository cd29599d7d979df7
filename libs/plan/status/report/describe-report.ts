import { dropAbsent, type LedgerState, type RunRecord } from "../../records/index.ts";
import type { FleetStatus } from "../status.ts";
import { describeRecord } from "./describe-record.ts";
import type { ReportedGate, RunReport, RunSeries } from "./run-report.ts";
import { findRunGates } from "./run-series.ts";

function listGates(status: FleetStatus, id: string): readonly ReportedGate[] | undefined {
  return findRunGates(status.campaigns ?? [], id)?.map((each) => {
    const { query: _, ...gate } = each;
    return gate;
  });
}

/** One run for the page. `status`: the planner's newest, for a run that is open. */
export function describeReport(
  record: RunRecord,
  ledger: LedgerState,
  series: RunSeries,
  { at, status }: { readonly at: string; readonly status?: FleetStatus },
): RunReport {
  const now = status?.runs.find(({ id }) => id === record.id);
  const gates = status === undefined || now === undefined ? undefined : listGates(status, record.id);
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "RunReport",
    at,
    record: describeRecord(record, ledger),
    ...dropAbsent({ now, gates }),
    series,
  };
}
