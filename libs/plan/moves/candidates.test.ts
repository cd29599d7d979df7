import { expect, test } from "vitest";

import { take } from "./candidates.ts";

test("no more are taken than asked for, and none is looked at for none", () => {
  const looked: number[] = [];
  function* count() {
    for (let each = 1; ; each += 1) {
      looked.push(each);
      yield each;
    }
  }
  expect([take(count(), 0), take(count(), 2), looked]).toEqual([[], [1, 2], [1, 2]]);
});
