import { parseRollouts } from "#libs/rollouts";
import { expect, test } from "vitest";

import { parseSettings } from "../settings-file/parse-settings.ts";
import { checkBuckets } from "./check-buckets.ts";

const cases = [
  { name: "a bucket of rollouts.yml", pattern: "production", want: [] },
  { name: "a pattern that rollouts.yml writes otherwise", pattern: "^.*-staging$", want: ["MR3012 warning 2:3"] },
];

test.each(cases)("drift for $name: $want", ({ pattern, want }) => {
  const rollouts = parseRollouts('production: {new: 100}\n".*-staging": {new: 100}\n', "rollouts.yml");
  const settings = parseSettings(`buckets:\n  "${pattern}": {drift: converge}\n`, "meshroll.yml");
  if (!rollouts.ok || !settings.ok) throw new Error("does not parse");
  const found = checkBuckets(settings.value, rollouts.value, "meshroll.yml");
  expect(found.map(({ code, severity, line, column }) => `${code} ${severity} ${line}:${column}`)).toEqual(want);
});
