import { makeMigrated, makeCluster, makeWorkload, noon, runId } from "#test/world/build";
import { makeCampaign, makeCampaignSnapshot, makeStage } from "#test/world/campaigns/campaign";
import type { Snapshot } from "#libs/plan";
import { expect, test } from "vitest";

import { type BakeMemory, readBakes, rememberBakes } from "./bake-memory.ts";

const hour = 3_600_000;
const savedAt = "2026-11-19T11:00:00.000Z";
const campaign = makeCampaign({ stages: [makeStage("all", 100, { bake: hour })] });
const migrated = makeMigrated(makeWorkload("shop/a"), "new", runId);
const ailing = { ...migrated, available: 1 };

interface Reconcile {
  /** `Clock.now` and real time, in minutes after the first reconcile. */
  readonly minute: number;
  readonly real: number;
  /** `Clock.elapsed`, minutes; absent = as `minute`: the machine's clock was not set. */
  readonly elapsed?: number;
  readonly workload?: typeof migrated;
  readonly fresh?: boolean;
  readonly savedAt?: string;
}

function snapshotAt({ minute, workload = migrated, fresh = true, savedAt: saved = savedAt }: Reconcile): Snapshot {
  const bake = { beganAt: savedAt, neededMs: hour, healthyMs: 0, savedAt: saved };
  const cluster = makeCluster("one", [workload], { fresh });
  return makeCampaignSnapshot({
    campaign,
    run: { bake },
    clusters: new Map([["one", cluster]]),
    snapshot: { now: noon + minute * 60_000 },
  });
}

/** Healthy minutes that the planner counts over these reconciles. */
function countMinutes(reconciles: readonly Reconcile[]): number {
  const memory: BakeMemory = new Map();
  let snapshot: Snapshot | undefined;
  for (const reconcile of reconciles) {
    snapshot = snapshotAt(reconcile);
    rememberBakes(memory, snapshot, reconcile.real * 60_000, (reconcile.elapsed ?? reconcile.minute) * 60_000);
  }
  return (readBakes(memory, snapshot?.ledger).get(runId)?.healthyMs ?? Number.NaN) / 60_000;
}

const cases: readonly { readonly name: string; readonly reconciles: readonly Reconcile[]; readonly want: number }[] = [
  { name: "6.2 the first reconcile counts nothing", reconciles: [{ minute: 0, real: 0 }], want: 0 },
  {
    name: "6.2 time between two reconciles with healthy workloads counts",
    reconciles: [
      { minute: 0, real: 0 },
      { minute: 5, real: 0.1 },
      { minute: 9, real: 0.2 },
    ],
    want: 9,
  },
  {
    name: "6.2 time before and after a reconcile with an unhealthy workload does not count",
    reconciles: [
      { minute: 0, real: 0 },
      { minute: 5, real: 0.1, workload: ailing },
      { minute: 9, real: 0.2 },
      { minute: 11, real: 0.3 },
    ],
    want: 2,
  },
  {
    name: "6.2 time in which a cluster was not seen does not count",
    reconciles: [
      { minute: 0, real: 0 },
      { minute: 5, real: 0.1, fresh: false },
      { minute: 9, real: 0.2, fresh: false },
    ],
    want: 0,
  },
  {
    name: "6.2 T11 setting the machine's clock an hour forward adds no healthy time",
    reconciles: [
      { minute: 0, real: 0, elapsed: 0 },
      { minute: 61, real: 0.1, elapsed: 1 },
      { minute: 62, real: 0.2, elapsed: 2 },
    ],
    want: 2,
  },
  {
    name: "6.2 T11 setting the machine's clock an hour back removes no healthy time",
    reconciles: [
      { minute: 60, real: 0, elapsed: 0 },
      { minute: 5, real: 0.1, elapsed: 5 },
    ],
    want: 5,
  },
  {
    name: "6.2 a gap without a reconcile does not count",
    reconciles: [
      { minute: 0, real: 0 },
      { minute: 50, real: 1.5 },
    ],
    want: 0,
  },
  {
    name: "6.2 healthy time that the ledger saved is not counted again",
    reconciles: [
      { minute: 0, real: 0 },
      { minute: 6, real: 0.1 },
      { minute: 7, real: 0.2, savedAt: "2026-11-19T12:06:00.000Z" },
    ],
    want: 1,
  },
];
test.each(cases)("$name", ({ reconciles, want }) => {
  expect(countMinutes(reconciles)).toBe(want);
});

test("6.2 between a record and the next reconcile the recorded time is not counted twice", () => {
  const memory: BakeMemory = new Map();
  rememberBakes(memory, snapshotAt({ minute: 0, real: 0 }), 0, 0);
  rememberBakes(memory, snapshotAt({ minute: 6, real: 0.1 }), 6000, 360_000);
  const saved = snapshotAt({ minute: 6, real: 0.1, savedAt: "2026-11-19T12:06:00.000Z" });
  expect([...readBakes(memory, saved.ledger)]).toEqual([]);
});

test("6.2 a bake that is over, or whose run has something left again, is forgotten", () => {
  const memory: BakeMemory = new Map();
  rememberBakes(memory, snapshotAt({ minute: 0, real: 0 }), 0, 0);
  rememberBakes(memory, snapshotAt({ minute: 1, real: 0.1, workload: makeWorkload("shop/a") }), 6000, 60_000);
  expect(memory.size).toBe(0);
});

test("6.2 what this planner saw before the ledger's last record counts as saved, and what an earlier one saw does not", () => {
  const memory: BakeMemory = new Map();
  const reconciles: readonly Reconcile[] = [
    { minute: 0, real: 0 },
    { minute: 5, real: 0.1 },
    { minute: 6, real: 0.2, savedAt: "2026-11-19T12:06:00.000Z" },
    { minute: 9, real: 0.3, savedAt: "2026-11-19T12:06:00.000Z" },
  ];
  const saved = reconciles.map((reconcile) => {
    rememberBakes(memory, snapshotAt(reconcile), reconcile.real * 60_000, reconcile.minute * 60_000);
    return (memory.get(runId)?.savedMs ?? Number.NaN) / 60_000;
  });
  expect(saved).toEqual([0, 0, 5, 5]);
});
