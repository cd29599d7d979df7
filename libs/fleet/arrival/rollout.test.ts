import { describe, expect, it } from "vitest";
import type { PodGroup } from "../facts.ts";
import { makeMeshWorkload, makeWorkload, type WorkloadSketch } from "../fake.ts";
import {
  judgeHealth,
  isDeployedSince,
  isRolling,
  isRollingByOwner,
  isRollingByUs,
  isUnsettledSinceWrite,
  isSettled,
  measureProgress,
  unavailable,
} from "./rollout.ts";

const old = "1-24-5";
const target = "1-25-2";
const run = `0123456789ab ${target}`;
const moved = {
  "meshroll.dev/run": run,
  "meshroll.dev/previous": JSON.stringify({ template: { labels: { "istio.io/rev": old } } }),
};
const undone = { "meshroll.dev/run": run, "meshroll.dev/failed": `${target} ReadinessTimeout 2026-11-20T10:00:00Z` };
const half = [
  { revision: old, count: 2, ready: 2 },
  { revision: target, count: 1, ready: 0 },
];

/** Pods of each revision; the value is the creation time of the oldest. */
function ages(oldest: Readonly<Record<string, number>>): readonly PodGroup[] {
  return Object.entries(oldest).map(([revision, at]) => ({ revision, count: 1, ready: 1, oldest: at }));
}

interface Case {
  readonly workload: WorkloadSketch;
  readonly want: { readonly rolling: boolean; readonly settled: boolean; readonly by?: "us" | "owner" };
}

const rolling = { rolling: true, settled: false } as const;
const cases: Record<string, Case> = {
  "through and available": { workload: {}, want: { rolling: false, settled: true } },
  "through, one pod crashed since": { workload: { available: 2 }, want: { rolling: false, settled: false } },
  "the controller has not seen the template": {
    workload: { generation: 2, observedGeneration: 1 },
    want: { ...rolling, by: "owner" },
  },
  "the owner deploys a workload that we never touched": { workload: { updated: 1 }, want: { ...rolling, by: "owner" } },
  "our move was written and not seen by the controller": {
    workload: { annotations: moved, generation: 2, observedGeneration: 1 },
    want: { ...rolling, by: "us" },
  },
  "our move replaces pods": {
    workload: { annotations: moved, updated: 1, pods: half },
    want: { ...rolling, by: "us" },
  },
  "all pods run our target: what rolls now is a deploy that kept our label": {
    workload: { annotations: moved, updated: 1, pods: [{ revision: target, count: 3, ready: 3 }] },
    want: { ...rolling, by: "owner" },
  },
  "our undo replaces pods": {
    workload: { annotations: undone, updated: 2, total: 3, pods: half },
    want: { ...rolling, by: "us" },
  },
  "the undo is through and the owner deploys": {
    workload: { annotations: undone, updated: 1 },
    want: { ...rolling, by: "owner" },
  },
  "the namespace got another label since, and its owner deploys: no pod is left that our move had to replace": {
    workload: {
      annotations: moved,
      times: { written: 5000 },
      updated: 1,
      total: 4,
      pods: ages({ [target]: 6000, [old]: 9000 }),
    },
    want: { ...rolling, by: "owner" },
  },
  "the owner writes our target back and deploys after our undo was through": {
    workload: {
      annotations: undone,
      times: { written: 5000 },
      updated: 1,
      total: 4,
      pods: ages({ [old]: 6000, [target]: 9000 }),
    },
    want: { ...rolling, by: "owner" },
  },
  "our undo left some pods as they were, and since it was through the owner writes our target back": {
    workload: {
      annotations: undone,
      times: { written: 5000 },
      updated: 1,
      total: 4,
      pods: ages({ [old]: 1000, [target]: 9000 }),
    },
    want: { ...rolling, by: "owner" },
  },
  "our undo is not through: a pod is left of those that it has to replace": {
    workload: {
      annotations: undone,
      times: { written: 5000 },
      updated: 2,
      pods: ages({ [old]: 1000, [target]: 4000 }),
    },
    want: { ...rolling, by: "us" },
  },
  "the owner deploys while our move is not through": {
    workload: {
      annotations: moved,
      times: { written: 5000 },
      updated: 1,
      total: 4,
      pods: ages({ [old]: 4000, [target]: 9000 }),
    },
    want: { ...rolling, by: "us" },
  },
  "pods created in the same second as our move: those on the target are its own": {
    workload: {
      annotations: moved,
      times: { written: 5000 },
      updated: 1,
      total: 4,
      pods: ages({ [target]: 5000, [old]: 9000 }),
    },
    want: { ...rolling, by: "owner" },
  },
  "pods created in the same second as our move: it had to replace the others": {
    workload: {
      annotations: moved,
      times: { written: 5000 },
      updated: 1,
      total: 4,
      pods: ages({ [old]: 5000, [target]: 6000 }),
    },
    want: { ...rolling, by: "us" },
  },
  "pods created in the same second as our undo: it had to replace those on the target": {
    workload: {
      annotations: undone,
      times: { written: 5000 },
      updated: 1,
      total: 4,
      pods: ages({ [target]: 5000, [old]: 6000 }),
    },
    want: { ...rolling, by: "us" },
  },
  "our move is written, and every pod is older": {
    workload: {
      annotations: moved,
      times: { written: 5000 },
      generation: 2,
      observedGeneration: 1,
      pods: ages({ [old]: 1000 }),
    },
    want: { ...rolling, by: "us" },
  },
  "an API server that does not report when a group's first pod was created": {
    workload: { annotations: moved, times: { written: 5000 }, updated: 1, total: 4, pods: half },
    want: { ...rolling, by: "us" },
  },
  "an API server that does not report when we wrote": {
    workload: { annotations: moved, updated: 1, total: 4, pods: ages({ [target]: 6000, [old]: 9000 }) },
    want: { ...rolling, by: "us" },
  },
  "a run annotation by another field manager is not ours": {
    workload: { annotations: moved, marksBy: { "meshroll.dev/run": "helm" }, updated: 1, total: 4, pods: half },
    want: { ...rolling, by: "owner" },
  },
  "annotations that cannot be read are not ours": {
    workload: { annotations: { ...moved, "meshroll.dev/run": "?" }, updated: 1, pods: half },
    want: { ...rolling, by: "owner" },
  },
};

