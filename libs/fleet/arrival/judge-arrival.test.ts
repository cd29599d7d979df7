import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { makeMeshWorkload, type WorkloadSketch } from "../fake.ts";
import { type MigrationEvidence, judgeMigration, podLagMs } from "./judge-arrival.ts";

const old = "1-24-5";
const target = "1-25-2";
const all = (revision: string, count = 3) => [{ revision, count, ready: count }];

interface Case {
  readonly workload: WorkloadSketch;
  readonly evidence?: MigrationEvidence;
  readonly want: string;
}

const cases: Record<string, Case> = {
  "everything is updated, available and injected with the target": {
    workload: { pods: all(target) },
    want: "migrated",
  },
  "C11: old pods are ready right after the patch, the controller has not seen it": {
    workload: { generation: 2, observedGeneration: 1, pods: all(old) },
    want: "migrating NotObserved",
  },
  "C11: not observed, though the pods already say the target": {
    workload: { generation: 2, observedGeneration: 1, pods: all(target) },
    want: "migrating NotObserved",
  },
  "some replicas are still of the old template": {
    workload: { updated: 1, pods: [...all(old, 2), ...all(target, 1)] },
    want: "migrating NotUpdated",
  },
  "its owner paused the rollout": { workload: { updated: 0, paused: true, pods: all(old) }, want: "migrating Paused" },
  "its owner paused it after it was through": { workload: { paused: true, pods: all(target) }, want: "migrated" },
  "all are updated and an old pod is left": {
    workload: { total: 4, pods: [...all(target), ...all(old, 1)] },
    want: "migrating OldPodsLeft",
  },
  "all are updated and one is not available": {
    workload: { available: 2, pods: all(target) },
    want: "migrating NotAvailable",
  },
  "the deadline passed": {
    workload: { updated: 1, available: 3, deadlineExceeded: true, pods: all(old) },
    want: "wrong ProgressDeadlineExceeded",
  },
  "the deadline is that of the rollout before: this one is not observed": {
    workload: { generation: 2, observedGeneration: 1, deadlineExceeded: true, pods: all(old) },
    want: "migrating NotObserved",
  },
  "the deadline is that of the rollout before: not one pod is updated": {
    workload: { updated: 0, total: 3, deadlineExceeded: true, pods: all(old) },
    want: "migrating NotUpdated",
  },
  "a finished rollout has no deadline to miss": {
    workload: { deadlineExceeded: true, pods: all(target) },
    want: "migrated",
  },
  "C12: all new and available, for a long time injected with another revision": {
    workload: { pods: all(old) },
    evidence: { quietMs: podLagMs },
    want: "wrong RevisionMismatch",
  },
  "C12: all new and available, for a long time without a sidecar": {
    workload: { pods: [{ count: 3, ready: 3 }] },
    evidence: { quietMs: podLagMs },
    want: "wrong RevisionMismatch",
  },
  "one of three was injected with another revision": {
    workload: { pods: [...all(target, 2), ...all(old, 1)] },
    evidence: { quietMs: podLagMs },
    want: "wrong RevisionMismatch",
  },
  "the pod watch is behind: as many pods as there should be, but the old ones": {
    workload: { pods: all(old) },
    evidence: { quietMs: podLagMs - 1 },
    want: "migrating RevisionMismatch",
  },
  "a mismatch is only waited for when it is unknown for how long it lasts": {
    workload: { pods: all(old) },
    want: "migrating RevisionMismatch",
  },
  "the pod watch is behind: old pods are still listed next to the new": {
    workload: { pods: [...all(target), ...all(old, 1)] },
    evidence: { quietMs: podLagMs },
    want: "migrating OldPodsListed",
  },
  "the pod watch is behind: new pods are not listed yet": {
    workload: { pods: all(target, 2) },
    evidence: { quietMs: podLagMs },
    want: "migrating PodsNotListed",
  },
  "3.4 0 replicas: the label is set, and nothing proves it": {
    workload: { replicas: 0, pods: [] },
    evidence: { resolvesTo: target },
    want: "idle",
  },
  "3.4 0 replicas whose label resolves to another revision": {
    workload: { replicas: 0, pods: [] },
    evidence: { resolvesTo: old },
    want: "migrating LabelNotWritten",
  },
  "3.4 0 replicas whose label is not resolved": {
    workload: { replicas: 0, pods: [] },
    want: "migrating LabelNotWritten",
  },
  "0 replicas, and the last pod is going": {
    workload: { replicas: 0, total: 1, updated: 0, pods: all(old, 1) },
    evidence: { resolvesTo: target },
    want: "migrating OldPodsLeft",
  },
  "a DaemonSet whose desired number no node matches": {
    workload: { kind: "DaemonSet", replicas: 0, pods: [] },
    evidence: { resolvesTo: target },
    want: "idle",
  },
  "a DaemonSet that reached two of three nodes": {
    workload: { kind: "DaemonSet", updated: 2, total: 3, available: 2, pods: [...all(target, 2), ...all(old, 1)] },
    want: "migrating NotUpdated",
  },
  "an Argo Rollout with all pods on the target, whose strategy is not through": {
    workload: { kind: "Rollout", argo: { steps: { done: 1, of: 2 } }, pods: all(target, 3) },
    want: "migrating NotPromoted",
  },
  "one that is promoted": {
    workload: { kind: "Rollout", argo: {}, rolledOut: true, pods: all(target, 3) },
    want: "migrated",
  },
  "one that Argo aborted": {
    workload: { kind: "Rollout", argo: { degraded: "RolloutAborted" }, updated: 0, pods: all(old, 3) },
    want: "wrong RolloutDegraded",
  },
  "one whose spec is invalid, with counts of its old pods": {
    workload: { kind: "Rollout", argo: { degraded: "InvalidSpec" }, rolledOut: true, pods: all(old, 3) },
    want: "wrong RolloutDegraded",
  },
  "one whose controller has not seen that it was put back": {
    workload: { kind: "Rollout", argo: { degraded: "RolloutAborted" }, generation: 3, observedGeneration: 2 },
    want: "migrating NotObserved",
  },
  "a StatefulSet that replaces pods one by one": {
    workload: { kind: "StatefulSet", updated: 1, available: 2, pods: [...all(target, 1), ...all(old, 2)] },
    want: "migrating NotUpdated",
  },
};

