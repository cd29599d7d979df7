import fc from "fast-check";
import { expect, test } from "vitest";

import { CountAdder, countIndexKeys, countOf, hasAny } from "./index-key-counts.ts";

const adder = new CountAdder();
const indexKeys = fc.array(fc.nat(12), { maxLength: 30 });

test("a sum has the total of each index key", () => {
  fc.assert(
    fc.property(indexKeys, indexKeys, indexKeys, (a, b, c) => {
      const sum = adder.add(countIndexKeys(a), countIndexKeys(b), countIndexKeys(c));
      const all = [...a, ...b, ...c];
      for (let indexKey = 0; indexKey <= 13; indexKey += 1) {
        const wanted = all.filter((each) => each === indexKey).length;
        expect([indexKey, countOf(sum, indexKey), hasAny(sum, [99, indexKey])]).toEqual([indexKey, wanted, wanted > 0]);
      }
    }),
  );
});

test("a sum stays unchanged when another one is made", () => {
  const first = adder.add(countIndexKeys([1, 2]), countIndexKeys([2]), undefined);
  adder.add(countIndexKeys([5, 5, 6]), countIndexKeys([7]), countIndexKeys([8]));
  expect([countOf(first, 1), countOf(first, 2), countOf(first, 5)]).toEqual([1, 2, 0]);
});
