import type { LedgerState, RunRecord } from "#libs/plan";
import { makeLedger, makeRun, makeStop, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { describeRolledBack } from "./describe-rolled-back.ts";

const up = (pattern: string) => ({ pattern, from: "old: 100", to: "new: 100", direction: "forward" as const });
const down = (pattern: string) => ({ pattern, from: "new: 100", to: "old: 100", direction: "rollback" as const });
const stage = { campaign: "up", stage: "half" };

/** Runs `r1`, `r2`, … by their changes, each of the stage. */
function makeRuns(...runs: readonly Partial<RunRecord>[]): LedgerState["runs"] {
  const records = runs.map((run, at) =>
    makeRun(sha(`r${at + 1}`), sha("base"), { id: `r${at + 1}`, order: at, state: "done", ...stage, ...run }),
  );
  return Object.fromEntries(records.map((run) => [run.id, run]));
}

function makeHolds(...buckets: readonly string[]): LedgerState["stops"] {
  const holds = buckets.map((name) =>
    makeStop({ id: name, scope: `bucket/${name}`, strength: "move", cause: "rolledBack", rollbackOf: "r2" }),
  );
  return Object.fromEntries(holds.map((hold) => [hold.id, hold]));
}

const tried = { changes: [up("a"), up("b")] };
const back = { changes: [down("a"), down("b")] };
const ended = { resume: { at: "", who: "ana", why: "fixed" } };

const cases: readonly {
  readonly name: string;
  readonly runs: LedgerState["runs"];
  readonly stops?: LedgerState["stops"];
  readonly want: object;
}[] = [
  {
    name: "all buckets that the rollback holds are named, and none that the run did not move",
    runs: makeRuns(tried, back),
    stops: makeHolds("b", "a", "c"),
    want: { holds: ["bucket/a", "bucket/b"], stage: "half" },
  },
  {
    name: "a hold that a person ended is not named: the stage is proposed again",
    runs: makeRuns(tried, back),
    stops: Object.fromEntries(Object.entries(makeHolds("a")).map(([id, hold]) => [id, { ...hold, ...ended }])),
    want: { holds: [], stage: "half" },
  },
  {
    name: "the run in which the stage came again is named",
    runs: makeRuns(tried, back, { ...tried, state: "open" }),
    want: { holds: [], stage: "half", next: "r3" },
  },
  {
    name: "a next run that was rolled back, too, is not named",
    runs: makeRuns(tried, back, tried, back),
    stops: makeHolds("a"),
    want: { holds: ["bucket/a"], stage: "half" },
  },
  {
    name: "the run of another stage is not named",
    runs: makeRuns(tried, back, { ...tried, stage: "all" }),
    want: { holds: [], stage: "half" },
  },
];

test.each(cases)("$name", ({ runs, stops = {}, want }) => {
  const [run = makeRun("", "")] = Object.values(runs);
  expect(describeRolledBack(makeLedger({ runs, stops }), run, "r2")).toEqual({
    kind: "rolledBack",
    run: "r1",
    by: "r2",
    ...want,
  });
});

test("the change of a run without a campaign has no stage that is proposed again", () => {
  const { campaign: _, stage: __, ...run } = makeRuns(tried)["r1"] ?? makeRun("", "");
  expect(describeRolledBack(makeLedger({ runs: { r1: run } }), run, "r2")).toMatchObject({ holds: [] });
  expect(describeRolledBack(makeLedger({ runs: { r1: run } }), run, "r2")).not.toHaveProperty("stage");
});
