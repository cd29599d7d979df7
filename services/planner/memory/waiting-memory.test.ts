import type { Snapshot } from "#libs/plan";
import { makeCluster, makeLedger, makeRun, makeWorkload, makeSnapshot, noon, runId, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { rememberWaiting, type WaitingMemory } from "./waiting-memory.ts";

const paused = makeWorkload("shop/p", { paused: true });
const key = "one:shop/Deployment/p";
const snapshotOf = (workload: typeof paused, change: Partial<Snapshot> = {}) =>
  makeSnapshot({ clusters: new Map([["one", makeCluster("one", [workload])]]), ...change });
const makeMemory = (entries: readonly (readonly [string, number])[]): WaitingMemory => ({
  waitingSince: new Map(entries),
});

test("3.1 since when a workload waits is remembered from the first reconcile", () => {
  const memory = makeMemory([]);
  rememberWaiting(memory, snapshotOf(paused));
  rememberWaiting(memory, snapshotOf(paused, { now: noon + 60_000 }));
  expect([...memory.waitingSince]).toEqual([[key, noon]]);
});

test("3.1 the start of a wait is remembered after readinessTimeout, so that it does not begin again", () => {
  const memory = makeMemory([[key, noon - 300_000]]);
  rememberWaiting(memory, snapshotOf(paused, { waitingSince: memory.waitingSince }));
  expect([...memory.waitingSince]).toEqual([[key, noon - 300_000]]);
});

test.each([
  ["its owner ended the pause", snapshotOf({ ...paused, paused: false })],
  ["it was deleted", snapshotOf(makeWorkload("shop/other"))],
  ["no run asks for it", snapshotOf(paused, { ledger: makeLedger({ main: sha("head"), judged: sha("head") }) })],
])("3.1 it is forgotten when %s", (_, snapshot) => {
  const memory = makeMemory([[key, noon - 1000]]);
  rememberWaiting(memory, snapshot);
  expect(memory.waitingSince.size).toBe(0);
});

test("1.7 while main does not parse nothing is forgotten", () => {
  const memory = makeMemory([[key, noon]]);
  const main = { head: sha("bad"), ageMs: 0, contained: true, vanished: [], points: [] };
  rememberWaiting(memory, snapshotOf(paused, { main }));
  expect(memory.waitingSince.size).toBe(1);
});

test("the map stays the same object while no wait begins or ends, so that nothing is judged again", () => {
  const memory = makeMemory([]);
  rememberWaiting(memory, snapshotOf(paused));
  const before = memory.waitingSince;
  rememberWaiting(memory, snapshotOf(paused, { now: noon + 60_000, waitingSince: before }));
  expect(memory.waitingSince).toBe(before);
});

test.each([
  { name: "since it was paused", of: { ...paused, times: { paused: noon - 61_000 } }, want: 60_000 },
  {
    name: "since it was paused, with a server clock an hour ahead",
    of: { ...paused, times: { paused: noon + 3_539_000 } },
    skew: 3_600_000,
    want: 60_000,
  },
  { name: "not longer than its run", of: { ...paused, times: { paused: noon - 90_000_000 } }, want: 600_000 },
  { name: "from now on, if the API server has no times", of: paused, want: 0 },
  {
    name: "since its budget allows nothing",
    of: { ...paused, paused: false, disruptionsAllowed: 0, noDisruptionSince: noon - 31_000 },
    want: 30_000,
  },
])("3.1 a planner that starts continues a wait by what the objects say: $name", ({ of, want, skew = 0 }) => {
  const memory = makeMemory([]);
  const cluster = makeCluster("one", [of], { serverNow: noon + skew });
  const startedAt = new Date(noon - 600_000).toISOString();
  const ledger = makeLedger({
    runs: { [runId]: makeRun(sha("head"), sha("base"), { startedAt }) },
    judged: sha("head"),
  });
  rememberWaiting(memory, makeSnapshot({ clusters: new Map([["one", cluster]]), ledger }));
  expect([...memory.waitingSince]).toEqual([[key, noon - want]]);
});
