import type { FleetStatus, LedgerState, RunRecord } from "#libs/plan";

import { exitCodes } from "../../terminal/exit-codes.ts";
import { refuseUnknown } from "../../names/unknown-name.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { RollbackSubject } from "./rollback-subject.ts";

/** How much of a campaign is rolled back. */
export interface CampaignExtent {
  /** The newest run of this stage; absent = of any stage. */
  readonly stage?: string;
  /** All of the campaign, to before its first run. */
  readonly whole: boolean;
}

type ListForward = (run: RunRecord) => readonly string[];

/** Main's history in the status and the ledger's runs. */
interface Known {
  readonly ledger: LedgerState;
  readonly status: FleetStatus | undefined;
}

function refuseNone(name: string, { stage }: CampaignExtent, runs: readonly RunRecord[], known: Known): Refusal {
  const stages = [...new Set(runs.flatMap((run) => run.stage ?? []))];
  if (stage !== undefined && runs.length > 0) {
    const help = `stages that did: ${stages.join(", ")}`;
    return new Refusal(exitCodes.invalid, `stage ${stage} of ${name} moved no workload forward`, help);
  }
  const moved = [...new Set(Object.values(known.ledger.runs).flatMap((run) => run.campaign ?? []))].toSorted();
  const all = [...moved, ...(known.status?.campaigns ?? []).map((each) => each.name)];
  if (!all.includes(name)) return refuseUnknown("campaign", name, all, "no campaign has a run");
  return new Refusal(
    exitCodes.invalid,
    `campaign ${name} moved no workload forward: there is nothing to undo`,
    moved.length === 0
      ? [{ command: "meshroll history" }, "  lists the runs"]
      : `campaigns that did: ${moved.join(", ")}`,
  );
}

/** The newest run of each bucket, newest first; each is rolled back to before the campaign's first run. */
function pickWhole(runs: readonly RunRecord[], listForward: ListForward): readonly RollbackSubject[] {
  const [first] = runs;
  const taken = new Set<string>();
  const picked: RollbackSubject[] = [];
  for (const run of runs.toReversed()) {
    const buckets = listForward(run);
    if (buckets.every((pattern) => taken.has(pattern))) continue;
    for (const pattern of buckets) taken.add(pattern);
    const isEarlier = first !== undefined && first.before !== run.before;
    picked.push({ run: run.id, record: run, ...(isEarlier ? { revertTo: first.before } : {}) });
  }
  return picked;
}

/** Without git a rollback must still work: the planner's status names the run. */
function askPlanner(name: string, extent: CampaignExtent, status: FleetStatus | undefined): readonly RollbackSubject[] {
  const undo = status?.campaigns?.find((each) => each.name === name)?.undo;
  const run = undo?.command === undefined ? undefined : undo.run;
  if (run !== undefined && !extent.whole && extent.stage === undefined) return [{ run }];
  const help = ["name a run:  ", { command: "meshroll rollback run/ID --reason …" }];
  throw new Refusal(exitCodes.unavailable, `the runs of ${name} are unknown: no ledger is available`, help);
}

/** The runs to roll back for a campaign: its newest, that of one stage, or all of them. */
export function findCampaignRollback(
  name: string,
  extent: CampaignExtent,
  ledger: LedgerState | undefined,
  status: FleetStatus | undefined,
  listForward: ListForward,
): readonly RollbackSubject[] {
  if (ledger === undefined) return askPlanner(name, extent, status);
  const runs = Object.values(ledger.runs)
    .filter((run) => run.campaign === name && run.state !== "gone" && listForward(run).length > 0)
    .toSorted((a, b) => a.order - b.order);
  const asked = extent.stage === undefined ? runs : runs.filter((run) => run.stage === extent.stage);
  const newest = asked.at(-1);
  if (newest === undefined) throw refuseNone(name, extent, runs, { ledger, status });
  return extent.whole ? pickWhole(runs, listForward) : [{ run: newest.id, record: newest }];
}
