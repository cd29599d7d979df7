import { expect, test } from "vitest";

import { RecordPool } from "./record-pool.ts";

const alike = () => ({ a: "1", b: "2" });

test("equal results of merge patches are one object", () => {
  const pool = new RecordPool();
  const first = pool.merge(alike(), { b: "3", c: "4" });
  expect(first).toEqual({ a: "1", b: "3", c: "4" });
  expect(pool.merge(alike(), { b: "3", c: "4" })).toBe(first);
});

const cases = [
  { name: "another value", now: { a: "1", b: "3" }, fields: { c: "4" } },
  { name: "one label more", now: { a: "1", b: "2", d: "5" }, fields: { c: "4" } },
  { name: "one label less", now: { a: "1" }, fields: { c: "4" } },
  { name: "another patch", now: alike(), fields: { c: "5" } },
  { name: "a patch that takes away", now: alike(), fields: { b: null } },
];
for (const { name, now, fields } of cases) {
  test(`${name} is not taken for the same`, () => {
    const pool = new RecordPool();
    pool.merge(alike(), { c: "4" });
    const want = Object.fromEntries(Object.entries({ ...now, ...fields }).filter(([, value]) => value !== null));
    expect(pool.merge(now, fields)).toEqual(want);
  });
}

test("an unchanged record stays the same object, whatever equal records there are", () => {
  const pool = new RecordPool();
  const [first, second] = [alike(), alike()];
  expect(pool.merge(first, { a: "1", c: null })).toBe(first);
  expect(pool.merge(second, { a: "1", c: null })).toBe(second);
  expect(pool.merge(second, undefined)).toBe(second);
});
