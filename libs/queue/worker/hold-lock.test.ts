import { createVirtualClock } from "#fakes/runtime";
import { describe, expect, it } from "vitest";

import { holdLock } from "./hold-lock.ts";

describe("a lock that is held", () => {
  it("is not there when the first renewal is refused or fails", async () => {
    const clock = createVirtualClock();
    expect(await holdLock(async () => false, clock)).toBeUndefined();
    expect(await holdLock(async () => Promise.reject(new Error("no answer")), clock)).toBeUndefined();
  });

  it("is proven from when the renewal was sent, not from when it was answered", async () => {
    const clock = createVirtualClock();
    const answers = [0, 3_000];
    const held = holdLock(async () => clock.sleepReal(answers.shift() ?? 0).then(() => true), clock);
    await clock.advance(0);
    const hold = await held;
    // Sent after 1.5 s, answered after 4.5 s: at 4 s the proof of the first one is over.
    await clock.advance(3_900);
    expect(hold?.holdsLock()).toBe(true);
    await clock.advance(200);
    expect(hold?.holdsLock()).toBe(false);
  });

  it("a lock once lost stays lost, whatever comes later", async () => {
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

  it("a refused renewal loses it at once", async () => {
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
