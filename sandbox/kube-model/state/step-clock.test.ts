import fc from "fast-check";
import { expect, it } from "vitest";

import { createStepClock } from "./step-clock.ts";

it("runs what is due in order of time, then of scheduling, and nothing else", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000)), fc.nat(1_000), (delays, until) => {
      const clock = createStepClock(0);
      const ran: { readonly index: number; readonly at: number }[] = [];
      delays.forEach((ms, index) => clock.schedule(ms, () => ran.push({ index, at: clock.now() })));
      clock.advance(until);
      const want = delays
        .map((at, index) => ({ index, at }))
        .filter(({ at }) => at <= until)
        .toSorted((a, b) => a.at - b.at || a.index - b.index);
      expect(ran).toEqual(want);
      expect(clock.now()).toBe(until);
      expect(clock.pending()).toBe(delays.length - want.length);
    }),
  );
});

it("runs what is scheduled on the way, and never what was cancelled", () => {
  const clock = createStepClock(0);
  const ran: string[] = [];
  const cancel = clock.schedule(20, () => ran.push("cancelled"));
  clock.schedule(10, () => {
    ran.push("first");
    cancel();
    clock.schedule(5, () => ran.push(`second at ${clock.now()}`));
  });
  clock.advance(100);
  expect(ran).toEqual(["first", "second at 15"]);
  expect(clock.pending()).toBe(0);
});
