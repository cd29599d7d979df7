import { writeText } from "#libs/wording";
import { expect, it } from "vitest";

import { groupReasons } from "./group-reasons.ts";

const row = (workload: string, reason: string, run = "a") => ({ workload, message: writeText(reason), run });
const rows = [row("w1", "late"), row("w2", "no image"), row("w3", "no image"), row("w4", "no image", "b")];

const cases = [
  {
    name: "rows with the same reason are together, the largest group first",
    apart: undefined,
    want: ["w2 w3 w4", "w1"],
  },
  { name: "rows of several runs are apart", apart: ({ run }: { run: string }) => run, want: ["w2 w3", "w1", "w4"] },
];

it.each(cases)("$name", ({ apart, want }) => {
  const groups = groupReasons(rows, apart);
  expect(groups.map((group) => group.rows.map(({ workload }) => workload).join(" "))).toEqual(want);
  expect(groups[0]?.reason).toBe("no image");
});

it("no rows are no groups", () => expect(groupReasons([])).toEqual([]));
