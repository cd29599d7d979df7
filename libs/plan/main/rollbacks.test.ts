import { type BucketChange, judgeChanges, type LedgerState, type RunRecord, type Spec } from "#libs/plan";
import { makeLedger, makeRun, makeSpec, sha } from "#test/world/build";
import { describe, expect, test } from "vitest";

import { wasRolledBackFrom, isRollbackOf } from "./rollbacks.ts";

/** What the runs of these commits are, one after the other: `5 forward`, or `new seed` for a commit that changes it. */
function judgeHistory(history: readonly (number | "new seed")[]): readonly string[] {
  let ledger: LedgerState = makeLedger();
  let before: Spec = makeSpec(sha("base"), 0);
  return history.map((step, index) => {
    const percent = step === "new seed" ? Number(before.rollouts.buckets[0]?.shares[1]?.weight) : step;
    const seed = step === "new seed" ? `seed-${index}` : before.settings.seed;
    const after = makeSpec(sha(`c${index}`), percent, { seed });
    const changes = judgeChanges(ledger, before, after);
    const reseeded = step === "new seed" ? { reseeded: true as const } : {};
    const run: RunRecord = makeRun(after.commit, before.commit, { order: index + 1, changes, ...reseeded });
    ledger = { ...ledger, runs: { ...ledger.runs, [run.id]: run } };
    before = after;
    return `${step} ${changes.map(({ direction }) => direction).join()}`;
  });
}

describe("a commit that sets a bucket back to what main has had is a rollback, anything else is forward", () => {
  const cases: readonly {
    readonly name: string;
    readonly history: readonly (number | "new seed")[];
    readonly want: string;
  }[] = [
    { name: "2.1 a share that only rises is forward", history: [5, 25, 50], want: "5 forward,25 forward,50 forward" },
    { name: "2.1 back to the first share is a rollback", history: [5, 0], want: "5 forward,0 rollback" },
    {
      name: "2.1 after 5, 25, 5, the next 25 is forward",
      history: [5, 25, 5, 25],
      want: "5 forward,25 forward,5 rollback,25 forward",
    },
    { name: "2.1 down to a share that main never had is forward", history: [25, 10], want: "25 forward,10 forward" },
    {
      name: "2.1 back up to a share that was lowered since is forward",
      history: [80, 20, 80],
      want: "80 forward,20 forward,80 forward",
    },
    {
      name: "2.1 after a new seed no earlier share counts",
      history: [5, 25, "new seed", 5],
      want: "5 forward,25 forward,new seed forward,5 forward",
    },
    {
      name: "2.1 a new seed with unchanged shares is forward",
      history: ["new seed"],
      want: "new seed forward",
    },
  ];
  test.each(cases)("$name", ({ history, want }) => expect(judgeHistory(history).join()).toBe(want));
});

test("2.1 removing a new bucket is a rollback, because main had the file without it", () => {
  const [before, after] = [makeSpec(sha("c1"), 25), makeSpec(sha("c2"), 25)];
  const with50 = {
    ...after,
    rollouts: {
      buckets: [
        ...after.rollouts.buckets,
        { pattern: "x", line: 1, column: 1, shares: [{ revision: "new", weight: 100 }] },
      ],
    },
  };
  const run = makeRun(with50.commit, before.commit, { changes: judgeChanges(makeLedger(), before, with50) });
  expect(judgeChanges(makeLedger({ runs: { [run.id]: run } }), with50, before)).toMatchObject([
    { pattern: "x", to: "", direction: "rollback" },
  ]);
});

test("1.7 a share that only a run had whose commit vanished does not count as one that main had", () => {
  const specs = [0, 25, 50, 25].map((percent, index) => makeSpec(sha(`c${index}`), percent));
  const [c0, c1, c2, c3] = specs;
  if (c0 === undefined || c1 === undefined || c2 === undefined || c3 === undefined) throw new Error("no commit");
  const gone = makeRun(c1.commit, c0.commit, { state: "gone", changes: judgeChanges(makeLedger(), c0, c1) });
  const kept = { ...gone, state: "done" as const };
  const direction = (run: RunRecord) => judgeChanges(makeLedger({ runs: { [run.id]: run } }), c2, c3)[0]?.direction;
  expect([direction(gone), direction(kept)]).toEqual(["forward", "rollback"]);
});

/** Changes of one run, `x a b` = bucket x from a to b; `<` before it = set back, `-` = not in the file. */
function changesOf(text: string): readonly BucketChange[] {
  return text.split(", ").map((each) => {
    const [pattern = "", from = "", to = ""] = each.replace("<", "").split(" ");
    const name = (word: string) => (word === "-" ? "" : word);
    return { pattern, from: name(from), to: name(to), direction: each.startsWith("<") ? "rollback" : "forward" };
  });
}

