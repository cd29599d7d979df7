import { writeText } from "#libs/wording";
import { makeLedger, makeRun, makeStop, sha } from "#test/world/build";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { BakeRecord, LedgerState, PlanRecord, RunRecord, StopRecord } from "../ledger-state.ts";
import { applyChange } from "./apply-change.ts";
import { compareLedgers } from "./compare-ledgers.ts";
import type { RunStep, StopChange } from "./ledger-change.ts";

const at = "2026-11-19T12:00:00.000Z";
const [opened, done] = [
  { openedAt: at, unhealthyBefore: [] },
  { openedAt: at, unhealthyBefore: [], doneAt: at },
];
const bakeOf = (healthyMs: number, more: Pick<BakeRecord, "paused"> = {}) => {
  return { beganAt: at, neededMs: 100, healthyMs, savedAt: at, ...more };
};
const passed = { verdict: "pass", at, why: writeText("5 of 5") } as const;

const ids = ["a", "b", "__proto__", "constructor"] as const;

function recordsOf<T>(make: (id: string) => fc.Arbitrary<T>): fc.Arbitrary<Readonly<Record<string, T>>> {
  const entries = fc.tuple(...ids.map((id) => fc.option(make(id), { nil: undefined })));
  return entries.map((all) =>
    Object.fromEntries(all.flatMap((each, index) => (each === undefined ? [] : [[ids[index] ?? "", each]]))),
  );
}

const runs = recordsOf((id) =>
  fc
    .record({
      state: fc.constantFrom("open", "done", "gone"),
      clusters: fc.dictionary(fc.constantFrom("one", "two"), fc.constantFrom(opened, done)),
      more: fc.constantFrom(
        {},
        { bake: bakeOf(5) },
        { bake: bakeOf(100) },
        { gates: { g: passed } },
        { archived: "facts" },
      ),
    })
    .map(({ state, clusters, more }) =>
      makeRun(sha(id), sha("base"), { id, state, clusters, ...more } as Partial<RunRecord>),
    ),
);
const stops = recordsOf((id) =>
  fc
    .constantFrom(
      {},
      { resume: { at, who: "ana", why: "" } },
      { resume: { at, who: "ana", why: "" }, archived: "facts" },
    )
    .map((more) => makeStop({ id, scope: "all", ...(more as Partial<StopRecord>) })),
);
const requests = recordsOf(() => fc.record({ at: fc.constant(at), answer: fc.constantFrom("done", "refused") }));
const planOf = (head: string, digest: string, branch: string): PlanRecord => {
  return { head, campaign: "shop", stage: "half", branch, at, changes: [], digest, list: "" };
};
const plans = recordsOf((head) =>
  fc
    .tuple(fc.constantFrom("1", "2"), fc.constantFrom("x", "y"))
    .map(([digest, branch]) => planOf(head, digest, branch)),
);
const ledgers: fc.Arbitrary<LedgerState> = fc
  .record({
    sequence: fc.nat(99),
    main: fc.constantFrom("m", "n"),
    judged: fc.constantFrom("m", "n"),
    baseline: fc.constantFrom("m", "n").map((commit) => ({ commit, at, by: "ana", installation: "testmeshroll" })),
    runs,
    stops,
    requests,
    plans,
  })
  .map((fields) => makeLedger(fields));

test("8.2 what two ledgers differ by, applied to the older one, makes the newer one", () => {
  fc.assert(
    fc.property(ledgers, ledgers, (before, after) => {
      const change = compareLedgers(before, after);
      expect(applyChange(before, change)).toEqual(after);
      // Nothing is in it that is the same in both.
      expect(compareLedgers(after, after)).toEqual({ sequence: after.sequence, main: after.main });
    }),
    { numRuns: 500, seed: 16 },
  );
});

test("what a change does not name is the same object, so that a push writes what changed and nothing else", () => {
  const before = makeLedger({ runs: { a: makeRun(sha("a"), sha("base"), { id: "a" }) } });
  const after = applyChange(before, { sequence: 9, main: "n" });
  expect(
    [after.runs, after.stops, after.requests, after.plans].map((each, index) => {
      return each === [before.runs, before.stops, before.requests, before.plans][index];
    }),
  ).toEqual([true, true, true, true]);
  expect(after).toMatchObject({ sequence: 9, main: "n", head: before.head });
});