describe("rollouts", () => {
  it.each(Object.entries(cases))("%s", (_, { workload: sketch, want }) => {
    const workload = makeMeshWorkload(old, sketch);
    expect(isRolling(workload)).toBe(want.rolling);
    expect(isSettled(workload)).toBe(want.settled);
    expect(isRollingByUs(workload)).toBe(want.by === "us");
    expect(isRollingByOwner(workload)).toBe(want.by === "owner");
  });

  it("progress counts only after the controller saw the template, so that later figures can exceed it", () => {
    const pods = [{ revision: "new", count: 3, ready: 3 }];
    const written = makeWorkload({ pods, generation: 2, observedGeneration: 1 });
    const seen = makeWorkload({ pods, generation: 2, observedGeneration: 2, updated: 0 });
    const first = makeWorkload({ pods, generation: 2, observedGeneration: 2, updated: 1 });
    expect([written, seen, first].map((each) => measureProgress(each, "new"))).toEqual([0, 0, 1]);
  });

  it("progress is the number of ready pods on the target with the newest template", () => {
    const pods = (ready: number) => [
      { revision: "new", count: 3, ready },
      { revision: "old", count: 7, ready: 7 },
    ];
    const measure = (updated: number, ready: number) =>
      measureProgress(makeWorkload({ replicas: 10, updated, available: 9, pods: pods(ready) }), "new");
    // Other pods do not count: additional ones, those of the template before, and those of another try.
    expect([measure(3, 0), measure(3, 2), measure(1, 3)]).toEqual([0, 2, 1]);
  });

  it("unavailable is the number of missing pods, at least 0", () => {
    expect(unavailable(makeWorkload({ replicas: 3, available: 1 }))).toBe(2);
    expect(unavailable(makeWorkload({ replicas: 1, available: 2 }))).toBe(0);
    expect(unavailable(makeWorkload({ replicas: 0 }))).toBe(0);
  });
});

