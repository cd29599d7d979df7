import { expect, test } from "vitest";

import { faults } from "./list.ts";

test("faults have distinct names that need no quotes in a shell", () => {
  const names = faults.map(({ name }) => name);
  expect(names.filter((name) => !/^[a-z]+(?:-[a-z]+)*$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
