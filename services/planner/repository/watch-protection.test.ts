import { createFakeClone, createFakeRemote, openFakeRepository } from "#fakes/git";
import { createVirtualClock } from "#fakes/runtime";
import { createFakeScm } from "#fakes/scm";
import type { LedgerDoubt } from "#libs/plan";
import { createSilentLogger } from "#test/flow/parts/silent-logger";
import { expect, test } from "vitest";

import { watchProtection } from "./watch-protection.ts";

const [minute, hour] = [60_000, 3_600_000];
const closed = { ledgerRules: ["deletion", "non_fast_forward", "update"] };
const open = { ledgerRules: ["deletion", "non_fast_forward"] };
const others = "pushes of others than meshroll";

/** An SCM, and planners that start one after the other with the same clone. */
function makeBench() {
  const remote = createFakeRemote();
  const scm = createFakeScm({ remote });
  const clock = createVirtualClock();
  const clone = createFakeClone();
  let changes = 0;
  async function start(kept = clone) {
    const stop = new AbortController();
    const repository = openFakeRepository(remote, { clone: kept });
    const onChange = (): void => void (changes += 1);
    const parts = { scm: scm.as("meshroll"), repository, clock, log: createSilentLogger([]), onChange };
    const watch = watchProtection(parts, stop.signal);
    const begun = watch.begin();
    await clock.settle();
    return { find: () => watch.findDoubt(), begun, stop: () => stop.abort() };
  }
  return { scm, clock, start, changes: () => changes };
}

function doubt(because: string, ...allows: readonly string[]): LedgerDoubt {
  return { kind: "unprotected", because, allows } as LedgerDoubt;
}

test("a protected branch raises no doubt, and one that loses a rule does within the hour", async () => {
  const { scm, clock, start, changes } = makeBench();
  const { find, begun } = await start();
  await begun;
  expect([find(), changes()]).toEqual([undefined, 1]);
  scm.setLedgerRules(open);
  await clock.advance(hour - minute);
  expect(find()).toBeUndefined();
  await clock.advance(minute);
  expect([find(), changes()]).toEqual([doubt("open", others), 2]);
});

const answers = [
  { name: "no rules", rules: { ledgerRules: [] }, want: doubt("open", "forced pushes", "deletion", others) },
  {
    name: "rules that this token may not read",
    rules: { ...open, ledgerUnread: true as const },
    want: doubt("unread", others),
  },
  { name: "an SCM that reports no rules", rules: {}, want: doubt("untold") },
];

test.each(answers)(
  "$name: nothing is decided, and it is asked each minute until that is put right",
  async ({ rules, want }) => {
    const { scm, clock, start } = makeBench();
    scm.setLedgerRules(rules);
    const { find } = await start();
    expect(find()).toEqual(want);
    scm.setLedgerRules(closed);
    await clock.advance(minute);
    expect(find()).toBeUndefined();
  },
);

test("while the SCM is down the last answer counts", async () => {
  const { scm, clock, start } = makeBench();
  const { find } = await start();
  scm.setUnavailable(true);
  await clock.advance(5 * hour);
  expect(find()).toBeUndefined();
  scm.setLedgerRules(open);
  scm.setUnavailable(false);
  await clock.advance(minute);
  expect(find()).toEqual(doubt("open", others));
  scm.setUnavailable(true);
  await clock.advance(hour);
  expect(find()).toEqual(doubt("open", others));
});

test("a planner that starts while the SCM is down uses the answer that the earlier one recorded", async () => {
  const { scm, clock, start } = makeBench();
  const first = await start();
  first.stop();
  scm.setUnavailable(true);
  const second = await start();
  await second.begun;
  expect(second.find()).toBeUndefined();
  second.stop();
  scm.setUnavailable(false);
  scm.setLedgerRules(open);
  const third = await start();
  third.stop();
  scm.setUnavailable(true);
  expect((await start()).find()).toEqual(doubt("unanswered"));
  await clock.settle();
});

test("with a new clone nothing is decided before the SCM's first answer", async () => {
  const { scm, clock, start } = makeBench();
  scm.setUnavailable(true);
  const { find, begun } = await start(createFakeClone());
  await clock.advance(10 * minute);
  await begun;
  expect(find()).toEqual(doubt("unanswered"));
  scm.setUnavailable(false);
  await clock.advance(minute);
  expect(find()).toBeUndefined();
});
