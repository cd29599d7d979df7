import {
  addSample,
  describeReport,
  emptySeries,
  endSeries,
  type FleetStatus,
  type LedgerState,
  type RunRecord,
  type RunReport,
  type RunSeries,
  type Snapshot,
} from "#libs/plan";
import { writeText } from "#libs/wording";

import { makeRun, sha } from "../../world/build.ts";
import { instantRun, makeInstant, type Progress, statusOf } from "../../world/campaigns/campaign-instant.ts";

const minute = 60_000;
const order = ["stage-use1", "prod-use1-a", "prod-use1-b", "prod-usw2-a", "prod-euw1-a", "prod-apne1-a"];

/** When the run began, epoch ms: 101 minutes before the instant. */
const began = Date.parse("2026-11-19T10:02:00.000Z");

/** How far the run is after so many minutes: one wave after the other, and in each of them one workload a minute. */
function progressAt(minutes: number): Progress {
  return (cluster, index) => {
    const wave = Math.max(0, order.indexOf(cluster)) * 25;
    const own = minutes - wave - index * 5;
    if (own < 0) return "pending";
    if (cluster === "prod-use1-a" && index === 1) return own < 6 ? "migrating" : "failed";
    return own < 5 ? "migrating" : "migrated";
  };
}

/** The status after so many minutes: with batches of three, and a gate whose value rises. */
function statusAt(minutes: number): FleetStatus {
  const at = new Date(began + minutes * minute).toISOString();
  const status = statusOf(makeInstant({ progress: progressAt(minutes) }));
  const errors = Math.round(1000 * (0.4 + 0.3 * Math.sin(minutes / 7) + minutes / 200)) / 1000;
  const gates = status.campaigns?.[0]?.gates.map((gate, index) =>
    index === 0 ? { ...gate, status: "pass" as const, at, value: errors, limit: 1.5 } : gate,
  );
  const rollouts = status.runs[0]?.clusters
    .filter(({ migrating }) => migrating > 0)
    .map(({ cluster, migrating, migrated, failed }) => {
      const batch = 1 + Math.floor((migrated + failed) / 2);
      return { cluster, run: instantRun, batch, of: 3, migrating, workloads: [] };
    });
  const campaigns = status.campaigns?.map((each) => ({ ...each, gates: gates ?? [], rollouts: rollouts ?? [] }));
  return { ...status, at, ...(campaigns === undefined ? {} : { campaigns }) };
}

function makeSeries(minutes: number): RunSeries {
  const samples = Array.from({ length: minutes + 1 }, (_, at) => statusAt(at));
  return samples.reduce((series, status) => addSample(series, status, instantRun), emptySeries);
}

/** The list of its pull request: 28 workloads. */
const plan = {
  head: "c".repeat(40),
  campaign: "istio-1-25",
  stage: "prod-25",
  branch: "meshroll/istio-1-25/prod-25",
  at: "2026-11-19T09:00:00.000Z",
  changes: [],
  digest: "",
  list: "a workload\n".repeat(28),
};

/** The run's record, and a ledger that has its list. */
function findRecord({ ledger }: Snapshot): readonly [RunRecord, LedgerState] {
  const record = ledger?.runs[instantRun];
  if (ledger === undefined || record === undefined) throw new Error("the instant has no run");
  return [
    { ...record, list: plan.head },
    { ...ledger, plans: { [plan.head]: plan } },
  ];
}

/** The report of the open run, with its course of so many minutes. */
export function makeOpenReport(minutes = 101): RunReport {
  const snapshot = makeInstant();
  const status = statusOf(snapshot);
  return describeReport(...findRecord(snapshot), makeSeries(minutes), { at: status.at, status });
}

const skip = (at: number, failed: boolean) => ({
  cluster: "prod-use1-a",
  workload: `team-00${at}/Deployment/api`,
  code: failed ? "ReadinessTimeout" : "Paused",
  message: writeText(failed ? "ReadinessTimeout: not ready within 10 minutes" : "paused by its owner"),
  ...(failed ? { failed: true as const } : {}),
});

/** The record of the run after its end: with a list, differences, a failure and a workload that was given up. */
export const endedRecord: Partial<RunRecord> = {
  state: "done",
  endedAt: "2026-11-19T12:40:00.000Z",
  outcome: {
    migrated: 26,
    idle: 1,
    skipped: [skip(1, true), skip(2, false)],
    seen: order,
    differences: [
      { cluster: "prod-use1-a", workload: "team-001/Deployment/api", why: "failed" },
      { cluster: "prod-use1-a", workload: "team-077/Deployment/late", why: "late", reason: "created on 19 Nov" },
    ],
  },
};

/** The report of the run after its end; `change` of its record, and other runs of the ledger. */
export function makeEndedReport(change: Partial<RunRecord> = {}, others: readonly RunRecord[] = []): RunReport {
  const snapshot = makeInstant({ run: { ...endedRecord, ...change } });
  const [record, ledger] = findRecord(snapshot);
  const runs = { ...ledger.runs, ...Object.fromEntries(others.map((each) => [each.id, each])) };
  const at = new Date(snapshot.now).toISOString();
  const report = describeReport(record, { ...ledger, runs }, emptySeries, { at });
  return { ...report, series: endSeries(makeSeries(150), report.record) };
}

/** A run that rolls the instant's run back. */
export const rollbackRun = makeRun(sha("back"), sha("merge"), {
  order: 2,
  changes: [
    {
      pattern: "production",
      from: "1-24-5: 75, 1-25-2: 25",
      to: "1-24-5: 95, 1-25-2: 5",
      direction: "rollback",
    },
  ],
});
