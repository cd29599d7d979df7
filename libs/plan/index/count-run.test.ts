import { writeText } from "#libs/wording";
import { makeRun, sha } from "#test/world/build";
import { expect, test } from "vitest";

import type { RunRecord } from "../records/index.ts";
import { countEnded } from "./count-run.ts";

const seen = ["one"];
const skipped = { cluster: "one", workload: "ns/Deployment/api", code: "Gateway", message: writeText("it waits") };

const cases: readonly {
  readonly name: string;
  readonly record: Pick<RunRecord, "outcome" | "counts">;
  readonly want: ReturnType<typeof countEnded>;
}[] = [
  { name: "an open run has none", record: {}, want: undefined },
  {
    name: "each skipped workload counts once, and the sum is the total",
    record: { outcome: { migrated: 5, idle: 2, skipped: [skipped], seen } },
    want: { workloads: 8, migrated: 5, idle: 2, skipped: 1, failed: 0, left: 0 },
  },
  {
    name: "what an earlier stage left over was in the total before the end, so it is after it",
    record: { outcome: { migrated: 5, skipped: [skipped], earlier: { one: 1, two: 1 }, seen } },
    want: { workloads: 8, migrated: 5, idle: 0, skipped: 3, failed: 0, left: 0 },
  },
  {
    name: "what only the label of its namespace affects is none of the run's workloads",
    record: { outcome: { migrated: 5, skipped: [{ ...skipped, neighbour: true }], seen } },
    want: { workloads: 5, migrated: 5, idle: 0, skipped: 0, failed: 0, left: 0 },
  },
  {
    name: "an archived run has the same figures",
    record: { counts: { migrated: 5, idle: 1, skipped: 3, failed: 2 } },
    want: { workloads: 9, migrated: 5, idle: 1, skipped: 3, failed: 2, left: 0 },
  },
  {
    name: "an archived run of an earlier version does not say how many of the skipped ones failed",
    record: { counts: { migrated: 5, skipped: 3 } },
    want: { workloads: 8, migrated: 5, idle: 0, skipped: 3, left: 0 },
  },
  {
    name: "an archived run that skipped none has no failure",
    record: { counts: { migrated: 5, skipped: 0 } },
    want: { workloads: 5, migrated: 5, idle: 0, skipped: 0, failed: 0, left: 0 },
  },
  {
    name: "a run that was taken over has no figures where an earlier version wrote only zeros",
    record: { outcome: { migrated: 0, skipped: [], takenOverBy: "b", seen } },
    want: undefined,
  },
  {
    name: "a run that was taken over before it moved anything",
    record: { outcome: { migrated: 0, skipped: [], takenOverBy: "b", left: 4, seen } },
    want: { workloads: 4, migrated: 0, idle: 0, skipped: 0, failed: 0, left: 4 },
  },
];

for (const { name, record, want } of cases)
  test(name, () => {
    expect(countEnded({ ...makeRun(sha("a"), sha("b")), ...record })).toEqual(want);
  });
