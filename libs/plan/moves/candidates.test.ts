import { expect, test } from "vitest";

import { take } from "./candidates.ts";

test("no more are taken than requested, and none is read for 0", () => {
  const looked: number[] = [];
  function* count() {
    for (let each = 1; ; each += 1) {
      looked.push(each);
      yield each;
    }
  }
  expect([take(count(), 0), take(count(), 2), looked]).toEqual([[], [1, 2], [1, 2]]);
});
