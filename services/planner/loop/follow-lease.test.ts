import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { createLease } from "#libs/bus";
import { createSilentLogger } from "#test/flow/parts/silent-logger";
import { expect, test } from "vitest";

import { followLease } from "./follow-lease.ts";

async function openTwo() {
  const [clock, server] = [createVirtualClock(), createFakeBusServer()];
  const end = new AbortController();
  const follow = async (place: string) => {
    const bucket = openFakeBus(server).bucket("status");
    const lease = createLease({ bucket, key: "leader", holder: { place, id: "1" }, clock });
    return followLease({ lease, clock, log: createSilentLogger(), onTerm: () => undefined }, end.signal);
  };
  return { clock, server, end, one: await follow("a"), other: await follow("b") };
}

test("a term goes on while the lease is renewed", async () => {
  const { clock, one, other } = await openTwo();
  const term = one.term();
  await clock.advance(600_000);
  expect([term?.leads(), term?.signal.aborted, one.term() === term, other.term()]).toEqual([
    true,
    false,
    true,
    undefined,
  ]);
});

test("without the bus a term does nothing after seven seconds; it continues if no other planner led meanwhile", async () => {
  const { clock, server, one, other } = await openTwo();
  const term = one.term();
  server.disconnect();
  await clock.advance(4_900);
  const before = term?.leads();
  await clock.advance(60_000);
  const during = [term?.leads(), term?.signal.aborted, other.term()];
  server.connect();
  // Both planners try in the same interval, so which is first is not defined.
  await clock.advance(2_000);
  const [after, taken] = [one.term(), other.term()];
  expect([before, during]).toEqual([true, [false, false, undefined]]);
  expect([after, taken].filter((each) => each?.leads() === true)).toHaveLength(1);
  expect(term?.signal.aborted).toBe(after === undefined);
});

test("a term is over for good once another planner leads; leading later is a new term", async () => {
  const { clock, server, one, other } = await openTwo();
  const term = one.term();
  await openFakeBus(server).bucket("status").put("leader", "free");
  await other.end();
  await openFakeBus(server).bucket("status").put("leader", "c 1");
  await clock.advance(2_000);
  expect([term?.signal.aborted, term?.leads(), one.term()]).toEqual([true, false, undefined]);
  await clock.advance(12_000);
  expect([one.term()?.leads(), one.term() === term, term?.signal.aborted]).toEqual([true, false, true]);
});

test("the end of the process ends its term, and the lease is given back after the last write", async () => {
  const { clock, end, one, other } = await openTwo();
  const term = one.term();
  end.abort();
  await clock.advance(20_000);
  expect([term?.signal.aborted, term?.leads(), other.term()]).toEqual([true, true, undefined]);
  await one.end();
  await clock.advance(2_000);
  expect([term?.leads(), other.term()?.leads()]).toEqual([false, true]);
});
