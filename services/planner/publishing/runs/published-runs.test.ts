import { nameRunKey } from "#libs/events";
import type { LedgerState, RunRecord, Snapshot } from "#libs/plan";
import { makeLedger, makeRun, sha } from "#test/world/build";
import { allMigrated, instantRun, makeInstant, over, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import { makeBench } from "#test/world/runs/publisher-bench";

const second = 1000;
const open = makeInstant();
const outcome = { migrated: 21, skipped: [], seen: [] };
const ended = makeInstant({ run: { ...over, endedAt: "2026-11-19T11:50:00.000Z", outcome } });

/** The same instant, so many seconds later. */
function later(snapshot: Snapshot, seconds: number): Snapshot {
  return { ...snapshot, now: snapshot.now + 1000 * seconds };
}

function makeEnded(count: number, change: Partial<RunRecord> = {}): LedgerState {
  const runs = Array.from({ length: count }, (_, at) =>
    makeRun(sha(`run ${at}`), sha("base"), {
      order: at + 1,
      state: "done",
      endedAt: "2026-11-19T12:30:00.000Z",
      outcome,
      ...change,
    }),
  );
  return makeLedger({ runs: Object.fromEntries(runs.map((run) => [run.id, run])) });
}

describe("an open run on the bus", () => {
  it("has its record, its present state and its course", async () => {
    const { reconcile, read } = makeBench();
    await reconcile(open);
    const report = await read();
    expect([report?.record.stage, report?.now?.id, report?.gates?.length]).toEqual(["prod-25", instantRun, 4]);
    expect(report?.series.progress.points).toHaveLength(1);
  });

  it("is written at most every five seconds, and only when something changed", async () => {
    const { clock, reconcile, read, countPuts } = makeBench();
    await reconcile(open);
    await clock.advance(second);
    const changed = later(makeInstant({ progress: allMigrated }), 1);
    await reconcile(changed);
    const early = countPuts();
    await clock.advance(4 * second);
    await reconcile(later(changed, 4));
    const due = countPuts();
    await clock.advance(30 * second);
    await reconcile(later(changed, 34));
    expect([early, due, countPuts()]).toEqual([1, 2, 2]);
    // The change was sampled when it was seen, and not when it was written.
    expect((await read())?.series.progress.points.map(({ t }) => t - open.now)).toEqual([0, 1000]);
  });

  it("is written again after a minute without a change", async () => {
    const { clock, reconcile, countPuts } = makeBench();
    await reconcile(open);
    await clock.advance(61 * second);
    await reconcile(later(open, 61));
    expect(countPuts()).toBe(2);
  });

  it("goes on where the planner before it ended", async () => {
    const { clock, reconcile, read, restart } = makeBench();
    await reconcile(open);
    restart();
    await clock.advance(5 * second);
    await reconcile(later(makeInstant({ progress: allMigrated }), 5));
    expect((await read())?.series.progress.points.map(({ t }) => t - open.now)).toEqual([0, 5000]);
  });

  it("goes on from nothing where its key is not ours", async () => {
    const { bucket, reconcile, read } = makeBench();
    await bucket.put(nameRunKey(instantRun), '{"kind":"RunReport","series":7}');
    await reconcile(open);
    expect((await read())?.series.progress.points).toHaveLength(1);
  });
});

describe("a run that ends", () => {
  it("is written at once, with its outcome and its whole course", async () => {
    const { clock, reconcile, read } = makeBench();
    await reconcile(open);
    await clock.advance(second);
    await reconcile(later(ended, 420));
    const report = await read();
    expect([report?.record.state, report?.record.counts?.migrated, report?.now]).toEqual(["done", 21, undefined]);
    expect(report?.series.progress.points.at(-1)).toMatchObject({
      migrated: 21,
      pending: 0,
      t: Date.parse("2026-11-19T11:50:00.000Z"),
    });
  });

  it("is ended by the next planner where this one does not live that long", async () => {
    const { reconcile, read, restart } = makeBench();
    await reconcile(open);
    restart();
    await reconcile(later(ended, 420));
    const report = await read();
    expect([report?.record.state, report?.now, report?.series.progress.points.length]).toEqual(["done", undefined, 2]);
  });

  it("that is opened again by a retry continues its course", async () => {
    const { clock, reconcile, read } = makeBench();
    await reconcile(open);
    await clock.advance(second);
    await reconcile(later(ended, 420));
    await clock.advance(10 * second);
    await reconcile(later(open, 500));
    const report = await read();
    expect([report?.record.state, report?.series.progress.points.length]).toEqual(["open", 3]);
  });
});

describe("runs that ended before", () => {
  const cases: readonly { name: string; count: number; change?: Partial<RunRecord>; turns: number; want: number }[] = [
    { name: "get a key without a course, a few in each reconcile", count: 12, turns: 1, want: 5 },
    { name: "all get one after some reconciles", count: 12, turns: 3, want: 12 },
    { name: "get none where fifty newer runs have one", count: 60, turns: 20, want: 50 },
    {
      name: "get one once where only figures of them were read",
      count: 3,
      change: { archived: "facts" },
      turns: 30,
      want: 3,
    },
  ];
  it.each(cases)("$name", async ({ count, change, turns, want }) => {
    const { bucket, reconcileTimes, countPuts } = makeBench();
    await reconcileTimes(turns, { ...open, ledger: makeEnded(count, change) });
    expect([(await bucket.keys("runs.*")).size, countPuts()]).toEqual([want, want]);
  });

  it("are written again when a later run rolls them back", async () => {
    const { clock, reconcile, read } = makeBench();
    const change = { pattern: "production", from: "old: 100", to: "new: 100" };
    const first = makeRun(sha("first"), sha("base"), {
      ...over,
      outcome,
      changes: [{ ...change, direction: "forward" }],
    });
    const back = makeRun(sha("back"), sha("first"), {
      order: 2,
      changes: [{ ...change, from: change.to, to: change.from, direction: "rollback" }],
    });
    await reconcile({ ...open, ledger: makeLedger({ runs: { [first.id]: first } }) });
    const before = (await read(first.id))?.record.rolledBackBy;
    await clock.advance(5 * second);
    await reconcile({ ...open, ledger: makeLedger({ runs: { [first.id]: first, [back.id]: back } }) });
    expect([before, (await read(first.id))?.record.rolledBackBy]).toEqual([undefined, back.id]);
  });

  it("are not written by the next planner where nothing changed", async () => {
    const { reconcile, restart, countPuts } = makeBench();
    const snapshot = { ...open, ledger: makeEnded(3) };
    await reconcile(snapshot);
    restart();
    await reconcile(later(snapshot, 60));
    expect(countPuts()).toBe(3);
  });

  it("lose their keys when fifty newer ones have one, and keep them until then", async () => {
    const { clock, bucket, reconcile, reconcileTimes } = makeBench();
    const old = makeRun(sha("old"), sha("base"), { ...over, outcome, order: 0 });
    await reconcile({ ...open, ledger: makeLedger({ runs: { [old.id]: old } }) });
    const ledger = makeEnded(50);
    const snapshot = { ...open, ledger: { ...ledger, runs: { ...ledger.runs, [old.id]: old } } };
    await clock.advance(5 * second);
    await reconcileTimes(10, snapshot);
    const during = await bucket.keys("runs.*");
    await clock.advance(61 * second);
    await reconcile(snapshot);
    const after = await bucket.keys("runs.*");
    expect([during.size, after.size, after.has(nameRunKey(old.id))]).toEqual([51, 50, false]);
  });
});

describe("a wiped bus", () => {
  it("gets open and ended runs back within a minute", async () => {
    const { clock, server, bucket, reconcile } = makeBench();
    const ledger = makeEnded(2);
    const snapshot = { ...open, ledger: { ...ledger, runs: { ...ledger.runs, ...open.ledger?.runs } } };
    await reconcile(snapshot);
    server.wipe();
    await clock.advance(61 * second);
    await reconcile(later(snapshot, 61));
    await clock.advance(5 * second);
    await reconcile(later(snapshot, 66));
    expect((await bucket.keys("runs.*")).size).toBe(3);
  });
});

describe("a run whose key fails", () => {
  it.each([
    { name: "cannot be written", fails: `put ${nameRunKey(instantRun)}`, want: [12, false] },
    { name: "cannot be read", fails: `get ${nameRunKey(instantRun)}`, want: [12, false] },
  ])("because it $name keeps no other run from the bus", async ({ fails, want }) => {
    const { bucket, reconcileTimes, warnings } = makeBench((call) => call === fails);
    const ledger = makeEnded(12);
    const snapshot = { ...open, ledger: { ...ledger, runs: { ...open.ledger?.runs, ...ledger.runs } } };
    await reconcileTimes(6, snapshot);
    const keys = await bucket.keys("runs.*");
    expect([keys.size, keys.has(nameRunKey(instantRun))]).toEqual(want);
    expect(warnings).toHaveLength(1);
  });

  it("keeps no ended run from the bus, where five ended ones fail", async () => {
    const ledger = makeEnded(12);
    const failing = Object.keys(ledger.runs).slice(0, 5).map(nameRunKey);
    const { bucket, reconcileTimes } = makeBench((call) => failing.some((key) => call === `put ${key}`));
    await reconcileTimes(6, { ...open, ledger });
    expect((await bucket.keys("runs.*")).size).toBe(7);
  });
});

it("without a ledger nothing is written", async () => {
  const { reconcile, calls } = makeBench();
  await reconcile({ ...open, ledger: undefined }, statusOf(open));
  expect(calls).toEqual([]);
});

it("after a fault nothing is tried for five seconds", async () => {
  let tries = 0;
  const { clock, reconcile, warnings } = makeBench((call) => call.startsWith("put") && (tries += 1) > 0);
  for (let at = 0; at < 10; at += 1) {
    await reconcile(later(open, at));
    await clock.advance(second);
  }
  expect([tries, warnings.length]).toEqual([2, 1]);
});

describe("a planner that does not lead any more", () => {
  it.each([
    { name: "an open run", snapshot: later(makeInstant({ progress: allMigrated }), 60) },
    { name: "a run that ended", snapshot: later(ended, 420) },
  ])("writes nothing of $name", async ({ snapshot }) => {
    const { clock, reconcile, countPuts, state } = makeBench();
    await reconcile(open);
    await clock.advance(61 * second);
    state.leads = false;
    await reconcile(snapshot);
    expect(countPuts()).toBe(1);
  });

  it("writes nothing where it learns so while it reads", async () => {
    const bench = makeBench((call) => {
      if (call.startsWith("get")) bench.state.leads = false;
      return false;
    });
    await bench.reconcile({ ...open, ledger: makeEnded(3) });
    expect(bench.countPuts()).toBe(0);
  });
});

describe("hundreds of open runs", () => {
  it("are written a few in each reconcile, all of them in turn", async () => {
    const { clock, bucket, reconcile, countPuts } = makeBench();
    const runs = Array.from({ length: 60 }, (_, at) => makeRun(sha(`run ${at}`), sha("base"), { order: at + 1 }));
    const snapshot = { ...open, ledger: makeLedger({ runs: Object.fromEntries(runs.map((run) => [run.id, run])) }) };
    let most = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      const before = countPuts();
      await reconcile(later(snapshot, turn));
      most = Math.max(most, countPuts() - before);
      await clock.advance(second);
    }
    expect([(await bucket.keys("runs.*")).size, most <= 20]).toEqual([60, true]);
  });
});

it("a ledger that moves has no ended run read again where none of them changed", async () => {
  const { reconcileTimes, calls } = makeBench();
  const snapshot = { ...open, ledger: makeEnded(3) };
  await reconcileTimes(1, snapshot);
  const before = calls.length;
  await reconcileTimes(3, { ...snapshot, ledger: makeEnded(3) });
  expect(calls.length).toBe(before);
});
