import { expect, test } from "vitest";

import { audit, rules } from "./audit.ts";
import { listCases } from "./plant/plant-list.ts";
import { stopCases } from "./plant/plant-stops.ts";
import { writeCases } from "./plant/plant-writes.ts";

const cases = { ...writeCases, ...stopCases, ...listCases };

test("auditor: each rule is shown to find a planted breach", () => {
  const found = new Set(Object.values(cases).flatMap(({ want }) => want));
  expect([...found].toSorted()).toEqual(Object.keys(rules).toSorted());
});

for (const [name, { evidence, want }] of Object.entries(cases)) {
  test(`auditor: ${name}`, () => {
    expect(audit(evidence).map((violation) => violation.rule)).toEqual(want);
  });
}
