import { createVirtualClock, type VirtualClock } from "#fakes/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createRequestGate, EVENT_RATE, LIST_RATE, type RequestRate, WRITE_RATE } from "./request-gate.ts";

const forever = new AbortController().signal;

/** The times at which this many requests, all asked for at once, were admitted. */
async function send(clock: VirtualClock, count: number, admit: () => Promise<unknown>): Promise<number[]> {
  const sent: number[] = [];
  for (let index = 0; index < count; index++) {
    void admit().then((refused) => {
      if (refused === undefined || refused === 0) sent.push(clock.monotonic());
    });
  }
  await clock.advance(60_000);
  return sent;
}

/** The largest number within any second. */
function countPerSecond(sent: readonly number[]): number {
  return Math.max(0, ...sent.map((from) => sent.filter((at) => at >= from && at < from + 1000).length));
}

describe("the rate of one cluster", () => {
  it("admits a burst of lists at once, the rest at its rate, and loses none", async () => {
    const clock = createVirtualClock();
    const gate = createRequestGate(clock);
    const sent = await send(clock, 200, async () => gate.admitList(forever));
    expect([sent.length, sent.filter((at) => at === 0).length, sent.at(-1)]).toEqual([200, LIST_RATE.burst, 2000]);
  });

  it("never exceeds rate and burst in any second, however the requests come", async () => {
    const rate = fc.record({ perSecond: fc.integer({ min: 1, max: 50 }), burst: fc.integer({ min: 1, max: 20 }) });
    const pauses = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(rate, pauses, async (lists: RequestRate, gaps) => {
        let now = 0;
        const sent: number[] = [];
        const clock = { monotonic: () => now, sleepReal: async (ms: number) => void (now += ms) };
        const gate = createRequestGate(clock, { lists });
        for (const gap of gaps) {
          now += gap;
          await gate.admitList(forever);
          sent.push(now);
        }
        expect(countPerSecond(sent)).toBeLessThanOrEqual(lists.perSecond + lists.burst);
      }),
    );
  });

  it("a write that would wait long is not sent, and gets the time to wait", async () => {
    const clock = createVirtualClock();
    const gate = createRequestGate(clock);
    const answers: number[] = [];
    for (let index = 0; index < 100; index++) void gate.admitWrite().then((ms) => answers.push(ms));
    await clock.advance(1000);
    const refused = answers.filter((ms) => ms > 0);
    expect([answers.length, answers.length - refused.length]).toEqual([100, WRITE_RATE.burst + 10]);
    expect(Math.max(...refused)).toBeLessThan(1000);
    expect(await gate.admitWrite()).toBe(0);
  });

  it("lists that wait do not hold up a write: a rollback has its own tokens", async () => {
    const clock = createVirtualClock();
    const gate = createRequestGate(clock);
    for (let index = 0; index < 5000; index++) void gate.admitList(forever);
    await clock.settle();
    expect(await gate.admitWrite()).toBe(0);
  });

  it("Events have tokens of their own: a flood of them takes none of the writes', and has to wait", async () => {
    const gate = createRequestGate(createVirtualClock());
    const answers = Array.from({ length: 200 }, () => gate.admitEvent());
    expect(answers.filter((ms) => ms === 0)).toHaveLength(EVENT_RATE.burst);
    expect(answers.at(-1)).toBe(100);
    expect(await gate.admitWrite()).toBe(0);
  });

  it("429 with Retry-After: writes get the remaining time, lists wait", async () => {
    const clock = createVirtualClock();
    const gate = createRequestGate(clock);
    gate.quieten(7000);
    gate.quieten(1000);
    await clock.advance(2000);
    const listed: number[] = [];
    void gate.admitList(forever).then(() => listed.push(clock.monotonic()));
    expect(await gate.admitWrite()).toBe(5000);
    await clock.advance(10_000);
    expect([listed, await gate.admitWrite()]).toEqual([[7000], 0]);
  });

  it("a write that waits for its token when a pause begins is not sent either", async () => {
    const clock = createVirtualClock();
    const gate = createRequestGate(clock, { writes: { perSecond: 10, burst: 1 } });
    await gate.admitWrite();
    const waiting = gate.admitWrite();
    gate.quieten(3000);
    await clock.advance(100);
    expect(await waiting).toBe(2900);
  });

  it("a list that waits ends with its signal", async () => {
    const clock = createVirtualClock();
    const gate = createRequestGate(clock);
    const stop = new AbortController();
    gate.quieten(60_000);
    const waiting = gate.admitList(stop.signal);
    stop.abort(new Error("asked to end"));
    await expect(waiting).rejects.toThrow("asked to end");
  });

  it("one cluster's throttling does not affect another", async () => {
    const clock = createVirtualClock();
    const [slow, other] = [createRequestGate(clock), createRequestGate(clock)];
    slow.quieten(60_000);
    expect([await slow.admitWrite(), await other.admitWrite()]).toEqual([60_000, 0]);
  });
});
