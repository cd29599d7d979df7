import { type ExecutorWorld, permitPatch } from "#libs/plan";
import { makeWorkload, moved, runId, sha } from "#test/world/build";
import { makeItem, makeJob, makeSight, type SightChange } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const a = makeWorkload("shop/a");
const b = makeWorkload("shop/b");
const sick = makeWorkload("shop/sick", { available: 0 });
const hour = 3_600_000;
const batch = { batchSize: 1 };

/** `b` was last seen to roll so long ago. */
function rolledAgo(ms: number): ExecutorWorld["pace"] {
  return { rolledAt: new Map([["shop/Deployment/b", 10 * hour - ms]]), elapsed: 10 * hour };
}

interface Case {
  readonly name: string;
  readonly sight: SightChange;
  readonly of?: typeof a;
  readonly job?: Parameters<typeof makeJob>[0];
  readonly want: string;
}

const settings = makeSight().world.head?.settings;
const withDelay = (more: object = {}): SightChange =>
  settings === undefined
    ? {}
    : { settings: { batch: { ...settings.batch, ...batch, delayBetweenBatches: 6 * hour }, ...more } };

describe("whatever a job says, the executor decides by state", () => {
  const cases: readonly Case[] = [
    {
      name: "the delay between batches is kept though a job is there",
      sight: { ...withDelay(), pace: rolledAgo(hour) },
      want: "wait DelayBetweenBatches",
    },
    { name: "after the delay it moves", sight: { ...withDelay(), pace: rolledAgo(6 * hour) }, want: "go" },
    {
      name: "with strategy Window there is no delay",
      sight: { ...withDelay({ strategy: "Window" }), pace: rolledAgo(hour) },
      want: "go",
    },
    {
      name: "who was unhealthy before comes last, though a job has it first",
      sight: { workloads: [a, b, sick] },
      of: sick,
      want: "skip NotDue",
    },
    { name: "and when no other is due it has its try", sight: { workloads: [sick] }, of: sick, want: "go" },
    {
      name: "a job with the commit of another run ends",
      sight: {},
      job: { commit: sha("base") },
      want: "end OtherCommit",
    },
    { name: "a job of a run called constructor ends", sight: {}, job: { run: "constructor" }, want: "end RunOver" },
    { name: "a job of a run called __proto__ ends", sight: {}, job: { run: "__proto__" }, want: "end RunOver" },
    {
      name: "what rolls already waits for no delay",
      sight: { ...withDelay(), pace: rolledAgo(hour), rolling: new Set(["shop/Deployment/a"]) },
      want: "go",
    },
    {
      name: "batchSize is the settings', however many a job has",
      sight: { workloads: [a, moved(b, "new", runId)] },
      want: "wait BatchFull",
    },
  ];
  test.each(cases)("$name", ({ sight, of = a, job, want }) => {
    const { world, judged } = makeSight({ workloads: [a, b], ...sight });
    const standing = judged.find(({ key }) => key === `shop/Deployment/${of.name}`);
    const permit = permitPatch(world, makeJob(job), makeItem(of), standing);
    expect(permit.kind === "go" ? "go" : `${permit.kind} ${permit.reason.code}`).toBe(want);
  });
});
