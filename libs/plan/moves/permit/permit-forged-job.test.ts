import { permitPatch } from "#libs/plan";
import { makeWorkload } from "#test/world/build";
import { makeItem, makeJob, makeExecutorView, type ExecutorViewChange } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const a = makeWorkload("shop/a");
const b = makeWorkload("shop/b");
const sick = makeWorkload("shop/sick", { available: 0 });
interface Case {
  readonly name: string;
  readonly view: ExecutorViewChange;
  readonly of?: typeof a;
  readonly job?: Parameters<typeof makeJob>[0];
  readonly want: string;
}

describe("the executor decides by state, not by what a job says", () => {
  const cases: readonly Case[] = [
    {
      name: "a workload that was unhealthy before is skipped while others are pending, even if the job names it first",
      view: { workloads: [a, b, sick] },
      of: sick,
      want: "skip TriedLast",
    },
    { name: "a job of a run named constructor ends", view: {}, job: { run: "constructor" }, want: "end RunOver" },
    { name: "a job of a run named __proto__ ends", view: {}, job: { run: "__proto__" }, want: "end RunOver" },
  ];
  test.each(cases)("$name", ({ view, of = a, job, want }) => {
    const { snapshot, judged } = makeExecutorView({ workloads: [a, b], ...view });
    const state = judged.find(({ key }) => key === `shop/Deployment/${of.name}`);
    const permit = permitPatch(snapshot, makeJob(job), makeItem(of), state);
    expect(permit.kind === "go" ? "go" : `${permit.kind} ${permit.reason.code}`).toBe(want);
  });
});
