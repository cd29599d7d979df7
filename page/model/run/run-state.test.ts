import { expect, it } from "vitest";

import { describeRunState } from "./run-state.ts";

type Stops = Parameters<typeof describeRunState>[1];
type Known = Parameters<typeof describeRunState>[0];

const open: Known = { id: "a", state: "open", campaign: "up" };
const done: Known = { id: "a", state: "done" };
const counts = { workloads: 3, migrated: 3, idle: 0, skipped: 0, left: 0, failed: 0 };
const stop = (scope: string, change: object = {}) =>
  [{ id: "s", scope, strength: "move", cause: "verb", ...change }] as unknown as Stops;

const cases: readonly { run: Known; stops?: Stops; want: string }[] = [
  { run: open, want: "in progress" },
  { run: open, stops: stop("all"), want: "paused" },
  { run: open, stops: stop("campaign/up"), want: "paused" },
  { run: open, stops: stop("campaign/other"), want: "in progress" },
  { run: open, stops: stop("run/a"), want: "paused" },
  { run: open, stops: stop("run/a", { strength: "propose" }), want: "in progress" },
  { run: open, stops: stop("all", { foundIn: "east" }), want: "in progress" },
  { run: open, stops: stop("run/a", { cause: "rollback" }), want: "being rolled back" },
  { run: { ...open, rolledBackBy: "b" }, want: "being rolled back" },
  { run: { ...done, counts }, want: "ended, all migrated" },
  { run: done, want: "ended" },
  { run: { ...done, counts: { ...counts, skipped: 1 } }, want: "ended, 1 workload skipped" },
  { run: { ...done, counts: { ...counts, skipped: 3, failed: 2 } }, want: "ended, 2 workloads failed" },
  { run: { ...done, counts, takenOverBy: "b" }, want: "superseded by a later run" },
  { run: { ...done, counts, takenOverBy: "b", rolledBackBy: "b" }, want: "rolled back" },
  { run: { ...done, state: "empty" }, want: "ended, nothing was to be moved" },
  { run: { ...done, state: "gone" }, want: "ended, its commit is not in main any more" },
];

it.each(cases)("the state of a run in words: $want", ({ run, stops = [], want }) => {
  expect(describeRunState(run, stops).words).toBe(want);
});
