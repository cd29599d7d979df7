import { expect, it } from "vitest";

import { printDuration } from "./duration.ts";

const cases = [
  { ms: -5, want: "0 s" },
  { ms: 0, want: "0 s" },
  { ms: 59_499, want: "59 s" },
  { ms: 60_000, want: "1 min" },
  { ms: 3_725_000, want: "1 h 2 min" },
  { ms: 3_600_000, want: "1 h" },
  { ms: 3_605_000, want: "1 h" },
  { ms: 93_600_000, want: "1 d 2 h" },
];

it.each(cases)("$ms ms is $want", ({ ms, want }) => expect(printDuration(ms)).toBe(want));