describe("whether its owner deployed since our move was through", () => {
  const before = ages({ [old]: 1000, [target]: 6000 });
  const after = ages({ [target]: 6000 });
  const written = { "meshroll.dev/run": run, "meshroll.dev/previous": moved["meshroll.dev/previous"] };
  const ours: Readonly<Record<string, { readonly sketch: WorkloadSketch; readonly want: boolean }>> = {
    "no deploy by its owner": { sketch: { times: { written: 5000 }, pods: after }, want: false },
    "the deploy is older": { sketch: { times: { written: 5000, deployed: 4000 }, pods: after }, want: false },
    "the deploy is in the same second as our write": {
      sketch: { times: { written: 5000, deployed: 5000 }, pods: after },
      want: false,
    },
    "pods are left that our write had to replace": {
      sketch: { times: { written: 5000, deployed: 8000 }, pods: before },
      want: false,
    },
    "none of them is left": { sketch: { times: { written: 5000, deployed: 8000 }, pods: after }, want: true },
    "there is no pod at all": { sketch: { times: { written: 5000, deployed: 8000 }, pods: [] }, want: false },
    "the time of our write is not known": { sketch: { times: { deployed: 8000 }, pods: after }, want: false },
  };
  it.each(Object.entries(ours))("%s", (_, { sketch, want }) => {
    expect(isDeployedSince(makeMeshWorkload(target, { annotations: written, ...sketch }))).toBe(want);
  });
  it("we never wrote", () => {
    const times = { written: 5000, deployed: 8000 };
    expect(isDeployedSince(makeMeshWorkload(target, { times, pods: after }))).toBe(false);
  });
});

describe("judgeHealth", () => {
  it("healthy = every replica is available", () => {
    expect(judgeHealth(makeWorkload())).toEqual({ healthy: true });
    expect(judgeHealth(makeWorkload({ replicas: 0 }))).toEqual({ healthy: true });
  });

  it("a missing replica and a missed deadline are unhealthy, each with its reason", () => {
    expect(judgeHealth(makeWorkload({ available: 2 }))).toEqual({ healthy: false, reason: "Unavailable" });
    const late = makeWorkload({ deadlineExceeded: true });
    expect(judgeHealth(late)).toEqual({ healthy: false, reason: "ProgressDeadlineExceeded" });
  });
});

describe("whether our last write has settled, whatever was written since", () => {
  const rollingNow = { updated: 1, total: 4, pods: ages({ [old]: 1000, [target]: 6000 }) };
  const lacking = { available: 2, pods: ages({ [target]: 6000 }) };
  const cases: Readonly<Record<string, { readonly sketch: WorkloadSketch; readonly want: boolean }>> = {
    "its pods are still replaced": { sketch: { times: { written: 5000 }, ...rollingNow }, want: true },
    "it is settled": { sketch: { times: { written: 5000 } }, want: false },
    "the last of its pods is not ready yet": { sketch: { times: { written: 5000 }, ...lacking }, want: true },
    "its owner deploys, and pods are left that were there before our write": {
      sketch: { times: { written: 5000, deployed: 8000 }, ...rollingNow },
      want: true,
    },
    "its owner deploys, and none of them is left": {
      sketch: { times: { written: 5000, deployed: 8000 }, ...lacking },
      want: false,
    },
    "its owner wrote in the same second as we did": {
      sketch: { times: { written: 5000, deployed: 5000 }, ...lacking },
      want: true,
    },
    "all of its pods are gone": {
      sketch: { times: { written: 5000, deployed: 8000 }, available: 0, total: 0, updated: 0, pods: [] },
      want: true,
    },
    "we never wrote": { sketch: { times: { deployed: 8000 }, ...rollingNow }, want: false },
  };
  it.each(Object.entries(cases))("%s", (_, { sketch, want }) => {
    expect(isUnsettledSinceWrite(makeMeshWorkload(target, sketch))).toBe(want);
  });
});
