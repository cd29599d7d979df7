import { describe, expect, it } from "vitest";
import { changedBuckets, sameRollouts, showDistribution } from "./changed-buckets.ts";
import type { Rollouts } from "../source/types.ts";

type Lines = Readonly<Record<string, Readonly<Record<string, number>>>>;

function makeRollouts(lines: Lines, line = 1): Rollouts {
  const buckets = Object.entries(lines).map(([pattern, shares]) => ({
    pattern,
    line,
    column: 1,
    shares: Object.entries(shares).map(([revision, weight]) => ({ revision, weight })),
  }));
  return { buckets };
}

const base: Lines = { production: { "1-24-5": 100 }, ".*-staging": { "1-24-5": 75, "1-25-2": 25 } };

const cases: readonly { readonly name: string; readonly after: Lines; readonly want: readonly string[] }[] = [
  { name: "the same file", after: base, want: [] },
  {
    name: "other order of buckets and revisions",
    after: { ".*-staging": { "1-25-2": 25, "1-24-5": 75 }, production: { "1-24-5": 100 } },
    want: [],
  },
  { name: "a revision added at 0", after: { ...base, production: { "1-24-5": 100, "1-25-2": 0 } }, want: [] },
  { name: "another share", after: { ...base, ".*-staging": { "1-24-5": 70, "1-25-2": 30 } }, want: [".*-staging"] },
  { name: "another revision", after: { ...base, production: { "1-25-2": 100 } }, want: ["production"] },
  { name: "a new bucket", after: { ...base, "istio-e2e": { "1-25-2": 100 } }, want: ["istio-e2e"] },
  { name: "a removed bucket", after: { production: { "1-24-5": 100 } }, want: [".*-staging"] },
  {
    name: "a renamed bucket and a changed one, in byte order",
    after: { production: { "1-25-2": 100 }, ".*-stage": { "1-24-5": 75, "1-25-2": 25 } },
    want: [".*-stage", ".*-staging", "production"],
  },
];

describe("changedBuckets", () => {
  it.each(cases)("1.1 for $name names $want", ({ after, want }) => {
    expect(changedBuckets(makeRollouts(base), makeRollouts(after, 7))).toEqual(want);
    expect(sameRollouts(makeRollouts(base), makeRollouts(after, 7))).toBe(want.length === 0);
    expect(sameRollouts(makeRollouts(after), makeRollouts(base))).toBe(want.length === 0);
  });
});

it.each([
  { text: '[["1-24-5",80],["1-25-2",20]]', want: "1-24-5: 80, 1-25-2: 20" },
  { text: "", want: "" },
  { text: "1-24-5: 95, 1-25-2: 5", want: "1-24-5: 95, 1-25-2: 5" },
  { text: "[[1]]", want: "[[1]]" },
])("a recorded distribution is shown as in the file: $text", ({ text, want }) => {
  expect(showDistribution(text)).toBe(want);
});
