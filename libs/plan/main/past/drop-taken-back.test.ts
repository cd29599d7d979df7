import { describe, expect, test } from "vitest";

import { dropTakenBack } from "./drop-taken-back.ts";

/** `a80 b20` as the ledger writes it; `-` = the bucket is not in the file. */
function print(text: string): string {
  if (text === "-") return "";
  return JSON.stringify(text.split(" ").map((share) => [share.slice(0, 1), Number(share.slice(1))]));
}

describe("2.1 which earlier distributions stay targets of a rollback when main changes", () => {
  const cases: readonly {
    readonly name: string;
    readonly had: readonly string[];
    readonly next: string;
    readonly want: readonly string[];
  }[] = [
    { name: "a share that only rises: all stay", had: ["a100", "a50 b50"], next: "b100", want: ["a100", "a50 b50"] },
    {
      name: "a lowered share drops the higher one, even if main never had that share",
      had: ["a100", "a20 b80"],
      next: "a80 b20",
      want: ["a100"],
    },
    {
      name: "a lowered share drops only the ones above it",
      had: ["a100", "a90 b10", "a20 b80"],
      next: "a60 b40",
      want: ["a100", "a90 b10"],
    },
    {
      name: "the next upgrade drops none of the last one",
      had: ["a100", "a50 b50", "b100"],
      next: "b80 c20",
      want: ["a100", "a50 b50", "b100"],
    },
    {
      name: "a third revision next to more of the first drops what the second had",
      had: ["a100", "b100"],
      next: "a20 c80",
      want: ["a100"],
    },
    { name: "an absent bucket stays", had: ["-", "a40 b60"], next: "a100", want: ["-", "a40 b60"] },
    {
      name: "a bucket that is removed drops none",
      had: ["-", "a40 b60", "b100"],
      next: "-",
      want: ["-", "a40 b60", "b100"],
    },
  ];
  test.each(cases)("$name", ({ had, next, want }) => {
    expect(dropTakenBack(had.map(print), print(next))).toEqual(want.map(print));
  });
});
