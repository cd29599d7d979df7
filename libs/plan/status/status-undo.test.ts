import { makeRun, sha } from "#test/world/build";
import { describe, expect, test } from "vitest";

import { describeUndo } from "./status-undo.ts";

describe("2.2 the undo", () => {
  const forward = { pattern: "production", from: "a", to: "b", direction: "forward" as const };
  const runOf = (id: string, order: number, change = {}) =>
    makeRun(sha(id), sha("base"), { id, order, changes: [forward], ...change });
  const back = { changes: [{ ...forward, direction: "rollback" as const }] };
  const cases = [
    { name: "without a run", runs: [], want: [undefined, undefined, "nothing to undo: no run is recorded yet"] },
    {
      name: "after three runs: of the newest",
      runs: [runOf("one", 1), runOf("three", 3), runOf("two", 2, { changes: [forward, { ...forward, pattern: "x" }] })],
      want: [
        "three",
        'meshroll rollback run/three --reason "…"',
        "opens a pull request that sets production back to before run three; with --now at once",
      ],
    },
    {
      name: "after a run that is gone: of the one before",
      runs: [runOf("one", 1, { changes: [forward, { ...forward, pattern: "x" }] }), runOf("two", 2, { state: "gone" })],
      want: [
        "one",
        'meshroll rollback run/one --reason "…"',
        "opens a pull request that sets production, x back to before run one; with --now at once",
      ],
    },
    {
      name: "after a rollback: none",
      runs: [runOf("one", 1), runOf("two", 2, back)],
      want: [
        "two",
        undefined,
        "nothing to undo: the last change, run two, is a rollback; to go forward again, end its hold, or change rollouts.yml",
      ],
    },
  ];
  test.each(cases)("$name", ({ runs, want }) => {
    const { run, command, effect } = describeUndo(runs, undefined);
    expect([run, command, effect]).toEqual(want);
  });

  test("is not offered again while it is in progress", () => {
    const rollback = { run: "two", of: ["one"], done: 1, total: 3 };
    const { command, effect } = describeUndo([runOf("one", 1), runOf("two", 2)], rollback);
    expect([command, effect]).toEqual([undefined, "nothing to do: run one is being rolled back"]);
  });

  test("has the number of moved workloads, where known", () => {
    expect(describeUndo([runOf("one", 1)], undefined, () => ({ moved: 3, batchSize: 2 })).effect).toContain(
      "before run one: up to 3 workloads, 2 at a time in each cluster, ignoring windows and freezes; with --now",
    );
  });
});
