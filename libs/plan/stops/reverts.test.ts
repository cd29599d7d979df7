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
const came = (pattern: string) => ({ pattern, from: "", to: onB, direction: "forward" as const });

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
  const { now: _, ...unhurried } = rollback("one");
  const cases: readonly {
    readonly name: string;
    readonly runs?: readonly RunRecord[];
    readonly stops: readonly ActiveStop[];
    readonly want: readonly string[];
  }[] = [
    { name: "a rollback at once", stops: [rollback("one")], want: ["one to first: production"] },
    { name: "not one that waits for its pull request", stops: [unhurried], want: [] },
    { name: "not of an unknown run", stops: [rollback("none")], want: [] },
    { name: "not of a run that is gone", runs: [{ ...one, state: "gone" }], stops: [rollback("one")], want: [] },
    { name: "not to a commit that was not read yet", stops: [rollback("one", sha("unread"))], want: [] },
    {
      name: "the same one from two places once",
      stops: [rollback("one"), rollback("one", first.commit, { id: "again", from: "cluster" })],
      want: ["one to first: production"],
    },
    {
      name: "the furthest back first, however they were asked",
      stops: [rollback("two"), rollback("one")],
      want: ["one to first: production", "two to first: x"],
    },
    {
      name: "not to a commit that came after the run: that would be forward",
      runs: [one, { ...two, commit: third.commit }],
      stops: [rollback("one", third.commit)],
      want: [],
    },
    {
      name: "of one run to two commits: both",
      runs: [{ ...one, commit: second.commit }, two],
      stops: [rollback("two"), rollback("two", second.commit)],
      want: ["two to first: x", "two to second: x"],
    },
    {
      name: "not for a bucket that was rolled back further since: that would be forward",
      runs: [
        runOf("zero", 0, [{ pattern: "x", from: '[["c",100]]', to: onA, direction: "forward" }]),
        runOf("two", 2, [forward("x"), forward("production")]),
        runOf("three", 3, [{ pattern: "x", from: onB, to: '[["c",100]]', direction: "rollback" }]),
      ],
      stops: [rollback("two")],
      want: ["two to first: production"],
    },
    {
      name: "nor for a bucket that its run set back itself",
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

describe("3.2 a run whose namespaces a rollback may keep where they are", () => {
  const cases: readonly {
    readonly name: string;
    readonly run: RunRecord;
    readonly reverted?: RunRecord;
    readonly stop?: ActiveStop;
    readonly want: boolean;
  }[] = [
    { name: "is the one that is rolled back", run: one, want: true },
    { name: "is one on the same bucket", run: runOf("late", 9, [forward("production")]), want: true },
    { name: "is none on another bucket", run: two, want: false },
    {
      name: "is one that changed its bucket among others",
      run: runOf("late", 9, [forward("x"), forward("production")]),
      want: true,
    },
    {
      name: "is one that brought a pattern among others",
      run: runOf("late", 9, [forward("x"), came("y")]),
      want: true,
    },
    {
      name: "is any, where what is rolled back brought a pattern",
      run: two,
      reverted: runOf("one", 1, [came("production")]),
      want: true,
    },
    {
      name: "is none on a bucket that the rolled back run set back itself",
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

describe("2.4 a rollback is through, as far as files go", () => {
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
      name: "main says the same of its bucket, whatever it says of others",
      run: one,
      head: first,
      to: specOf("t", "production: { a: 100 }\n"),
      want: true,
    },
    { name: "main still says what the run brought", run: one, head: second, want: false },
    {
      name: "one of two buckets is back",
      run: both,
      head: specOf("h", "production: { a: 100 }\nx: { b: 100 }\n"),
      want: false,
    },
    { name: "main rolled back further", run: both, head: mainC, others: [begun, furtherBack], want: true },
    { name: "main went elsewhere", run: both, head: mainC, want: false },
    { name: "the bucket is out of the file again", run: runOf("y", 1, [came("y")]), head: first, want: true },
  ];
  test.each(cases)("$name: $want", ({ run, head, to = first, others = [], want }) => {
    expect(isSaidByMain(ledgerOf(...others, run), run, head, to)).toBe(want);
  });
});

test("2.4 runs are served while they are open, and while they are rolled back at once; the oldest first", () => {
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

describe("5.5 the rollbacks at once that a run continues", () => {
  const merged = runOf("merged", 2, [back("production")], { startedAt: "2026-11-19T12:00:00.000Z" });
  const resumedAt = (at: string) => ({ resume: { at, who: "ana", why: "x" } });
  const atOnce = { scope: "run/one", cause: "rollback", revertTo: first.commit, now: true } as const;
  const { now: _, ...unhurried } = atOnce;
  const cases: readonly {
    readonly name: string;
    readonly stop: Omit<Parameters<typeof makeStop>[0], "id">;
    readonly want: readonly string[];
  }[] = [
    { name: "one in force", stop: atOnce, want: ["one"] },
    {
      name: "one that ended as main said so",
      stop: { ...atOnce, ...resumedAt("2026-11-19T12:00:01.000Z") },
      want: ["one"],
    },
    { name: "none that waited for its pull request", stop: unhurried, want: [] },
  ];

  test.each(cases)("$name", ({ stop, want }) => {
    const ledger = makeLedger({ runs: { one, merged }, stops: { s: makeStop({ id: "s", ...stop }) } });
    expect(listContinued(ledger, merged)).toEqual(want);
  });
});
