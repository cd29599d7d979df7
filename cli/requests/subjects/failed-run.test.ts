import type { FleetStatus } from "#libs/plan";
import { makeLedger, makeRun, sha } from "#test/world/build";
import { describe, expect, it } from "vitest";

import { findFailedRun } from "./failed-run.ts";

const skip = { cluster: "a", workload: "shop/Deployment/web" };
const [first, second, other] = ["f1", "f2", "f3"].map((name) => sha(name));

function makeOne(commit: string | undefined, order: number, campaign: string, skipped: number) {
  const run = makeRun(commit ?? "", sha("base"), { order, campaign, stage: "s", counts: { migrated: 1, skipped } });
  return [run.id, run] as const;
}

const ledger = makeLedger({
  runs: Object.fromEntries([
    makeOne(first, 1, "ramp", 2),
    makeOne(second, 2, "ramp", 0),
    makeOne(other, 3, "clean", 0),
  ]),
});
const id = (commit: string | undefined): string => (commit ?? "").slice(0, 12);

describe("which run the retry of a campaign means", () => {
  it("is the newest in which something failed", () => {
    expect(findFailedRun("ramp", undefined, ledger)).toBe(id(first));
  });

  it("without a ledger is the open run in the planner's status", () => {
    const runs = [{ id: id(second), skipped: [skip] }];
    const status = { campaigns: [{ name: "ramp", runs: [id(second)] }], runs } as unknown as FleetStatus;
    expect(findFailedRun("ramp", status, undefined)).toBe(id(second));
  });

  it("is refused if nothing failed, or if the campaign is unknown", () => {
    expect(() => findFailedRun("clean", undefined, ledger)).toThrow(/nothing of clean failed/);
    expect(() => findFailedRun("rump", undefined, ledger)).toThrow(
      expect.objectContaining({ message: "there is no campaign rump", exitCode: 65 }) as Error,
    );
  });
});
