import { builtInSettings, type Settings } from "#libs/campaign";
import { type InjectedFailure, simulate, type SimulatedRun, type SimulationQuestion } from "#libs/simulation";
import { describe, expect, it } from "vitest";

import {
  hour,
  makeCampaign,
  makeHead,
  makeInventory,
  makeQuestion,
  makeSnapshot,
  minute,
  monday,
  type StageSketch,
  withNamespace,
} from "./campaigns/simulation-question.ts";

function batchOf(change: Partial<Settings["batch"]>): Partial<Settings> {
  return { batch: { ...builtInSettings.batch, ...change } };
}

/** Minutes from the start, by stage: proposed, first patch, last arrival, end. */
function describeStages({ stages, start }: SimulatedRun): unknown {
  const since = (at: number | undefined) => (at === undefined ? "-" : (at - start) / minute);
  return stages.map((each) =>
    [each.name, since(each.proposedAt), since(each.startedAt), since(each.restartedAt), since(each.endedAt)].join(" "),
  );
}

/** Twenty VMs, of which two may be unavailable at once. */
const vmGroup = {
  kind: "WorkloadGroup",
  replicas: 20,
  total: 20,
  updated: 20,
  available: 20,
  pods: [{ revision: "old", count: 20, ready: 20 }],
  template: { labels: { "istio.io/rev": "old" }, annotations: {}, hostNetwork: false, isVms: true },
  vms: { allowed: 2, upgrading: 0, failed: 0, unknown: 0, unhealthy: 0, outdated: 0, absent: 0 },
} as const;

interface Case {
  readonly question: Partial<SimulationQuestion>;
  readonly want: readonly string[];
}

const stages = (...sketches: readonly StageSketch[]) => ({ campaign: makeCampaign(sketches) });

const cases: Readonly<Record<string, Case>> = {
  "one at a time, with the delay between two batches": {
    // Eight workloads of a minute each, and seven delays of 30 s.
    question: {},
    want: ["all 0 0 11.5 11.5"],
  },
  "groups of VMs take vms.deadline, and others do not wait for them": {
    question: { clusters: [makeSnapshot("one", 4, 2, { "shop-00": vmGroup })] },
    // The second group has its turn five minutes after the first.
    want: ["all 0 0 20165 20165"],
  },
  "two at a time take half the time": {
    question: stages(["all", 100, batchOf({ batchSize: 2 })]),
    want: ["all 0 0 5.5 5.5"],
  },
  "strategy Window hands the next one out as soon as a place is free": {
    question: stages(["all", 100, { strategy: "Window", ...batchOf({ batchSize: 2 }) }]),
    want: ["all 0 0 4 4"],
  },
  "strategy OnDeploy, while no owner deploys: batches from the deadline on": {
    question: stages(["all", 100, { strategy: "OnDeploy", deadline: hour, ...batchOf({ batchSize: 2 }) }]),
    want: ["all 0 60 65.5 65.5"],
  },
  "clusters move in parallel": {
    question: { clusters: [makeSnapshot("one", 4, 2), makeSnapshot("two", 2, 2)] },
    want: ["all 0 0 11.5 11.5"],
  },
  "6.1 a wave waits for the one before it, and for its delay": {
    question: {
      clusters: [makeSnapshot("one", 1, 2), makeSnapshot("two", 1, 2)],
      campaign: makeCampaign([["all", 100]], {
        clusters: { order: [["two"], ["one"]], delayBetweenWaves: 30 * minute },
      }),
    },
    want: ["all 0 0 35 35"],
  },
  // One of the four namespaces moves at 50 %.
  "6.2 the next stage waits for the bake of the one before": {
    question: stages(["half", 50, { bake: 2 * hour }], ["all", 100]),
    want: ["half 0 0 2.5 122.5", "all 122.5 122.5 131 131"],
  },
  "a pull request waits for the person who merges it": {
    question: { timing: { ...makeQuestion().timing, approval: 10 * minute } },
    want: ["all 0 10 21.5 21.5"],
  },
  "an autoMerge pull request waits only for its notice": {
    question: {
      ...stages([
        "all",
        100,
        {
          autoMerge: { notice: 30 * minute },
          approvals: { ...builtInSettings.approvals, required: 0 },
        },
      ]),
      timing: { ...makeQuestion().timing, approval: 10 * hour },
    },
    want: ["all 0 30 41.5 41.5"],
  },
  "1.4 a run waits for its window to open": {
    question: stages([
      "all",
      100,
      {
        windows: [
          { kind: "allow", schedule: "0 10 * * 1-5", duration: hour, timeZone: "Etc/UTC", atEnd: "finishBatch" },
        ],
      },
    ]),
    want: ["all 0 120 131.5 131.5"],
  },
  "1.4 a freeze stops a run until its end": {
    question: stages(["all", 100, { freezes: [{ from: monday, to: monday + 3 * hour, reason: "peak" }] }]),
    want: ["all 0 180 191.5 191.5"],
  },
  "a workload's recorded time is used instead of the distribution": {
    question: {
      clusters: [makeSnapshot("one", 1, 1)],
      timing: { ...makeQuestion().timing, recorded: new Map([["one:shop-00/Deployment/app-0", 7 * minute]]) },
    },
    want: ["all 0 0 7 7"],
  },
};

