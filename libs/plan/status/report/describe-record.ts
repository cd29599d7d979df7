import { lookUp } from "#libs/input";
import { showDistribution } from "#libs/rollouts";

import { countEnded } from "../../index/index.ts";
import { countLines } from "../../proposals/index.ts";
import {
  dropAbsent,
  findRollbackOf,
  type LedgerState,
  type ListDifference,
  listTakenBack,
  type RunOutcome,
  type RunRecord,
  type SkippedWorkload,
} from "../../records/index.ts";
import type { DifferenceGroup, RecordedGate, RecordReport } from "./run-report.ts";
import { mostListed } from "../status-runs.ts";

/** Workloads named for one reason of a difference. */
const mostDifferent = 20;

function groupDifferences(differences: readonly ListDifference[]): readonly DifferenceGroup[] {
  const groups = Map.groupBy(differences, ({ why }) => why);
  return [...groups]
    .map(([why, all]) => ({
      why,
      count: all.length,
      items: all
        .slice(0, mostDifferent)
        .map(({ cluster, workload, reason }) => ({ cluster, workload, ...dropAbsent({ reason }) })),
    }))
    .toSorted((a, b) => b.count - a.count);
}

/** Failures first, as the list is cut. */
function listSkipped({ skipped }: RunOutcome): readonly SkippedWorkload[] {
  const [failed, others] = [skipped.filter((each) => each.failed), skipped.filter((each) => !each.failed)];
  return [...failed, ...others].slice(0, mostListed);
}

function listGates({ gates = {} }: RunRecord): readonly RecordedGate[] {
  return Object.entries(gates).map(([name, recorded]) => {
    const { query: _, ...gate } = recorded;
    return { name, ...gate };
  });
}

/** Readable: records have distributions in a form that is compared. */
function listChanges({ changes }: RunRecord): RecordReport["changes"] {
  return changes.map((each) => ({ ...each, from: showDistribution(each.from), to: showDistribution(each.to) }));
}

function describeOutcome({ outcome }: RunRecord): Pick<RecordReport, "takenOverBy" | "differences" | "skipped"> {
  if (outcome === undefined) return {};
  const { takenOverBy, differences } = outcome;
  return {
    skipped: listSkipped(outcome),
    ...dropAbsent({
      takenOverBy,
      differences: differences === undefined ? undefined : groupDifferences(differences),
    }),
  };
}

/** What the ledger has of a run, for people; long lists are cut. */
export function describeRecord(record: RunRecord, ledger: LedgerState): RecordReport {
  const { id, commit, subject, author, startedAt, state, campaign, stage, endedAt, converge } = record;
  const all = Object.values(ledger.runs);
  const plan = lookUp(ledger.plans, record.list ?? "");
  const rollsBack = listTakenBack(record, all);
  return {
    id,
    commit,
    subject,
    author,
    startedAt,
    state,
    changes: listChanges(record),
    ...dropAbsent({
      campaign,
      stage,
      endedAt,
      reason: converge?.why,
      counts: countEnded(record),
      rolledBackBy: findRollbackOf(record, all),
      listed: plan === undefined ? undefined : countLines(plan.list),
    }),
    ...(record.archived === "facts" ? { archived: true } : {}),
    ...(rollsBack.length === 0 ? {} : { rollsBack }),
    ...describeOutcome(record),
    gates: listGates(record),
  };
}
