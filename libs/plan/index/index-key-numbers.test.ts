import { makeWorkload, runId } from "#test/world/build";
import { judgeOne } from "#test/world/judge-one";
import fc from "fast-check";
import { expect, test } from "vitest";

import { countOf } from "./index-key-counts.ts";
import { IndexKeyNumbers } from "./index-key-numbers.ts";

const pending = judgeOne({ workload: makeWorkload("shop/a") });
/** Names of buckets that look like other keys, or like a turn. */
const bucket = fc.oneof(fc.constantFrom("single @a", "1 @a", "rolling", "@", " ", "unit"), fc.string());
const group = fc.record({ way: fc.constant("single" as const), turn: fc.nat(3), bucket });

test("workloads of each bucket and turn are counted apart, whatever the bucket's name", () => {
  fc.assert(
    fc.property(fc.uniqueArray(group, { selector: (each) => JSON.stringify(each), maxLength: 12 }), (groups) => {
      const numbers = new IndexKeyNumbers();
      const counts = groups.map(({ bucket: name, turn }) => numbers.count({ ...pending, bucket: name, turn }));
      expect([...numbers.listGroups(runId, "pending")].map((each) => each.group)).toEqual(
        expect.arrayContaining(groups),
      );
      groups.forEach((only, at) => {
        const number = numbers.find({ run: runId, is: "pending", only }) ?? -1;
        expect(counts.map((each) => countOf(each, number))).toEqual(groups.map((_, other) => (other === at ? 1 : 0)));
      });
    }),
  );
});

test("two equal workloads share one count object", () => {
  const numbers = new IndexKeyNumbers();
  const other = judgeOne({ workload: makeWorkload("shop/b") });
  expect(numbers.count(other)).toBe(numbers.count(pending));
});