describe("what a run went through", () => {
  const usual = { clusters: { one: opened } };
  const cases: readonly {
    readonly name: string;
    readonly before: Partial<RunRecord> | undefined;
    readonly after: Partial<RunRecord>;
    readonly want: readonly RunStep[];
  }[] = [
    { name: "it started", before: undefined, after: usual, want: [{ kind: "started" }] },
    {
      name: "it ended, with all that its gates said last",
      before: usual,
      after: { ...usual, state: "done", gates: { g: passed } },
      want: [{ kind: "ended" }],
    },
    { name: "its commit vanished", before: usual, after: { ...usual, state: "gone" }, want: [{ kind: "ended" }] },
    {
      name: "a retry opened it again",
      before: { state: "done" },
      after: { retried: { w: 1 } },
      want: [{ kind: "retried" }],
    },
    {
      name: "a retry of an open one",
      before: usual,
      after: { ...usual, retried: { w: 1 } },
      want: [{ kind: "retried" }],
    },
    {
      name: "a wave opened while another one ended and a third one has work again",
      before: { clusters: { one: opened, two: done } },
      after: { clusters: { one: done, two: opened, three: opened } },
      want: [
        { kind: "wavesOpened", clusters: ["three"] },
        { kind: "wavesClosed", clusters: ["one"] },
        { kind: "wavesReopened", clusters: ["two"] },
      ],
    },
    { name: "its bake began", before: {}, after: { bake: bakeOf(0) }, want: [{ kind: "bakeSaved", step: "began" }] },
    {
      name: "its bake went on",
      before: { bake: bakeOf(0) },
      after: { bake: bakeOf(50) },
      want: [{ kind: "bakeSaved", step: "progress" }],
    },
    {
      name: "its bake was interrupted",
      before: { bake: bakeOf(0) },
      after: { bake: bakeOf(0, { paused: { code: "BakeUnseen", message: writeText("one is not seen") } }) },
      want: [{ kind: "bakeSaved", step: "paused" }],
    },
    {
      name: "its bake is over",
      before: { bake: bakeOf(50) },
      after: { bake: bakeOf(100) },
      want: [{ kind: "bakeSaved", step: "over" }],
    },
    { name: "its bake starts again", before: { bake: bakeOf(50) }, after: {}, want: [{ kind: "bakeRestarted" }] },
    {
      name: "a gate said something, and what it was counted by came with it",
      before: {},
      after: { gates: { g: passed }, measured: { g: { by: "q" }, h: { by: "q" } } },
      want: [
        { kind: "gateJudged", gate: "g" },
        { kind: "gateCounted", gate: "h" },
      ],
    },
    {
      name: "it left the live part",
      before: { state: "done" },
      after: { state: "done", archived: "facts" },
      want: [{ kind: "archived" }],
    },
    {
      name: "it returned",
      before: { state: "done", archived: "facts" },
      after: { state: "done" },
      want: [{ kind: "restored" }],
    },
    {
      name: "it was opened again out of the archive",
      before: { state: "done", archived: "whole" },
      after: { retried: { w: 1 } },
      want: [{ kind: "retried" }],
    },
    { name: "a field was changed by hand", before: {}, after: { subject: "other" }, want: [] },
  ];
  test.each(cases)("$name", ({ before, after, want }) => {
    const ledgerOf = (change: Partial<RunRecord> | undefined) =>
      makeLedger({ runs: change === undefined ? {} : { r: makeRun(sha("r"), sha("base"), { id: "r", ...change }) } });
    expect(compareLedgers(ledgerOf(before), ledgerOf(after)).runs?.map(({ steps }) => steps)).toEqual([want]);
  });
});

describe("what became of a stop", () => {
  const resume = { at, who: "ana", why: "" };
  const cases: readonly {
    readonly before: Partial<StopRecord> | undefined;
    readonly after: Partial<StopRecord>;
    readonly want: StopChange["step"];
  }[] = [
    { before: undefined, after: {}, want: "placed" },
    { before: {}, after: { resume }, want: "resumed" },
    { before: { resume }, after: { resume, archived: "facts" }, want: "archived" },
    { before: { resume, archived: "facts" }, after: { resume }, want: "restored" },
    { before: {}, after: { why: "other" }, want: "changed" },
  ];
  test.each(cases)("$want", ({ before, after, want }) => {
    const ledgerOf = (change: Partial<StopRecord> | undefined) =>
      makeLedger({ stops: change === undefined ? {} : { s: makeStop({ id: "s", scope: "all", ...change }) } });
    expect(compareLedgers(ledgerOf(before), ledgerOf(after)).stops?.map(({ step }) => step)).toEqual([want]);
  });
});

test("10.2 the first head of a branch proposes its stage, the next one is another head, and a newer list is neither", () => {
  const first = planOf("h1", "1", "x");
  const changes = [
    compareLedgers(makeLedger(), makeLedger({ plans: { h1: first } })),
    compareLedgers(makeLedger({ plans: { h1: first } }), makeLedger({ plans: { h2: planOf("h2", "1", "x") } })),
    compareLedgers(makeLedger({ plans: { h1: first } }), makeLedger({ plans: { h1: { ...first, digest: "2" } } })),
  ];
  expect(changes.map(({ plans: all = [], forgotten }) => [all.map(({ step }) => step), forgotten])).toEqual([
    [["stageProposed"], undefined],
    [["headProposed"], { plans: ["h1"] }],
    [["relisted"], undefined],
  ]);
});