describe("a campaign that is simulated", () => {
  it.each(Object.entries(cases))("%s", (_, { question, want }) => {
    const run = simulate(makeQuestion(question));
    expect(run.end.kind).toBe("complete");
    expect(describeStages(run)).toEqual(want);
  });

  it("ends at once if every stage is already reached", () => {
    const run = simulate(makeQuestion({ campaign: makeCampaign([["none", 0]]) }));
    expect(run).toMatchObject({ end: { kind: "complete", at: monday }, stages: [] });
  });

  it("reconciles once for each batch when nothing else can be decided", () => {
    // Eight batches, and the transitions that open and end the run.
    const run = simulate(makeQuestion());
    expect(run.reconciles).toBeLessThanOrEqual(8 + 6);
  });

  it("says what each stage waited for", () => {
    const [bake, window] = [
      hour,
      { kind: "allow", schedule: "0 10 * * *", duration: hour, timeZone: "Etc/UTC" } as const,
    ];
    const settings = { bake, windows: [{ ...window, atEnd: "finishBatch" as const }] };
    const run = simulate(makeQuestion(stages(["all", 100, settings])));
    expect(run.stages[0]?.spent).toEqual({ window: 2 * hour, restarting: 11.5 * minute, baking: hour });
  });

  it("begins with the first stage that the file has not reached; workloads left over by earlier ones are not simulated", () => {
    const run = simulate(makeQuestion({ head: makeHead(50), ...stages(["half", 50], ["all", 100]) }));
    expect(run).toMatchObject({ end: { kind: "complete" }, stages: [{ name: "all", workloads: 6 }] });
  });

  it("7.3 respects stops in a cluster, which are no failure", () => {
    const cluster = makeSnapshot("one", 1, 1);
    const stops = { kubectl: true, recorded: {} };
    const run = simulate(makeQuestion({ clusters: [{ ...cluster, facts: { ...cluster.facts, stops } }] }));
    expect(run.end).toMatchObject({ kind: "stuck", reason: { code: "Stopped" }, hasFailed: false });
  });

  it("1.6 stops at a stage that moves nothing, and names it", () => {
    const clusters = [makeSnapshot("one", 1, 1)];
    const run = simulate(makeQuestion({ clusters, ...stages(["tiny", 1], ["all", 100]) }));
    expect(run.end).toMatchObject({ kind: "stuck", reason: { code: "StageEmpty" } });
  });

  it("3.1 tries workloads that were unhealthy before at the end, and leaves them as they were", () => {
    const sick = makeSnapshot("one", 2, 1, { "shop-00": { available: 1 } });
    const run = simulate(makeQuestion({ clusters: [sick] }));
    expect(run).toMatchObject({ end: { kind: "complete" }, stages: [{ workloads: 2, skipped: 1 }] });
  });

  it("3.1 waits for a budget that allows nothing until the run's time limit, then continues without the workload", () => {
    const waiting = makeSnapshot("one", 2, 1, { "shop-00": { disruptionsAllowed: 0 } });
    const run = simulate(makeQuestion({ clusters: [waiting] }));
    expect(run).toMatchObject({ end: { kind: "complete" }, handedOut: 1, stages: [{ workloads: 2, skipped: 1 }] });
    expect(describeStages(run)).toEqual(["all 0 0 1 5"]);
  });

  it("5.2 moves a namespace whose label decides as a unit", () => {
    const inventory = makeInventory("shop-00", 3);
    const workloads = inventory.workloads.map((each) => ({ ...each, template: { ...each.template, labels: {} } }));
    const namespace = { ...inventory.namespace, labels: { "istio.io/rev": "old" } };
    const cluster = withNamespace(makeSnapshot("one", 1, 1), { ...inventory, namespace, workloads });
    const run = simulate(makeQuestion({ clusters: [cluster] }));
    expect(run).toMatchObject({ end: { kind: "complete" }, stages: [{ workloads: 3, skipped: 0 }] });
    expect(describeStages(run)).toEqual(["all 0 0 4 4"]);
  });

  it("names what the target lacks in a cluster instead of waiting for ever", () => {
    const cluster = makeSnapshot("one", 1, 1);
    const revisions = cluster.facts.revisions.filter(({ name }) => name !== "new");
    const run = simulate(makeQuestion({ clusters: [{ ...cluster, facts: { ...cluster.facts, revisions } }] }));
    expect(run.end).toMatchObject({ kind: "stuck", reason: { code: "RevisionMissing" } });
  });

  it("first waits for rollouts that were in progress at the start", () => {
    const rolling = makeSnapshot("one", 1, 1, { "shop-00": { generation: 2, observedGeneration: 1 } });
    const run = simulate(makeQuestion({ clusters: [rolling] }));
    expect(run.end.kind).toBe("complete");
  });
});

