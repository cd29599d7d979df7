import { type ActiveStop, compileSpec, type RunRecord, type Spec } from "#libs/plan";
import { makeLedger, makeRun, makeStop, sha } from "#test/world/build";
import { describe, expect, test } from "vitest";

import { isSaidByMain, isUnderRevert, listContinued, listReverts, listServedRuns } from "./reverts.ts";

function specOf(commit: string, text: string): Spec {
  const compiled = compileSpec(sha(commit), text, undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

const first = specOf("first", "production: { a: 100 }\nx: { a: 100 }\n");
const second = specOf("second", "production: { b: 100 }\nx: { a: 100 }\n");
const third = specOf("third", "production: { b: 100 }\nx: { b: 100 }\n");
const specs = new Map([first, second, third].map((spec) => [spec.commit, spec]));
const [onA, onB] = ['[["a",100]]', '[["b",100]]'];

const forward = (pattern: string) => ({ pattern, from: onA, to: onB, direction: "forward" as const });
const back = (pattern: string) => ({ pattern, from: onB, to: onA, direction: "rollback" as const });
const added = (pattern: string) => ({ pattern, from: "", to: onB, direction: "forward" as const });

function runOf(id: string, order: number, changes: RunRecord["changes"], more: Partial<RunRecord> = {}): RunRecord {
  const buckets = changes.map(({ pattern }) => pattern);
  return makeRun(sha(id), sha("first"), { id, order, changes, buckets, ...more });
}

const ledgerOf = (...runs: readonly RunRecord[]) =>
  makeLedger({ runs: Object.fromEntries(runs.map((r) => [r.id, r])) });

function rollback(run: string, to = first.commit, more: Partial<ActiveStop> = {}): ActiveStop {
  const who = { who: "ana", why: "5xx", at: "2026-11-19T12:00:00.000Z", from: "ledger" as const };
  return { id: `r-${run}-${to}`, scope: `run/${run}`, strength: "move", ...who, revertTo: to, now: true, ...more };
}

const one = runOf("one", 1, [forward("production")]);
const two = runOf("two", 2, [forward("x")]);

describe("2.4 the rollbacks in force", () => {
  const { now: _, ...withoutNow } = rollback("one");
  const cases: readonly {
    readonly name: string;
    readonly runs?: readonly RunRecord[];
    readonly stops: readonly ActiveStop[];
    readonly want: readonly string[];
  }[] = [
    { name: "a rollback with --now is in force", stops: [rollback("one")], want: ["one to first: production"] },
    { name: "one without --now, which waits for its pull request, is not", stops: [withoutNow], want: [] },
    { name: "one of an unknown run is not", stops: [rollback("none")], want: [] },
    { name: "one of a run that is gone is not", runs: [{ ...one, state: "gone" }], stops: [rollback("one")], want: [] },
    { name: "one to a commit that was not read yet is not", stops: [rollback("one", sha("unread"))], want: [] },
    {
      name: "the same one in the ledger and in a cluster is listed once",
      stops: [rollback("one"), rollback("one", first.commit, { id: "again", from: "cluster" })],
      want: ["one to first: production"],
    },
    {
      name: "several are ordered by run, not by request",
      stops: [rollback("two"), rollback("one")],
      want: ["one to first: production", "two to first: x"],
    },
    {
      name: "one to a commit that is newer than the run is not: that would be forward",
      runs: [one, { ...two, commit: third.commit }],
      stops: [rollback("one", third.commit)],
      want: [],
    },
    {
      name: "two of one run, to two commits, are both in force",
      runs: [{ ...one, commit: second.commit }, two],
      stops: [rollback("two"), rollback("two", second.commit)],
      want: ["two to first: x", "two to second: x"],
    },
    {
      name: "a bucket that was rolled back further since is left out: that would be forward",
      runs: [
        runOf("zero", 0, [{ pattern: "x", from: '[["c",100]]', to: onA, direction: "forward" }]),
        runOf("two", 2, [forward("x"), forward("production")]),
        runOf("three", 3, [{ pattern: "x", from: onB, to: '[["c",100]]', direction: "rollback" }]),
      ],
      stops: [rollback("two")],
      want: ["two to first: production"],
    },
    {
      name: "a bucket that its run rolled back itself is left out",
      runs: [runOf("one", 1, [forward("production"), back("x")])],
      stops: [rollback("one")],
      want: ["one to first: production"],
    },
  ];
  test.each(cases)("$name", ({ runs = [one, two], stops, want }) => {
    const told = listReverts(stops, ledgerOf(...runs), specs).map(
      ({ run, to, buckets }) => `${run.id} to ${to === first ? "first" : "second"}: ${[...buckets].join(" ")}`,
    );
    expect(told).toEqual(want);
  });
});

describe("3.2 isUnderRevert of another run, while one run is rolled back", () => {
  const cases: readonly {
    readonly name: string;
    readonly run: RunRecord;
    readonly reverted?: RunRecord;
    readonly stop?: ActiveStop;
    readonly want: boolean;
  }[] = [
    { name: "the run that is rolled back", run: one, want: true },
    { name: "same bucket", run: runOf("late", 9, [forward("production")]), want: true },
    { name: "another bucket", run: two, want: false },
    {
      name: "same bucket and others",
      run: runOf("late", 9, [forward("x"), forward("production")]),
      want: true,
    },
    {
      name: "another bucket and a new pattern",
      run: runOf("late", 9, [forward("x"), added("y")]),
      want: true,
    },
    {
      name: "another bucket, while the run that is rolled back added a pattern",
      run: two,
      reverted: runOf("one", 1, [added("production")]),
      want: true,
    },
    {
      name: "a bucket that the run that is rolled back had rolled back itself",
      run: two,
      reverted: runOf("one", 1, [forward("production"), back("x")]),
      want: false,
    },
  ];
  test.each(cases)("$name: $want", ({ run, reverted = one, stop = rollback("one"), want }) => {
    const others = [runOf("other", 5, [forward("z")]), run];
    const stops = [{ ...rollback("unknown"), scope: "all" as const }, stop];
    expect(isUnderRevert(run, stops, ledgerOf(...others, reverted))).toBe(want);
  });
});

describe("2.4 main already says what a rollback asks for", () => {
  const both = runOf("both", 1, [forward("production"), forward("x")]);
  const furtherBack = runOf("further", 2, [{ pattern: "x", from: onB, to: '[["c",100]]', direction: "rollback" }]);
  const begun = runOf("begun", 0, [{ pattern: "x", from: '[["c",100]]', to: onA, direction: "forward" }]);
  const mainC = specOf("c", "production: { a: 100 }\nx: { c: 100 }\n");
  const cases: readonly {
    readonly name: string;
    readonly run: RunRecord;
    readonly head: Spec;
    readonly to?: Spec;
    readonly others?: readonly RunRecord[];
    readonly want: boolean;
  }[] = [
    {
      name: "main matches the rollback in its bucket, and differs in another",
      run: one,
      head: first,
      to: specOf("t", "production: { a: 100 }\n"),
      want: true,
    },
    { name: "main still has the run's change", run: one, head: second, want: false },
    {
      name: "main matches it in one of two buckets",
      run: both,
      head: specOf("h", "production: { a: 100 }\nx: { b: 100 }\n"),
      want: false,
    },
    {
      name: "main has a third revision, from a rollback that went further",
      run: both,
      head: mainC,
      others: [begun, furtherBack],
      want: true,
    },
    { name: "main has a third revision, without such a rollback", run: both, head: mainC, want: false },
    {
      name: "the bucket that the run added is no longer in the file",
      run: runOf("y", 1, [added("y")]),
      head: first,
      want: true,
    },
  ];
  test.each(cases)("$name: $want", ({ run, head, to = first, others = [], want }) => {
    expect(isSaidByMain(ledgerOf(...others, run), run, head, to)).toBe(want);
  });
});

test("2.4 runs are served while they are open or rolled back with --now; the oldest first", () => {
  const done = { state: "done" as const };
  const ledger = ledgerOf(
    runOf("late", 4, []),
    runOf("over", 3, [], done),
    runOf("rollback", 2, [], done),
    runOf("old", 1, []),
  );
  const ids = (stops: readonly ActiveStop[]) => listServedRuns(ledger, stops).map(({ id }) => id);
  expect(ids([])).toEqual(["old", "late"]);
  expect(ids([rollback("rollback")])).toEqual(["old", "rollback", "late"]);
  expect(listServedRuns(undefined, [rollback("rollback")])).toEqual([]);
});

describe("5.5 the rollbacks with --now that a merged run continues", () => {
  const merged = runOf("merged", 2, [back("production")], { startedAt: "2026-11-19T12:00:00.000Z" });
  const resumedAt = (at: string) => ({ resume: { at, who: "ana", why: "x" } });
  const atOnce = { scope: "run/one", cause: "rollback", revertTo: first.commit, now: true } as const;
  const { now: _, ...withoutNow } = atOnce;
  const cases: readonly {
    readonly name: string;
    readonly stop: Omit<Parameters<typeof makeStop>[0], "id">;
    readonly want: readonly string[];
  }[] = [
    { name: "one that is in force", stop: atOnce, want: ["one"] },
    {
      name: "one that ended after the run began",
      stop: { ...atOnce, ...resumedAt("2026-11-19T12:00:01.000Z") },
      want: ["one"],
    },
    { name: "not one without --now, which waited for its pull request", stop: withoutNow, want: [] },
  ];

  test.each(cases)("$name", ({ stop, want }) => {
    const ledger = makeLedger({ runs: { one, merged }, stops: { s: makeStop({ id: "s", ...stop }) } });
    expect(listContinued(ledger, merged)).toEqual(want);
  });
});