describe("judgeMigration", () => {
  it.each(Object.entries(cases))("%s", (_, { workload, evidence, want }) => {
    const migration = judgeMigration(makeMeshWorkload(old, workload), target, evidence);
    expect([migration.kind, ...("reason" in migration ? [migration.reason] : [])].join(" ")).toBe(want);
  });

  it("a wait has the figures that show progress", () => {
    const workload = makeMeshWorkload(old, { updated: 1, available: 2 });
    expect(judgeMigration(workload, target)).toEqual({
      kind: "migrating",
      reason: "NotUpdated",
      updated: 1,
      available: 2,
    });
  });

  it("is arrived exactly when every condition of arrival holds", () => {
    // Close to the right values, so that often only one condition is broken.
    const delta = fc.constantFrom(0, 0, 0, 0, 1, -1);
    const facts = fc.record({
      replicas: fc.integer({ min: 0, max: 3 }),
      lag: fc.constantFrom(0, 0, 0, 1),
      total: delta,
      updated: delta,
      available: delta,
      onTarget: delta,
      elsewhere: fc.constantFrom(0, 0, 0, 1),
      elsewhereRuns: fc.constantFrom(old, undefined),
      resolvesTo: fc.constantFrom(old, target),
    });
    let arrivals = 0;
    fc.assert(
      fc.property(facts, ({ replicas, elsewhere, elsewhereRuns, resolvesTo, ...by }) => {
        const add = (change: number) => Math.max(0, replicas + change);
        const total = add(by.total);
        const updated = add(by.updated);
        const available = add(by.available);
        const onTarget = add(by.onTarget);
        const others = {
          count: elsewhere,
          ready: 0,
          ...(elsewhereRuns === undefined ? {} : { revision: elsewhereRuns }),
        };
        const pods = [...all(target, onTarget), others];
        const status = { replicas, total, updated, available, generation: 2, observedGeneration: 2 - by.lag, pods };
        const want =
          by.lag === 0 &&
          updated >= replicas &&
          total <= updated &&
          available >= replicas &&
          onTarget === replicas &&
          elsewhere === 0 &&
          replicas > 0;
        arrivals += want ? 1 : 0;
        expect(judgeMigration(makeMeshWorkload(old, status), target, { resolvesTo }).kind === "migrated").toBe(want);
      }),
      { numRuns: 10_000 },
    );
    expect(arrivals).toBeGreaterThan(100);
  });
});