const bad: readonly InjectedFailure[] = [{ workload: "shop-01/Deployment/app-0" }];

describe("a workload that fails", () => {
  it("3.3 under FailFast stops the run: one moved before it, it gets its five minutes, and no other follows", () => {
    const run = simulate(makeQuestion({ failures: bad }));
    expect(run.end).toMatchObject({ kind: "stuck", reason: { code: "Stopped" } });
    expect(run).toMatchObject({ handedOut: 2, stages: [{ workloads: 8 }] });
    expect(run.end.at - monday).toBeLessThanOrEqual(9 * minute);
  });

  it("3.3 is skipped under ContinueOnError, and all others arrive", () => {
    const settings = batchOf({ failurePolicy: "ContinueOnError" });
    const run = simulate(makeQuestion({ ...stages(["all", 100, settings]), failures: bad }));
    expect(run).toMatchObject({ end: { kind: "complete" }, stages: [{ workloads: 8, skipped: 1 }] });
  });

  it("may be a group of VMs whose first VM does not get ready", () => {
    const failures = [{ workload: "shop-00/WorkloadGroup/app-0" }];
    const clusters = [makeSnapshot("one", 2, 1, { "shop-00": vmGroup })];
    const run = simulate(makeQuestion({ clusters, failures }));
    expect(run.end).toMatchObject({ kind: "stuck", hasFailed: true, reason: { code: "Stopped" } });
    expect(run.end.at - monday).toBeLessThanOrEqual(10 * minute);
  });

  it("fails only in the stage that was named", () => {
    const failures = bad.map((each) => ({ ...each, stage: "another" }));
    expect(simulate(makeQuestion({ failures })).end.kind).toBe("complete");
  });

  it("4.5 is tried as often as maxAttempts says before it counts", () => {
    const settings = batchOf({ failurePolicy: "ContinueOnError", maxAttempts: 3 });
    const [once, thrice] = [batchOf({ failurePolicy: "ContinueOnError" }), settings].map((each) =>
      simulate(makeQuestion({ ...stages(["all", 100, each]), failures: bad })),
    );
    expect(thrice!.end.at - once!.end.at).toBe(10 * minute);
  });

  it("that is not put back holds up its batch only as long as an undo may take", () => {
    const settings: Partial<Settings> = {
      ...batchOf({ failurePolicy: "ContinueOnError" }),
      onWorkloadFailure: "leave",
    };
    const run = simulate(makeQuestion({ ...stages(["all", 100, settings]), failures: bad }));
    expect(run).toMatchObject({ end: { kind: "complete" }, stages: [{ workloads: 8, skipped: 1 }] });
  });

  it("5.2 has its whole namespace put back where the namespace's label decides", () => {
    const inventory = makeInventory("shop-01", 2);
    const workloads = inventory.workloads.map((each) => ({ ...each, template: { ...each.template, labels: {} } }));
    const namespace = { ...inventory.namespace, labels: { "istio.io/rev": "old" } };
    const cluster = withNamespace(makeSnapshot("one", 1, 1), { ...inventory, namespace, workloads });
    const settings = { ...batchOf({ failurePolicy: "ContinueOnError" }), minWorkloads: 0 };
    const failures = [{ workload: "shop-01/Deployment/app-1" }];
    const run = simulate(makeQuestion({ clusters: [cluster], ...stages(["all", 100, settings]), failures }));
    expect(run).toMatchObject({ end: { kind: "complete" }, stages: [{ skipped: 2 }] });
  });
});
