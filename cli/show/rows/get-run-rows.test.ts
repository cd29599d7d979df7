import type { BucketChange, RunRecord } from "#libs/plan";
import { makeLedger, makeRun, sha } from "#test/world/build";
import { expect, it } from "vitest";

import { listRuns } from "./get-run-rows.ts";

const [low, high] = ["old=100", "new=100"];

function move(from: string, to: string, direction: BucketChange["direction"]): BucketChange {
  return { pattern: "production", from, to, direction };
}

/** Ended runs, oldest first, each with its changes and its outcome. */
function listStates(
  ended: readonly (Pick<RunRecord, "changes" | "counts"> & { readonly migrated?: readonly string[] })[],
) {
  const runs = ended.map(({ changes, migrated, counts }, at) =>
    makeRun(sha(`run ${at}`), sha("base"), {
      order: at,
      state: "done",
      changes,
      ...(migrated === undefined ? {} : { outcome: { seen: [], migrated: migrated.length, skipped: [] } }),
      ...(counts === undefined ? {} : { counts, archived: "facts" as const }),
    }),
  );
  const ledger = makeLedger({ runs: Object.fromEntries(runs.map((run) => [run.id, run])) });
  return listRuns(ledger, undefined, undefined)
    .rows.toReversed()
    .map(({ cells }) => [3, 4, 5, 6].map((at) => cells[at]).join(" "));
}

it.each([
  {
    name: "a run that ended",
    runs: [{ changes: [move(low, high, "forward")], migrated: ["a"] }],
    want: ["done 1/1 0 0"],
  },
  {
    name: "a run without figures that a later one rolled back, the later one, and the same change again",
    runs: [
      { changes: [move(low, high, "forward")], migrated: [] },
      { changes: [move(high, low, "rollback")], migrated: ["a"] },
      { changes: [move(low, high, "forward")], migrated: ["a"] },
    ],
    want: ["rolled-back - - -", "done 1/1 0 0", "done 1/1 0 0"],
  },
  {
    name: "a run of which a later one rolled back another bucket",
    runs: [
      { changes: [move(low, high, "forward")], migrated: ["a"] },
      { changes: [{ ...move(high, low, "rollback"), pattern: "staging" }], migrated: [] },
    ],
    want: ["done 1/1 0 0", "done 0/0 0 0"],
  },
  {
    name: "an archived run, and one of which an earlier version did not write how many failed",
    runs: [
      { changes: [move(low, high, "forward")], counts: { migrated: 28, skipped: 11, failed: 7 } },
      { changes: [move(low, high, "forward")], counts: { migrated: 28, skipped: 11 } },
    ],
    want: ["done 28/39 11 7", "done 28/39 11 -"],
  },
] as const)("$name is listed so", ({ runs, want }) => {
  expect(listStates(runs)).toEqual(want);
});

it("ages are those of the clock that is given, where no status is read", () => {
  const run = makeRun(sha("run"), sha("base"), { state: "done", startedAt: "2026-11-19T12:00:00.000Z" });
  const ledger = makeLedger({ runs: { [run.id]: run } });
  const [row] = listRuns(ledger, undefined, undefined, Date.parse("2026-11-19T12:34:00.000Z")).rows;
  expect(row?.cells[7]).toBe("34min");
});