/** Runs in the order of main: r1, r2, …; one that begins with `gone:` vanished. */
function historyOf(texts: readonly string[]): LedgerState {
  const runs = texts.map((text, index) => {
    const state = text.startsWith("gone: ") ? ("gone" as const) : ("done" as const);
    const changes = changesOf(text.replace("gone: ", ""));
    return makeRun(sha(`r${index + 1}`), sha("base"), { id: `r${index + 1}`, order: index + 1, changes, state });
  });
  // The order of main is a number in the record, not where it stands in the tree.
  return makeLedger({ runs: Object.fromEntries(runs.toReversed().map((run) => [run.id, run])) });
}

describe("2.1 whether main was rolled back further than a run's start", () => {
  const cases: readonly {
    readonly name: string;
    readonly history: readonly string[];
    /** Before which run main had it; the second one by default. */
    readonly since?: number;
    readonly want: boolean;
  }[] = [
    { name: "a later rollback went further back", history: ["x a b", "x b c", "<x c a"], want: true },
    { name: "a later rollback went exactly there", history: ["x a b", "x b c", "<x c b"], want: false },
    { name: "the rollback was earlier", history: ["x a c", "<x c a", "x a d"], since: 3, want: false },
  ];
  test.each(cases)("$name: $want", ({ history, since = 2, want }) => {
    const ledger = historyOf(history);
    const run = Object.values(ledger.runs).find(({ order }) => order === since);
    if (run === undefined) throw new Error("no such run");
    expect(wasRolledBackFrom(ledger, run, "x", "b")).toBe(want);
  });
});

describe("2.3 which namespaces a run rolls back", () => {
  const cases: readonly {
    readonly name: string;
    readonly history?: readonly string[];
    readonly run: string;
    /** The namespace's bucket before and after. */
    readonly of: readonly [before: string, after: string];
    readonly want: boolean;
  }[] = [
    { name: "in a bucket that is rolled back", run: "<x b a", of: ["x", "x"], want: true },
    { name: "in a bucket that is unchanged", run: "<x b a", of: ["y", "y"], want: false },
    {
      name: "from a bucket that is removed to one that is rolled back too",
      history: ["x - b", "y a b"],
      run: "<x b -, <y b a",
      of: ["x", "y"],
      want: true,
    },
    {
      name: "from a removed bucket to one whose share is as before that bucket was added",
      history: ["y a b", "x - b"],
      run: "<x b -",
      of: ["x", "y"],
      want: true,
    },
    {
      name: "from a removed bucket to one that moved forward since that bucket was added",
      history: ["x - b", "y a b"],
      run: "<x b -",
      of: ["x", "y"],
      want: false,
    },
    {
      name: "from a removed bucket, while a third one moved forward since",
      history: ["x - b", "z a b"],
      run: "<x b -",
      of: ["x", "y"],
      want: true,
    },
    {
      name: "from a removed bucket to one that moved forward, while others were added since",
      history: ["x - b, w a b", "y a b", "z - c"],
      run: "<x b -",
      of: ["x", "y"],
      want: false,
    },
    {
      name: "from a removed bucket, itself changed since, to one that moved forward",
      history: ["x - a", "y a b", "x a b"],
      run: "<x b -",
      of: ["x", "y"],
      want: false,
    },
    {
      name: "from a removed bucket to one that moved forward and back again",
      history: ["x - b", "y a b", "<y b a"],
      run: "<x b -",
      of: ["x", "y"],
      want: true,
    },
    {
      name: "from a removed bucket, added together with another, to one that moved forward before",
      history: ["y a b", "x - b, w a b"],
      run: "<x b -",
      of: ["x", "y"],
      want: true,
    },
    {
      name: "from a removed bucket to one that moved forward by a commit that vanished",
      history: ["x - b", "gone: y a b"],
      run: "<x b -",
      of: ["x", "y"],
      want: true,
    },
  ];
  test.each(cases)("$name: $want", ({ history = [], run, of: [before, after], want }) => {
    const order = history.length + 1;
    const back = makeRun(sha("rollback"), sha("base"), { order, changes: changesOf(run) });
    const later = makeRun(sha("later"), sha("base"), { order: order + 1, changes: changesOf("y a z") });
    const ledger = historyOf(history);
    const runs = { ...ledger.runs, [back.id]: back, [later.id]: later };
    expect(isRollbackOf(back, before, after, { ...ledger, runs })).toBe(want);
  });
});
