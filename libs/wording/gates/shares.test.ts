import fc from "fast-check";
import { describe, expect, it, test } from "vitest";

import { printLimitShare, printPercent, printShareBy } from "./shares.ts";

describe("a share next to its limit has more only where one decimal would say that it meets the limit", () => {
  it.each([
    { name: "far above", share: 1 / 13, limit: 0.02, want: "7.7 %" },
    { name: "just above", share: 0.0504, limit: 0.05, want: "5.04 %" },
    { name: "above by a little less", share: 0.050_04, limit: 0.05, want: "5.004 %" },
    { name: "on it", share: 0.05, limit: 0.05, want: "5 %" },
    { name: "on it, with the error of a division", share: 7 / 100, limit: 0.07, want: "7 %" },
    { name: "just below", share: 0.9497, limit: 0.95, want: "94.97 %" },
    { name: "one of many is missing", share: 9999 / 10_000, limit: 1, want: "99.9 %" },
    { name: "a limit with two decimals", share: 0.9997, limit: 0.9995, want: "99.97 %" },
    { name: "one failed of many, where none may", share: 1 / 4000, limit: 0, want: "0.1 %" },
  ])("$name", ({ share, limit, want }) => expect(printShareBy(share, limit)).toBe(want));

  test("and always stands on its own side of the limit", () => {
    const read = (text: string) => Number(text.replace(" %", ""));
    fc.assert(
      fc.property(fc.nat(20_000), fc.integer({ min: 1, max: 20_000 }), fc.nat(10_000), (some, all, limit) => {
        const share = Math.min(some, all) / all;
        const [shown, bound] = [printShareBy(share, limit / 10_000), printLimitShare(limit / 10_000)].map(read);
        const side = Math.abs(share - limit / 10_000) < 5e-7 ? 0 : Math.sign(share - limit / 10_000);
        expect(Math.sign((shown ?? 0) - (bound ?? 0))).toBe(side);
      }),
    );
  });
});

test.each([
  [0.05, "5 %"],
  [0.07, "7 %"],
  [0.9995, "99.95 %"],
  [1, "100 %"],
])("the limit %f is %s, as the file has it", (limit, want) => expect(printLimitShare(limit)).toBe(want));

test.each([
  [1, 3, "33.3"],
  [2, 2, "100.0"],
  [0, 0, "0.0"],
  [9999, 10_000, "99.9"],
])("%i of %i are %s percent", (count, of, want) => expect(printPercent(count, of)).toBe(want));
