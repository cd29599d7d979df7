import { describe, expect, it } from "vitest";

import type { ArgoFacts } from "#libs/fleet";

import type { ApiObject } from "../../api-types.ts";
import { isPromoted, readArgo, readObserved } from "./argo-rollout.ts";

type Spec = NonNullable<ApiObject["spec"]>;
type Status = NonNullable<ApiObject["status"]>;

const canary = (...steps: readonly object[]): Spec => ({ replicas: 4, strategy: { canary: { steps } } });
const blueGreen = (autoPromotionEnabled?: boolean): Spec => ({
  replicas: 4,
  strategy: { blueGreen: autoPromotionEnabled === undefined ? {} : { autoPromotionEnabled } },
});
const paused = (reason: string): Status => ({ pauseConditions: [{ reason }] });
const promoted: Status = { stableRS: "5d", currentPodHash: "5d", updatedReplicas: 4, availableReplicas: 4 };

const cases: Readonly<Record<string, { readonly spec?: Spec; readonly status?: Status; readonly want: ArgoFacts }>> = {
  "one without steps that is through": { spec: { strategy: { canary: {} } }, status: promoted, want: {} },
  "a step that goes on by itself": {
    spec: canary({ setWeight: 20 }, { pause: {} }),
    status: { currentStepIndex: 0 },
    want: { steps: { done: 0, of: 2 }, needsPromotion: true },
  },
  "a pause without an end": {
    spec: canary({ setWeight: 20 }, { pause: {} }),
    status: { ...paused("CanaryPauseStep"), currentStepIndex: 1 },
    want: { steps: { done: 1, of: 2 }, needsPromotion: true, holds: "promotion" },
  },
  "a pause with an end": {
    spec: canary({ pause: { duration: "1h" } }),
    status: { ...paused("CanaryPauseStep"), currentStepIndex: 0 },
    want: { steps: { done: 0, of: 1 }, holds: "strategy" },
  },
  "an inconclusive analysis, which a person decides": {
    spec: canary({ analysis: {} }),
    status: { ...paused("InconclusiveAnalysisRun"), currentStepIndex: 0 },
    want: { steps: { done: 0, of: 1 }, holds: "promotion" },
  },
  "an analysis that runs": {
    spec: canary({ analysis: {} }),
    status: { stableRS: "5d", currentPodHash: "6e", currentStepIndex: 0 },
    want: { steps: { done: 0, of: 1 }, holds: "strategy" },
  },
  "the first step of an update that is over": {
    spec: canary({ analysis: {} }),
    status: { ...promoted, currentStepIndex: 1, replicas: 4 },
    want: { steps: { done: 1, of: 1 } },
  },
  "a preview that a person promotes": {
    spec: blueGreen(false),
    status: paused("BlueGreenPause"),
    want: { needsPromotion: true, holds: "promotion" },
  },
  "a preview that is promoted after a time": {
    spec: blueGreen(),
    status: paused("BlueGreenPause"),
    want: { holds: "strategy" },
  },
  "an analysis before the promotion": {
    spec: blueGreen(),
    status: { blueGreen: { prePromotionAnalysisRunStatus: { status: "Running" } } },
    want: { holds: "strategy" },
  },
  "old pods that are kept after the promotion": {
    spec: blueGreen(),
    status: { ...promoted, replicas: 8 },
    want: { holds: "strategy" },
  },
  "an aborted update": {
    spec: canary({ pause: {} }),
    status: {
      ...paused("CanaryPauseStep"),
      abort: true,
      message: "RolloutAborted: Rollout aborted update to revision 2",
      currentStepIndex: 0,
    },
    want: {
      steps: { done: 0, of: 1 },
      needsPromotion: true,
      degraded: "RolloutAborted: Rollout aborted update to revision 2",
    },
  },
  "an invalid spec without a message": {
    status: { conditions: [{ type: "InvalidSpec", status: "True" }] },
    want: { degraded: "InvalidSpec" },
  },
  "a passed deadline, which is no word of its own": {
    status: {
      conditions: [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }],
      message: "ProgressDeadlineExceeded: x",
    },
    want: {},
  },
  "the template of a Deployment": {
    spec: { workloadRef: { kind: "Deployment", name: "web" } },
    want: { templateOf: "Deployment/web" },
  },
};

describe("what only an Argo Rollout says", () => {
  it.each(Object.entries(cases))("%s", (_, { spec = {}, status = {}, want }) => {
    expect(readArgo({ spec, status })).toEqual({ argo: want });
  });
});

const seen: readonly (readonly [string, string | number | undefined, number])[] = [
  ["a text", "7", 7],
  ["an older one", "6", 6],
  ["none yet", undefined, 0],
  ["an empty one", "", 0],
  ["the hash of an old controller", "5d7c9", 7],
  ["such a hash of digits alone", "599876", 7],
];

it.each(seen)("the generation that its controller has seen: %s", (_, observedGeneration, want) => {
  const status = observedGeneration === undefined ? {} : { observedGeneration };
  expect(readObserved({ metadata: { generation: 7 }, status })).toBe(want);
});

it("is promoted once its stable ReplicaSet is the newest", () => {
  const all: readonly Status[] = [{}, { stableRS: "" }, { stableRS: "5d", currentPodHash: "6e" }, promoted];
  expect(all.map(isPromoted)).toEqual([false, false, false, true]);
});
