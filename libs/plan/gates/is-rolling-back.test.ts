import { makeLedger, makeRun, makeStop, runId, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { isRollingBack } from "./is-rolling-back.ts";

const forward = { pattern: "production", from: "a", to: "b", direction: "forward" as const };
const back = { ...forward, pattern: "x", direction: "rollback" as const };
const scope = `run/${runId}` as const;
const rollback = makeStop({ id: "r", scope, cause: "rollback", revertTo: sha("base") });
const { revertTo: _, ...bare } = rollback;

test.each([
  { name: "a run that moves forward", changes: [forward], stops: [], want: false },
  { name: "one that is rolled back", changes: [back], stops: [], want: true },
  { name: "one that is rolled back in one bucket only", changes: [forward, back], stops: [], want: false },
  { name: "one of which it is unknown what it changed", changes: [], stops: [], want: false },
  { name: "one that is rolled back", changes: [forward], stops: [rollback], want: true },
  { name: "one that is rolled back by its planner, to wherever", changes: [forward], stops: [bare], want: true },
  { name: "one that is only paused", changes: [forward], stops: [makeStop({ id: "p", scope })], want: false },
  {
    name: "one whose rollback is over",
    changes: [forward],
    stops: [{ ...rollback, resume: { at: "", who: "", why: "" } }],
    want: false,
  },
])("2.3 $name is rolled back: $want", ({ changes, stops, want }) => {
  const run = makeRun(sha("head"), sha("base"), { changes });
  const ledger = makeLedger({
    runs: { [runId]: run },
    stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])),
  });
  expect(isRollingBack(ledger, run)).toBe(want);
});
