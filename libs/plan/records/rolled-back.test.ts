import { makeRun, sha } from "#test/world/build";
import { expect, test } from "vitest";

import type { BucketChange, RunRecord } from "./ledger-state.ts";
import { findRollbackOf, listTakenBack } from "./rolled-back.ts";

const move = (
  from: number,
  to: number,
  direction: BucketChange["direction"] = "forward",
  pattern = "a",
): BucketChange => ({
  pattern,
  from: `new=${from}`,
  to: `new=${to}`,
  direction,
});

/** One run for each entry, oldest first, with the ids 1, 2, 3 … */
function makeRuns(changes: readonly (readonly BucketChange[])[], gone?: number): readonly RunRecord[] {
  return changes.map((each, at) =>
    makeRun(sha(`run ${at}`), sha("base"), {
      id: String(at + 1),
      order: at + 1,
      changes: each,
      state: at + 1 === gone ? "gone" : "done",
    }),
  );
}

const cases: readonly {
  readonly name: string;
  readonly changes: readonly (readonly BucketChange[])[];
  readonly gone?: number;
  /** Of the last run. */
  readonly takesBack: readonly string[];
  /** By run, the rollback of it. */
  readonly rolledBackBy: readonly (string | undefined)[];
}[] = [
  {
    name: "a rollback of the newest run",
    changes: [[move(0, 50)], [move(50, 0, "rollback")]],
    takesBack: ["1"],
    rolledBackBy: ["2", undefined],
  },
  {
    name: "a rollback over two runs takes back both",
    changes: [[move(0, 25)], [move(25, 50)], [move(50, 0, "rollback")]],
    takesBack: ["1", "2"],
    rolledBackBy: ["3", "3", undefined],
  },
  {
    name: "one that goes back a part takes back the newer run only",
    changes: [[move(0, 25)], [move(25, 50)], [move(50, 25, "rollback")]],
    takesBack: ["2"],
    rolledBackBy: [undefined, "3", undefined],
  },
  {
    name: "to shares between two runs none is taken back whole",
    changes: [[move(0, 50)], [move(50, 30, "rollback")]],
    takesBack: [],
    rolledBackBy: [undefined, undefined],
  },
  {
    name: "of two buckets one is set back: the run still stands",
    changes: [[move(0, 50), move(0, 50, "forward", "b")], [move(50, 0, "rollback")]],
    takesBack: ["1"],
    rolledBackBy: [undefined, undefined],
  },
  {
    name: "the same change again is a run of its own",
    changes: [[move(0, 50)], [move(50, 0, "rollback")], [move(0, 50)]],
    takesBack: [],
    rolledBackBy: ["2", undefined, undefined],
  },
  {
    name: "step by step each rollback takes back its own run only",
    changes: [[move(0, 25)], [move(25, 50)], [move(50, 25, "rollback")], [move(25, 0, "rollback")]],
    takesBack: ["1"],
    rolledBackBy: ["4", "3", undefined, undefined],
  },
  {
    name: "a second try after a step back is taken back with what is below it",
    changes: [[move(0, 25)], [move(25, 50)], [move(50, 25, "rollback")], [move(25, 50)], [move(50, 0, "rollback")]],
    takesBack: ["1", "4"],
    rolledBackBy: ["5", "3", undefined, "5", undefined],
  },
  {
    name: "a run whose commit is gone took nothing back",
    changes: [[move(0, 50)], [move(50, 0, "rollback")]],
    gone: 2,
    takesBack: ["1"],
    rolledBackBy: [undefined, undefined],
  },
];

test.each(cases)("$name", ({ changes, gone, takesBack, rolledBackBy }) => {
  const runs = makeRuns(changes, gone);
  const last = runs.at(-1);
  expect(last === undefined ? [] : listTakenBack(last, runs)).toEqual(takesBack);
  expect(runs.map((run) => findRollbackOf(run, runs))).toEqual(rolledBackBy);
});
