import { failed, makeRun, makeWorkload, runId, sha } from "#test/world/build";
import { type ExecutorViewChange, makeExecutorView, openRunLedger } from "#test/world/executor";
import { describe, expect, it } from "vitest";

import { countFailed, mayContinue } from "./continue-job.ts";

const settings = { strategy: "Window" } as const;
const broken = (name: string) => failed(makeWorkload(name), "new", runId);
const two = [makeWorkload("shop/a"), broken("shop/b")];
/** A run before or after ours, that is open. */
const withOther = (order: number) =>
  openRunLedger({
    runs: {
      [runId]: makeRun(sha("head"), sha("base"), { order: 5 }),
      bbbbbbbbbbbb: makeRun(sha("head"), sha("base"), { order }),
    },
  });

describe("4.2 whether a job whose workloads are all patched fills the places that become free", () => {
  const cases: readonly {
    readonly name: string;
    readonly view?: ExecutorViewChange;
    readonly failed?: number;
    readonly ageMs?: number;
    readonly want: boolean;
  }[] = [
    { name: "with Window", want: true },
    { name: "not with Batched, which settles first", view: { settings: { strategy: "Batched" } }, want: false },
    { name: "not with OnDeploy, which then is as Batched", view: { settings: { strategy: "OnDeploy" } }, want: false },
    { name: "for less than 30 s, as it holds what only the planner sees", ageMs: 29_999, want: true },
    { name: "not after 30 s", ageMs: 30_000, want: false },
    { name: "not after a failure, which may have to stop the run", view: { workloads: two }, failed: 0, want: false },
    { name: "after failures that were there when it began", view: { workloads: two }, failed: 1, want: true },
    { name: "not while an older run has workloads to move here", view: { ledger: withOther(4) }, want: false },
    { name: "next to a younger run", view: { ledger: withOther(6) }, want: true },
  ];
  it.each(cases)("$name", ({ view = {}, failed: known = 0, ageMs = 0, want }) => {
    const { snapshot } = makeExecutorView({ workloads: [makeWorkload("shop/a")], settings, ...view });
    expect(mayContinue(snapshot, runId, { failed: known, ageMs })).toBe(want);
  });

  it("counts the failed workloads of the run in this cluster", () => {
    const { snapshot } = makeExecutorView({ workloads: two, settings });
    expect([countFailed(snapshot, runId), countFailed(snapshot, "bbbbbbbbbbbb")]).toEqual([1, 0]);
  });
});
