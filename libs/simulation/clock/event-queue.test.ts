import fc from "fast-check";
import { expect, test } from "vitest";

import { EventQueue } from "./event-queue.ts";

test("events come in the order of their time, and none is lost", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (times) => {
      const queue = new EventQueue<{ readonly at: number; readonly number: number }>();
      times.forEach((at, number) => queue.add({ at, number }));
      const taken = [];
      for (let next = queue.takeUntil(Infinity); next !== undefined; next = queue.takeUntil(Infinity)) taken.push(next);
      // Events of the same time keep the order in which they were added.
      expect(taken).toEqual(times.map((at, number) => ({ at, number })).toSorted((a, b) => a.at - b.at));
    }),
  );
});

test("nothing is taken before its time", () => {
  const queue = new EventQueue<{ readonly at: number }>();
  queue.add({ at: 5 });
  expect([queue.takeUntil(4), queue.nextAt, queue.takeUntil(5), queue.nextAt]).toEqual([
    undefined,
    5,
    { at: 5 },
    undefined,
  ]);
});
