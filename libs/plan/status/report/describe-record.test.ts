import { writeText } from "#libs/wording";
import { makeLedger, makeRun, sha } from "#test/world/build";
import { describe, expect, it } from "vitest";

import type { LedgerState, RunRecord, SkippedWorkload } from "../../records/index.ts";
import { describeRecord } from "./describe-record.ts";
import type { RecordReport } from "./run-report.ts";

const change = { pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" } as const;
const run = makeRun(sha("head"), sha("base"), { changes: [change], campaign: "up", stage: "all" });
const back = makeRun(sha("back"), sha("head"), {
  order: 2,
  changes: [{ ...change, from: change.to, to: change.from, direction: "rollback" }],
});
const outcome = { migrated: 3, skipped: [], seen: ["one"] };
const skip = (at: number, failed: boolean): SkippedWorkload => ({
  cluster: "one",
  workload: `shop/Deployment/w${at}`,
  code: "X",
  message: writeText("why"),
  ...(failed ? { failed: true } : {}),
});
const differ = (at: number, why: "late" | "gone") => ({ cluster: "one", workload: `w${at}`, why }) as const;

function describeOf(record: Partial<RunRecord>, ledger: Partial<LedgerState> = {}): RecordReport {
  const one = { ...run, ...record };
  return describeRecord(one, makeLedger({ runs: { [one.id]: one, [back.id]: back }, ...ledger }));
}

const plan = {
  head: "h",
  campaign: "up",
  stage: "all",
  branch: "b",
  at: "2026-11-19T12:00:00.000Z",
  changes: [],
  digest: "",
  list: "a\nb\nc\n",
};

const cases: readonly {
  name: string;
  record: Partial<RunRecord>;
  ledger?: Partial<LedgerState>;
  want: Partial<RecordReport>;
}[] = [
  {
    name: "a run belongs to its campaign and stage",
    record: {},
    want: { campaign: "up", stage: "all", state: "open" },
  },
  {
    name: "distributions are as in the file",
    record: { changes: [{ ...change, from: "", to: '[["new",20],["old",80]]' }] },
    want: { changes: [{ ...change, from: "", to: "new: 20, old: 80" }] },
  },
  { name: "a run names the run that rolled it back", record: {}, want: { rolledBackBy: back.id } },
  {
    name: "a run that ended has its figures",
    record: { state: "done", endedAt: "2026-11-19T13:00:00.000Z", outcome },
    want: {
      endedAt: "2026-11-19T13:00:00.000Z",
      counts: { workloads: 3, migrated: 3, idle: 0, skipped: 0, left: 0, failed: 0 },
    },
  },
  {
    name: "a run names the run that took it over",
    record: { state: "done", outcome: { ...outcome, takenOverBy: "0123456789ab" } },
    want: { takenOverBy: "0123456789ab" },
  },
  {
    name: "an archived run says that only figures of it are known",
    record: { state: "done", archived: "facts", counts: { migrated: 2, skipped: 0 } },
    want: { archived: true, counts: { workloads: 2, migrated: 2, idle: 0, skipped: 0, left: 0, failed: 0 } },
  },
  {
    name: "the list of its pull request is counted",
    record: { list: "h" },
    ledger: { plans: { h: plan } },
    want: { listed: 3 },
  },
  {
    name: "differences from the list are grouped by reason, the most frequent first",
    record: {
      state: "done",
      outcome: { ...outcome, differences: [differ(1, "late"), differ(2, "gone"), differ(3, "gone")] },
    },
    want: {
      differences: [
        {
          why: "gone",
          count: 2,
          items: [
            { cluster: "one", workload: "w2" },
            { cluster: "one", workload: "w3" },
          ],
        },
        { why: "late", count: 1, items: [{ cluster: "one", workload: "w1" }] },
      ],
    },
  },
  {
    name: "gates have their verdict, without the query",
    record: {
      gates: {
        errors: {
          verdict: "fail",
          at: "2026-11-19T12:30:00.000Z",
          why: writeText("7 > 5"),
          value: 7,
          limit: 5,
          query: "q",
        },
      },
    },
    want: {
      gates: [
        {
          name: "errors",
          verdict: "fail",
          at: "2026-11-19T12:30:00.000Z",
          why: writeText("7 > 5"),
          value: 7,
          limit: 5,
        },
      ],
    },
  },
  {
    name: "a converging run has its reason",
    record: { converge: { scope: "all", cause: "verb", why: "put it right" } },
    want: { reason: "put it right" },
  },
];

describe("what a page is told of a run's record", () => {
  it.each(cases)("$name", ({ record, ledger, want }) => {
    expect(describeOf(record, ledger)).toMatchObject(want);
  });

  it("a rollback names what it rolls back", () => {
    expect(describeRecord(back, makeLedger({ runs: { [run.id]: run, [back.id]: back } })).rollsBack).toEqual([run.id]);
  });

  it("of many skipped workloads a hundred are named, failures first", () => {
    const skipped = Array.from({ length: 150 }, (_, at) => skip(at, at >= 140));
    const told = describeOf({ state: "done", outcome: { ...outcome, skipped } });
    expect([told.skipped?.length, told.skipped?.[0]?.workload, told.counts?.skipped, told.counts?.failed]).toEqual([
      100,
      "shop/Deployment/w140",
      150,
      10,
    ]);
  });

  it("of many differences for one reason twenty are named, and all are counted", () => {
    const differences = Array.from({ length: 30 }, (_, at) => differ(at, "late"));
    const [group] = describeOf({ state: "done", outcome: { ...outcome, differences } }).differences ?? [];
    expect([group?.count, group?.items.length]).toEqual([30, 20]);
  });
});
