import { makeLedger, makeRun, makeStop, runId, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { isRollingBack } from "./is-rolling-back.ts";

const forward = { pattern: "production", from: "a", to: "b", direction: "forward" as const };
const back = { ...forward, pattern: "x", direction: "rollback" as const };
const scope = `run/${runId}` as const;
const rollback = makeStop({ id: "r", scope, cause: "rollback", revertTo: sha("base") });
const { revertTo: _, ...bare } = rollback;

test.each([
  { name: "a forward run", changes: [forward], stops: [], want: false },
  { name: "a run whose only bucket went back", changes: [back], stops: [], want: true },
  { name: "a run with one bucket forward and one back", changes: [forward, back], stops: [], want: false },
  { name: "a run with unknown changes", changes: [], stops: [], want: false },
  { name: "a forward run under a rollback", changes: [forward], stops: [rollback], want: true },
  { name: "a forward run under a rollback without a commit", changes: [forward], stops: [bare], want: true },
  { name: "a forward run under a pause", changes: [forward], stops: [makeStop({ id: "p", scope })], want: false },
  {
    name: "a forward run whose rollback was ended",
    changes: [forward],
    stops: [{ ...rollback, resume: { at: "", who: "", why: "" } }],
    want: false,
  },
])("2.3 $name counts as rolling back: $want", ({ changes, stops, want }) => {
  const run = makeRun(sha("head"), sha("base"), { changes });
  const ledger = makeLedger({
    runs: { [runId]: run },
    stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])),
  });
  expect(isRollingBack(ledger, run)).toBe(want);
});
