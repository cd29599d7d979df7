import type { World } from "#libs/plan";
import { makeCluster, makeLedger, makeWorkload, makeWorld, noon, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { rememberWaiting } from "./waiting-memory.ts";

const paused = makeWorkload("shop/p", { paused: true });
const key = "one:shop/Deployment/p";
const worldOf = (workload: typeof paused, change: Partial<World> = {}) =>
  makeWorld({ clusters: new Map([["one", makeCluster("one", [workload])]]), ...change });

test("3.1 since when a workload waits is remembered from the first look", () => {
  const memory = new Map<string, number>();
  rememberWaiting(memory, worldOf(paused));
  rememberWaiting(memory, worldOf(paused, { now: noon + 60_000 }));
  expect([...memory]).toEqual([[key, noon]]);
});

test("3.1 and still when its time is over: it does not begin to wait again", () => {
  const memory = new Map([[key, noon - 300_000]]);
  rememberWaiting(memory, worldOf(paused, { waitingSince: new Map(memory) }));
  expect([...memory]).toEqual([[key, noon - 300_000]]);
});

test.each([
  ["its owner is through", worldOf({ ...paused, paused: false })],
  ["it is gone", worldOf(makeWorkload("shop/other"))],
  ["no run asks for it", worldOf(paused, { ledger: makeLedger({ main: sha("head"), judged: sha("head") }) })],
])("3.1 it is forgotten when %s", (_, world) => {
  const memory = new Map([[key, noon - 1000]]);
  rememberWaiting(memory, world);
  expect(memory.size).toBe(0);
});

test("1.7 while main does not parse nothing is forgotten", () => {
  const memory = new Map([[key, noon]]);
  const main = { head: sha("bad"), ageMs: 0, contained: true, vanished: [], points: [] };
  rememberWaiting(memory, worldOf(paused, { main }));
  expect(memory.size).toBe(1);
});
