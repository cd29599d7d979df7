import { builtInSettings, judgeCalendar, type Settings, type Window } from "#libs/campaign";
import { type SimulatedRun, type SimulationQuestion, simulate } from "#libs/simulation";
import { proposeMoves } from "#libs/plan";
import fc from "fast-check";
import { expect, test } from "vitest";

import {
  evenTiming,
  hour,
  makeCampaign,
  makeHead,
  makeQuestion,
  makeSnapshot,
  minute,
  monday,
} from "./campaigns/simulation-question.ts";

const windows: fc.Arbitrary<Window> = fc.record({
  kind: fc.constant("allow" as const),
  schedule: fc
    .record({ hour: fc.integer({ min: 0, max: 23 }), days: fc.constantFrom("*", "1-5", "2,4", "6") })
    .map(({ hour: at, days }) => `0 ${at} * * ${days}`),
  duration: fc.integer({ min: 1, max: 12 }).map((hours) => hours * hour),
  timeZone: fc.constantFrom("Europe/Berlin", "America/New_York", "Etc/UTC", "Asia/Kolkata"),
  atEnd: fc.constantFrom("finishBatch" as const, "stop" as const),
});

const freezes = fc
  .record({ from: fc.integer({ min: 0, max: 100 }), hours: fc.integer({ min: 1, max: 80 }) })
  .map(({ from, hours }) => ({ from: monday + from * hour, to: monday + (from + hours) * hour, reason: "peak" }));

const settings: fc.Arbitrary<Settings> = fc
  .record({
    batchSize: fc.integer({ min: 1, max: 5 }),
    delayBetweenBatches: fc.integer({ min: 0, max: 3 }).map((each) => each * minute),
    strategy: fc.constantFrom("Batched" as const, "Window" as const),
    bake: fc.constantFrom(0, 0, hour, 10 * hour),
    windows: fc.array(windows, { maxLength: 2 }),
    freezes: fc.array(freezes, { maxLength: 1 }),
    failurePolicy: fc.constantFrom("FailFast" as const, "ContinueOnError" as const),
  })
  .map(({ batchSize, delayBetweenBatches, failurePolicy, ...rest }) => ({
    ...builtInSettings,
    ...rest,
    batch: { ...builtInSettings.batch, batchSize, delayBetweenBatches, failurePolicy },
  }));

