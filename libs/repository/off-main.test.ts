import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createVirtualClock } from "#fakes/runtime";
import { testInstallation } from "#libs/input";
import { openLedger } from "#libs/ledger";
import { createRepositorySnapshots } from "#libs/repository";
import { type LedgerState, makeBaseline, type RunRecord } from "#libs/plan";
import { makeRun, makeStop } from "#test/world/build";
import { describe, expect, test } from "vitest";

const file = (percent: number) => `production:\n  old: ${100 - percent}\n  new: ${percent}\n`;
const said = (percent: number) => (percent === 0 ? '[["old",100]]' : `[["new",${percent}],["old",${100 - percent}]]`);
const move = (from: number, to: number, direction: "forward" | "rollback" = "forward") => [
  { pattern: "production", from: said(from), to: said(to), direction },
];

/** Main went from 0 % to each of these, and a branch says 100 %; `record` changes the ledger, which has no run. */
async function read(
  percents: readonly number[],
  record: (shas: readonly string[], elsewhere: string) => Partial<LedgerState>,
) {
  const remote = createFakeRemote();
  const clock = createVirtualClock();
  const shas = [0, ...percents].map((percent) => remote.commitToMain({ files: { "rollouts.yml": file(percent) } }));
  const elsewhere = remote.commitTo("mallory/evil", { files: { "rollouts.yml": file(100) } });
  const repository = openFakeRepository(remote);
  const { next, ...entry } = makeBaseline(shas[0] ?? "", clock.now(), "ana", testInstallation);
  const main = shas.at(-1) ?? "";
  const state: LedgerState = { ...next, main, judged: main, ...record(shas, elsewhere) };
  await openLedger(repository).record({ ...entry, next: state }, undefined);
  const snapshot = await createRepositorySnapshots(repository, openLedger(repository), clock).refresh();
  return { ...snapshot, shas, elsewhere };
}

function index(...runs: readonly RunRecord[]): Pick<LedgerState, "runs"> {
  return { runs: Object.fromEntries(runs.map((run) => [run.id, run])) };
}

const done = (commit = "", before = "", change: Partial<RunRecord> = {}) =>
  makeRun(commit, before, { state: "done", ...change });

describe("what main changed since the last judged commit", () => {
  test.each([
    {
      name: "each change, by what main had before it",
      percents: [30, 60, 0],
      want: [
        { order: 8, changes: move(30, 60) },
        { order: 9, changes: move(60, 0, "rollback") },
      ],
    },
    { name: "nothing where main says the same again", percents: [30, 30], want: undefined },
  ])("2.1 is told until its runs are on record: $name", async ({ percents, want }) => {
    const { ledger } = await read(percents, ([a, b]) => ({
      ...index(done(b, a, { order: 7, changes: move(0, 30) })),
      judged: b ?? "",
    }));
    expect(ledger?.ahead).toEqual(want);
  });
});

interface Case {
  readonly name: string;
  readonly record: (shas: readonly string[], elsewhere: string) => Partial<LedgerState>;
  /** States of the runs, in main's order. */
  readonly states?: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "that a rollback goes to",
    record: ([a, b], elsewhere) => {
      const run = done(b, a);
      return { ...index(run), stops: { x: makeStop({ id: "x", scope: `run/${run.id}`, revertTo: elsewhere }) } };
    },
    states: ["done"],
  },
  { name: "before an open run", record: ([, b], elsewhere) => index(makeRun(b ?? "", elsewhere)), states: ["open"] },
  { name: "of an open run", record: ([a], elsewhere) => index(makeRun(elsewhere, a ?? "")), states: ["open"] },
  {
    name: "of an ended run whose commit vanished",
    record: ([a, b], elsewhere) => index(done(b, a, { order: 2 }), done(elsewhere, a, { order: 1 })),
    states: ["gone", "done"],
  },
  { name: "that is the last judged one", record: (_, elsewhere) => ({ judged: elsewhere }) },
  {
    name: "of the baseline",
    record: (_, elsewhere) => ({
      baseline: { commit: elsewhere, at: "2026-01-01T00:00:00.000Z", by: "eve", installation: testInstallation },
    }),
  },
];

test.each(cases)("2.4 a commit $name is not read where main does not have it", async ({ record, states = [] }) => {
  const { main, specs, ledger, elsewhere, shas } = await read([30], record);
  expect([main.contained, main.vanished, main.points]).toEqual([true, [elsewhere], []]);
  expect([specs.has(elsewhere), specs.has(shas[1] ?? "")]).toEqual([false, true]);
  const runs = Object.values(ledger?.runs ?? {}).toSorted((a, b) => a.order - b.order);
  expect(runs.map(({ state }) => state)).toEqual(states);
});
