import { createVirtualClock } from "#fakes/runtime";
import { describe, expect, it } from "vitest";

import { holdLock } from "./hold-lock.ts";

describe("a lock", () => {
  it("is not held when the first renewal is refused or fails", async () => {
    const clock = createVirtualClock();
    expect(await holdLock(async () => false, clock)).toBeUndefined();
    expect(await holdLock(async () => Promise.reject(new Error("no answer")), clock)).toBeUndefined();
  });

  it("is proven from the time at which a renewal was sent, not answered", async () => {
    const clock = createVirtualClock();
    const answers = [0, 3_000];
    const held = holdLock(async () => clock.sleepReal(answers.shift() ?? 0).then(() => true), clock);
    await clock.advance(0);
    const hold = await held;
    // Sent after 1.5 s and answered after 4.5 s: at 4 s the first renewal no longer proves the lock.
    await clock.advance(3_900);
    expect(hold?.holdsLock()).toBe(true);
    await clock.advance(200);
    expect(hold?.holdsLock()).toBe(false);
  });

  it("stays lost once it is lost", async () => {
    const clock = createVirtualClock();
    let isUp = true;
    const renew = async () => (isUp ? true : Promise.reject(new Error("no answer")));
    const hold = await holdLock(renew, clock);
    isUp = false;
    await clock.advance(4_500);
    isUp = true;
    await clock.advance(10_000);
    expect(hold?.holdsLock()).toBe(false);
    expect(hold?.signal.reason).toMatchObject({ message: expect.stringContaining("4000 ms") as string });
  });

  it("is lost at a refused renewal", async () => {
    const clock = createVirtualClock();
    const answers = [true, false];
    const hold = await holdLock(async () => answers.shift() ?? false, clock);
    await clock.advance(1_500);
    expect(hold?.signal.aborted).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it("leaves no timer behind when it ends", async () => {
    const clock = createVirtualClock();
    const hold = await holdLock(async () => true, clock);
    await clock.advance(10_000);
    hold?.end();
    await clock.settle();
    expect(clock.pending()).toBe(0);
    expect(hold?.holdsLock()).toBe(false);
    expect(hold?.signal.aborted).toBe(false);
  });
});
