import { createVirtualClock } from "#fakes/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("virtual time", () => {
  it("does not move by itself", async () => {
    const clock = createVirtualClock(1000);
    let done = false;
    void clock.sleep(50).then(() => (done = true));
    await clock.advance(49);
    expect({ done, now: clock.now(), monotonic: clock.monotonic() }).toEqual({ done: false, now: 1049, monotonic: 49 });
    await clock.advance(1);
    expect(done).toBe(true);
  });

  it("fires timers in the order of their time, then of their making, at their own time", async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(delays, async (list) => {
        const clock = createVirtualClock(0);
        const fired: { readonly index: number; readonly at: number }[] = [];
        list.forEach((ms, index) => clock.schedule(ms, () => fired.push({ index, at: clock.now() })));
        await clock.advance(20);
        const want = list.map((at, index) => ({ index, at })).toSorted((one, other) => one.at - other.at);
        expect(fired).toEqual(want);
      }),
      { numRuns: 30 },
    );
  });

  it("what a timer set going, over many hops, is done before the next one fires", async () => {
    const clock = createVirtualClock();
    const order: string[] = [];
    clock.schedule(1, () => {
      void (async () => {
        for (let hop = 0; hop < 50; hop++) await Promise.resolve();
        order.push("first");
      })();
    });
    clock.schedule(2, () => void order.push("second"));
    await clock.advance(2);
    expect(order).toEqual(["first", "second"]);
  });

  it("a loop that sleeps takes all its turns", async () => {
    const clock = createVirtualClock();
    let turns = 0;
    void (async () => {
      for (;;) {
        await clock.sleepReal(10);
        turns++;
      }
    })();
    await clock.advance(100);
    expect(turns).toBe(10);
  });

  it("a cancelled timer and an aborted sleep leave nothing behind", async () => {
    const clock = createVirtualClock();
    const stop = new AbortController();
    let fired = false;
    clock.schedule(5, () => (fired = true))();
    const sleep = clock.sleep(5, stop.signal);
    stop.abort(new Error("enough"));
    await expect(sleep).rejects.toThrow("enough");
    await clock.advance(10);
    expect({ fired, pending: clock.pending() }).toEqual({ fired: false, pending: 0 });
    await expect(clock.sleep(5, stop.signal)).rejects.toThrow("enough");
  });

  it("a leap fires what was due meanwhile once, afterwards, in order", async () => {
    const clock = createVirtualClock();
    const fired: string[] = [];
    void (async () => {
      for (;;) {
        await clock.sleepReal(10);
        fired.push(`loop at ${clock.elapsed()}`);
      }
    })();
    clock.schedule(5, () => void fired.push(`first at ${clock.elapsed()}`));
    clock.schedule(101, () => void fired.push("too early"));
    await clock.leap(100);
    expect(fired).toEqual(["first at 100", "loop at 100"]);
  });

  it("is not moved twice at once", async () => {
    const clock = createVirtualClock();
    const first = clock.advance(1);
    await expect(clock.advance(1)).rejects.toThrow("already");
    await first;
  });
});
