import { type ExecutorSnapshot, permitPatch } from "#libs/plan";
import { makeWorkload, moved, runId, sha } from "#test/world/build";
import { makeItem, makeJob, makeExecutorView, type ExecutorViewChange } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const a = makeWorkload("shop/a");
const b = makeWorkload("shop/b");
const sick = makeWorkload("shop/sick", { available: 0 });
const hour = 3_600_000;
const batch = { batchSize: 1 };

/** `b` was last seen to roll so long ago. */
function rolledAgo(ms: number): ExecutorSnapshot["pace"] {
  return { rolledAt: new Map([["shop/Deployment/b", 10 * hour - ms]]), elapsed: 10 * hour };
}

interface Case {
  readonly name: string;
  readonly view: ExecutorViewChange;
  readonly of?: typeof a;
  readonly job?: Parameters<typeof makeJob>[0];
  readonly want: string;
}

const settings = makeExecutorView().snapshot.head?.settings;
const withDelay = (more: object = {}): ExecutorViewChange =>
  settings === undefined
    ? {}
    : { settings: { batch: { ...settings.batch, ...batch, delayBetweenBatches: 6 * hour }, ...more } };

describe("whatever a job says, the executor decides by state", () => {
  const cases: readonly Case[] = [
    {
      name: "the delay between batches is kept though a job is there",
      view: { ...withDelay(), pace: rolledAgo(hour) },
      want: "wait DelayBetweenBatches",
    },
    { name: "after the delay it moves", view: { ...withDelay(), pace: rolledAgo(6 * hour) }, want: "go" },
    {
      name: "with strategy Window there is no delay",
      view: { ...withDelay({ strategy: "Window" }), pace: rolledAgo(hour) },
      want: "go",
    },
    {
      name: "who was unhealthy before comes last, though a job has it first",
      view: { workloads: [a, b, sick] },
      of: sick,
      want: "skip TriedLast",
    },
    { name: "and when no other is due it has its try", view: { workloads: [sick] }, of: sick, want: "go" },
    {
      name: "a job with the commit of another run ends",
      view: {},
      job: { commit: sha("base") },
      want: "end OtherCommit",
    },
    { name: "a job of a run called constructor ends", view: {}, job: { run: "constructor" }, want: "end RunOver" },
    { name: "a job of a run called __proto__ ends", view: {}, job: { run: "__proto__" }, want: "end RunOver" },
    {
      name: "what rolls already waits for no delay",
      view: { ...withDelay(), pace: rolledAgo(hour), rolling: new Set(["shop/Deployment/a"]) },
      want: "go",
    },
    {
      name: "batchSize is the settings', however many a job has",
      view: { workloads: [a, moved(b, "new", runId)] },
      want: "wait BatchFull",
    },
  ];
  test.each(cases)("$name", ({ view, of = a, job, want }) => {
    const { snapshot, judged } = makeExecutorView({ workloads: [a, b], ...view });
    const state = judged.find(({ key }) => key === `shop/Deployment/${of.name}`);
    const permit = permitPatch(snapshot, makeJob(job), makeItem(of), state);
    expect(permit.kind === "go" ? "go" : `${permit.kind} ${permit.reason.code}`).toBe(want);
  });
});
