import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { printRequest, printControlState } from "#libs/events";
import { expect, test } from "vitest";

import { followControl } from "./follow-control.ts";

/** KV `control` on a virtual clock, a planner that seeds it by hand, and its follower. */
function makeBench() {
  const server = createFakeBusServer();
  const clock = createVirtualClock();
  const bucket = openFakeBus(server).bucket("control");
  let beats = 0;
  let changes = 0;
  const seed = async (seeded = true, beat = `beat-${(beats += 1)}`) => {
    const state = { version: 1 as const, main: "a".repeat(40), seeded, beat, writer: "planner" };
    await bucket.put("state", printControlState(state));
    await clock.settle();
  };
  const stop = new AbortController();
  const follow = async () => {
    const view = await followControl(openFakeBus(server).bucket("control"), clock, () => changes++, stop.signal);
    await clock.settle();
    return view;
  };
  return { server, clock, bucket, seed, follow, countChanges: () => changes };
}

test("12.1 fresh = it saw state change within 30 s of its own clock", async () => {
  const { clock, seed, follow } = makeBench();
  const view = await follow();
  const before = view.isFresh();
  await seed();
  await clock.advance(30_000);
  const within = view.isFresh();
  await clock.advance(1);
  expect([before, within, view.isFresh()]).toEqual([false, true, false]);
});

test("7.2 a state that was replayed may be of any age, so it is not fresh before the next change", async () => {
  const { seed, follow } = makeBench();
  await seed();
  const view = await follow();
  const read = [view.state()?.beat, view.isFresh()];
  await seed();
  expect([...read, view.isFresh()]).toEqual(["beat-1", false, true]);
});

test("7.2 a state that is written again without a new beat is no sign of life", async () => {
  const { clock, seed, follow } = makeBench();
  const view = await follow();
  await seed(true, "same");
  await clock.advance(20_000);
  await seed(true, "same");
  await clock.advance(20_000);
  expect(view.isFresh()).toBe(false);
});

test("7.2 a state that is not seeded is never fresh", async () => {
  const { seed, follow } = makeBench();
  const view = await follow();
  await seed(false);
  expect([view.state()?.seeded, view.isFresh()]).toEqual([false, false]);
});

test("7.2 a wiped bucket is unknown until the planner seeds it again", async () => {
  const { server, clock, seed, follow } = makeBench();
  const view = await follow();
  await seed();
  server.wipe();
  await clock.settle();
  const wiped = [view.state(), view.isFresh()];
  await seed();
  expect([...wiped, view.isFresh()]).toEqual([undefined, false, true]);
});

test("7.2 while the bus is away the state grows old; afterwards only a change makes it fresh", async () => {
  const { server, clock, seed, follow } = makeBench();
  const view = await follow();
  await seed();
  server.disconnect();
  await clock.advance(31_000);
  const away = view.isFresh();
  server.connect();
  await clock.settle();
  const back = view.isFresh();
  await seed();
  expect([away, back, view.isFresh()]).toEqual([false, false, true]);
});

test.each(["", "{", '{"version":2}'])("7.2 a state that is not ours (%j) is unknown", async (text) => {
  const { clock, bucket, seed, follow } = makeBench();
  const view = await follow();
  await seed();
  await bucket.put("state", text);
  await clock.settle();
  expect([view.state(), view.isFresh()]).toEqual([undefined, false]);
});

test("7.2 verbs count while they are on the bus, stops and rollbacks ten minutes longer, because only the ledger ends them", async () => {
  const { clock, bucket, follow } = makeBench();
  const view = await follow();
  const request = {
    id: "verb-1",
    verb: "stop",
    scope: "all",
    strength: "move",
    who: "ana",
    why: "",
    at: "2026-11-19T12:00:00Z",
  } as const;
  await bucket.put("request.verb-1", printRequest(request));
  await bucket.put("request.verb-2", "not ours");
  await clock.settle();
  const asked = view.requests().map(({ id }) => id);
  await bucket.delete("request.verb-1");
  await clock.settle();
  const kept = view.requests().map(({ id }) => id);
  await clock.advance(600_001);
  expect([asked, kept, view.requests()]).toEqual([["verb-1"], ["verb-1"], []]);
});

test("a beat alone causes no reconcile, except the first one; any other change does", async () => {
  const { clock, seed, follow, countChanges } = makeBench();
  await follow();
  const counts: number[] = [];
  const count = async (seeded: boolean, passed = 2000) => {
    await clock.advance(passed);
    const before = countChanges();
    await seed(seeded);
    counts.push(countChanges() - before);
  };
  await count(true);
  await count(true);
  await count(true, 30_001);
  await count(false);
  await count(true);
  await count(true);
  expect(counts).toEqual([1, 0, 1, 1, 1, 0]);
});
