import { expect, test } from "vitest";

import { take } from "./candidates.ts";

test("at most the requested number is taken, and for 0 none is read", () => {
  const looked: number[] = [];
  function* count() {
    for (let each = 1; ; each += 1) {
      looked.push(each);
      yield each;
    }
  }
  expect([take(count(), 0), take(count(), 2), looked]).toEqual([[], [1, 2], [1, 2]]);
});
