import { expect, test } from "vitest";

import { checkGuards, type Guards } from "./check-guards.ts";

const good: Guards = {
  edits: { lock: [{ file: "a.ts", find: "check()", replace: "true" }] },
  seen: [{ guard: "lock", fault: "lock-lost" }],
  faults: ["lock-lost"],
  readSource: () => "const isHeld: boolean = check();",
};

const cases: readonly { readonly name: string; readonly change: Partial<Guards>; readonly want: readonly string[] }[] =
  [
    { name: "a guard that can be taken out, with its fault", change: {}, want: [] },
    {
      name: "an edit that fits nowhere",
      change: { readSource: () => "" },
      want: ["lock cannot be taken out of a.ts: a.ts has this not exactly once, guard-edits.ts says so: check()"],
    },
    {
      name: "an edit that fits twice",
      change: { readSource: () => "check(); check();" },
      want: ["lock cannot be taken out of a.ts: a.ts has this not exactly once, guard-edits.ts says so: check()"],
    },
    {
      name: "an edit that leaves no program",
      change: { edits: { lock: [{ file: "a.ts", find: "check()", replace: "(" }] } },
      want: [expect.stringContaining("lock cannot be taken out of a.ts: ") as string],
    },
    { name: "a guard without a fault", change: { seen: [] }, want: ["lock names no fault"] },
    { name: "a fault that is none", change: { faults: [] }, want: ["lock: there is no fault lock-lost"] },
    {
      name: "a guard that is listed twice",
      change: { seen: [...good.seen, ...good.seen] },
      want: ["lock is listed twice"],
    },
  ];

test.each(cases)("$name: $want", ({ change, want }) => {
  expect(checkGuards({ ...good, ...change })).toEqual(want);
});
