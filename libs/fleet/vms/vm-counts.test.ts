import { describe, expect, test } from "vitest";

import { countUnavailableVms, haveAllMoved, isMoveInHand, lacksVms } from "./vm-counts.ts";

const none = { allowed: 2, upgrading: 0, failed: 0, unknown: 0, unhealthy: 0, outdated: 0, absent: 0 };

describe("haveAllMoved", () => {
  const cases: readonly (readonly [string, Partial<typeof none>, number, boolean])[] = [
    ["all are ready", {}, 20, true],
    ["one waits for its turn", { outdated: 1 }, 20, false],
    ["one is upgraded", { upgrading: 1 }, 20, false],
    ["a tenth is broken", { failed: 1, unhealthy: 1 }, 20, true],
    ["more than may be unavailable are broken", { allowed: 1, failed: 2 }, 20, false],
    ["one of nine is broken", { failed: 1 }, 9, false],
    ["one of nine is not heard of", { unknown: 1 }, 9, false],
    ["some are absent", { absent: 7 }, 9, true],
  ];
  test.each(cases)("%s", (_, change, replicas, want) => {
    expect(haveAllMoved({ ...none, ...change }, replicas)).toBe(want);
  });
});

describe("isMoveInHand: whether a move without progress is stuck", () => {
  const cases: readonly (readonly [string, Partial<typeof none>, boolean])[] = [
    ["the next VM only waits for its turn", { outdated: 5 }, false],
    ["one is upgraded", { outdated: 5, upgrading: 1 }, true],
    ["broken ones leave no room", { outdated: 5, failed: 1, unhealthy: 1 }, true],
    ["a broken one leaves room", { outdated: 5, failed: 1 }, false],
    ["only broken ones are left", { failed: 1 }, true],
    ["those that leave no room are not heard of", { outdated: 5, unknown: 2 }, false],
    ["only such that are not heard of are left", { unknown: 1 }, false],
  ];
  test.each(cases)("%s: %s", (_, change, want) => {
    expect(isMoveInHand({ ...none, ...change })).toBe(want);
  });
});

test("unavailable is upgraded, failed, unknown and unhealthy; a lack is told by those that are known", () => {
  const counts = { ...none, upgrading: 1, failed: 1, unknown: 1, unhealthy: 1, outdated: 9, absent: 9 };
  expect(countUnavailableVms(counts)).toBe(4);
  expect([lacksVms({ ...counts, allowed: 3 }), lacksVms({ ...counts, allowed: 2 })]).toEqual([false, true]);
});
