import { judgeChanges, type LedgerState, type RunRecord, type Spec } from "#libs/plan";
import { makeLedger, makeRun, makeSpec, sha } from "#test/world/build";
import { describe, expect, test } from "vitest";

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

describe("a commit that sets a bucket back to what main has had is a return, anything else is forward", () => {
  const cases: readonly {
    readonly name: string;
    readonly history: readonly (number | "new seed")[];
    readonly want: string;
  }[] = [
    { name: "2.1 up and up", history: [5, 25, 50], want: "5 forward,25 forward,50 forward" },
    { name: "2.1 back to where it began", history: [5, 0], want: "5 forward,0 return" },
    {
      name: "2.1 after 5, 25, 5, the next 25 is forward",
      history: [5, 25, 5, 25],
      want: "5 forward,25 forward,5 return,25 forward",
    },
    {
      name: "2.1 back over several",
      history: [5, 25, 50, 5, 0],
      want: "5 forward,25 forward,50 forward,5 return,0 return",
    },
    { name: "2.1 down to what main never had is forward", history: [25, 10], want: "25 forward,10 forward" },
    {
      name: "2.1 a new seed empties the list",
      history: [5, 25, "new seed", 5],
      want: "5 forward,25 forward,new seed forward,5 forward",
    },
    {
      name: "2.1 a new seed is no return, though all stands as it did",
      history: ["new seed"],
      want: "new seed forward",
    },
  ];
  test.each(cases)("$name", ({ history, want }) => expect(judgeHistory(history).join()).toBe(want));
});

test("2.1 a commit is a return only for the buckets that it sets back", () => {
  const at = (commit: string, percentNew: number, more: Record<string, number>): Spec => {
    const spec = makeSpec(sha(commit), percentNew);
    const extra = Object.entries(more).map(([pattern, weight]) => ({
      pattern,
      line: 1,
      column: 1,
      shares: [
        { revision: "new", weight },
        { revision: "old", weight: 100 - weight },
      ],
    }));
    return { ...spec, rollouts: { buckets: [...spec.rollouts.buckets, ...extra] } };
  };
  const [before, after] = [at("c1", 25, {}), at("c2", 0, { "shop-.*": 50 })];
  const first = makeRun(before.commit, sha("base"), {
    changes: judgeChanges(makeLedger(), makeSpec(sha("base"), 0), before),
  });
  const changes = judgeChanges(makeLedger({ runs: { [first.id]: first } }), before, after);
  expect(changes.map(({ pattern, from, direction }) => [pattern, from === "", direction])).toEqual([
    ["production", false, "return"],
    ["shop-.*", true, "forward"],
  ]);
});

test("2.1 absent from the file counts: taking a new bucket out again is a return", () => {
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
    { pattern: "x", to: "", direction: "return" },
  ]);
});