const clusters = fc
  .array(fc.record({ namespaces: fc.integer({ min: 1, max: 6 }), each: fc.integer({ min: 1, max: 3 }) }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((sizes) => sizes.map(({ namespaces, each }, index) => makeSnapshot(`cluster-${index}`, namespaces, each)));

const orders = fc.constantFrom([], [["cluster-1"]], [["cluster-2", "cluster-0"], ["cluster-1"]]);

const questions: fc.Arbitrary<SimulationQuestion> = fc
  .record({
    settings,
    clusters,
    order: orders,
    delayBetweenWaves: fc.constantFrom(0, 20 * minute),
    concurrency: fc.constantFrom(undefined, 1),
    half: fc.boolean(),
    seed: fc.string({ maxLength: 3 }),
    spread: fc.constantFrom(0, 0.7),
  })
  .map(({ settings: all, order, delayBetweenWaves, concurrency, half, spread, ...rest }) => {
    const waves = { order, delayBetweenWaves, ...(concurrency === undefined ? {} : { concurrency }) };
    const stages = [...(half ? [["half", 60, all] as const] : []), ["all", 100, all] as const];
    return makeQuestion({
      ...rest,
      campaign: makeCampaign(stages, { clusters: waves }),
      timing: { ...evenTiming, readySpread: spread, reaction: 1500 },
    });
  });

const failing = fc.constantFrom("shop-00/Deployment/app-0", "shop-02/Deployment/app-1", "shop-05/Deployment/app-2");

interface HandedOut {
  readonly at: number;
  readonly keys: readonly string[];
}

function trace(question: SimulationQuestion): { readonly run: SimulatedRun; readonly batches: readonly HandedOut[] } {
  const batches: HandedOut[] = [];
  const onBatch: SimulationQuestion["onBatch"] = ({ cluster, items }, at) => {
    batches.push({ at, keys: items.map(({ namespace, name }) => `${cluster}:${namespace}/${name}`) });
  };
  return { run: simulate({ ...question, onBatch }), batches };
}

function countWorkloads({ clusters: all }: SimulationQuestion): number {
  const lists = all.flatMap(({ namespaces }) => [...namespaces.values()]);
  return lists.reduce((sum, { workloads }) => sum + workloads.length, 0);
}

const runs = { numRuns: 30 };

test("1.4 nothing is handed out while a window is closed or a freeze holds", () => {
  fc.assert(
    fc.property(questions, (question) => {
      const [stage] = question.campaign.stages;
      for (const { at } of trace(question).batches)
        expect(judgeCalendar(stage!.settings, at), new Date(at).toISOString()).toMatchObject({ kind: "open" });
    }),
    runs,
  );
});

test("the same question has the same answer, and another seed changes only the times", () => {
  fc.assert(
    fc.property(questions, (question) => {
      const [first, again, other] = [question, question, { ...question, seed: `${question.seed} other` }].map(trace);
      expect(again).toEqual(first);
      const moved = (each: typeof first) => each!.batches.flatMap(({ keys }) => keys).toSorted();
      expect(moved(other)).toEqual(moved(first));
    }),
    runs,
  );
});

test("a campaign to 100 % hands every workload out exactly once, and ends", () => {
  fc.assert(
    fc.property(questions, (question) => {
      const { run, batches } = trace(question);
      // A stage that moves nothing is refused, as `plan` does; two windows that never overlap are not.
      fc.pre(run.end.kind === "complete");
      const keys = batches.flatMap((each) => each.keys);
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).toHaveLength(countWorkloads(question));
      expect(run.handedOut).toBe(keys.length);
    }),
    runs,
  );
});

test("a stage restarts what plan lists for it, and all stages together the whole fleet", () => {
  fc.assert(
    fc.property(questions, fc.option(failing, { nil: undefined }), (question, workload) => {
      const { head, campaign, start, clusters: all } = question;
      const { run } = trace({ ...question, failures: workload === undefined ? [] : [{ workload }] });
      const [stage] = campaign.stages;
      const [first] = run.stages;
      fc.pre(stage !== undefined && first?.startedAt !== undefined);
      const known = { ageMs: 0, fresh: true, batch: undefined, batchEndedAt: 0 };
      const fleet = all.map((each) => ({ ...each, ...known }));
      const after = makeHead(stage.set["production"]);
      const { counts } = proposeMoves(head, after, fleet, start);
      expect(first.workloads).toBe(counts.listed);
      if (run.end.kind !== "complete") return;
      expect(run.stages.reduce((sum, { workloads }) => sum + workloads, 0)).toBe(countWorkloads(question));
    }),
    runs,
  );
});

test("evaluating only what changed gives the same answer as evaluating everything", () => {
  fc.assert(
    fc.property(questions, fc.option(failing, { nil: undefined }), (question, workload) => {
      const asked = { ...question, failures: workload === undefined ? [] : [{ workload }] };
      const [some, all] = [trace(asked), trace({ ...asked, lookAtAll: true })];
      expect(some.batches).toEqual(all.batches);
      expect({ ...some.run, reconciles: 0 }).toEqual({ ...all.run, reconciles: 0 });
    }),
    runs,
  );
});

test("3.3 under FailFast nothing is handed out after the failure annotation", () => {
  fc.assert(
    fc.property(questions, failing, (question, workload) => {
      const [stage] = question.campaign.stages;
      fc.pre(stage!.settings.batch.failurePolicy === "FailFast");
      const { run, batches } = trace({ ...question, failures: [{ workload }] });
      const [namespace, , name] = workload.split("/");
      const doomed = batches.find(({ keys }) => keys.some((key) => key.endsWith(`:${namespace}/${name}`)));
      fc.pre(doomed !== undefined);
      expect(run.end).toMatchObject({ kind: "stuck", reason: { code: "Stopped" } });
      const markedAt = doomed!.at + stage!.settings.batch.readinessTimeout;
      expect(batches.filter(({ at }) => at > markedAt)).toEqual([]);
    }),
    runs,
  );
});

test("the end of each stage comes after its last arrival, and the next one opens after it", () => {
  fc.assert(
    fc.property(questions, (question) => {
      const { run } = trace(question);
      let before = question.start;
      for (const { proposedAt, mergedAt, startedAt, restartedAt, endedAt } of run.stages) {
        const times = [before, proposedAt, mergedAt, startedAt, restartedAt, endedAt].filter((at) => at !== undefined);
        expect(times.toSorted((a, b) => a - b)).toEqual(times);
        before = endedAt ?? before;
      }
    }),
    runs,
  );
});
