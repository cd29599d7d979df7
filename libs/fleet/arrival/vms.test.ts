import { makeWorkload, type WorkloadSketch } from "#fakes/fleet";
import { describe, expect, test } from "vitest";

import { judgeMigration } from "./judge-arrival.ts";
import { isRollingByOwner, judgeHealth, measureProgress } from "./rollout.ts";

const [old, target] = ["1-24", "1-25"];
const none = { allowed: 2, upgrading: 0, failed: 0, unknown: 0, unhealthy: 0, outdated: 0, absent: 0 };

/** A group of twenty whose object asks for the target. */
function makeGroup(onTarget: number, vms: Partial<typeof none>, more: WorkloadSketch = {}) {
  const counts = { ...none, ...vms };
  const lost = counts.upgrading + counts.failed + counts.unknown + counts.unhealthy;
  return makeWorkload({
    kind: "WorkloadGroup",
    replicas: 20,
    updated: onTarget,
    available: 20 - lost,
    labels: { "istio.io/rev": target },
    pods: [
      { revision: old, count: 20 - onTarget, ready: Math.max(0, 20 - onTarget - lost) },
      { revision: target, count: onTarget, ready: onTarget },
    ].filter(({ count }) => count > 0),
    vms: counts,
    ...more,
  });
}

describe("judgeMigration of a group of VMs", () => {
  const cases = {
    "all VMs run the target": [makeGroup(20, {}), "migrated"],
    "some wait for their turn": [makeGroup(5, { outdated: 15 }), "migrating NotUpdated"],
    "one is upgraded": [makeGroup(19, { upgrading: 1 }), "migrating NotUpdated"],
    "a tenth failed, and the others run the target": [makeGroup(18, { failed: 2 }), "migrated"],
    "more than a tenth failed": [makeGroup(17, { failed: 3 }), "migrating NotAvailable"],
    "none runs the target, and all are broken": [makeGroup(0, { failed: 20 }), "migrating NotUpdated"],
    "all run what the object asked for before": [
      makeGroup(0, {}, { updated: 20, labels: { "istio.io/rev": old } }),
      "migrating NotAvailable",
    ],
  } as const;
  test.each(Object.entries(cases))("%s", (_, [workload, want]) => {
    const migration = judgeMigration(workload, target);
    expect([migration.kind, ...("reason" in migration ? [migration.reason] : [])].join(" ")).toBe(want);
  });
});

test("a group is healthy while no more VMs are unavailable than may be", () => {
  expect(judgeHealth(makeGroup(18, { failed: 2 })).healthy).toBe(true);
  expect(judgeHealth(makeGroup(17, { failed: 2, unhealthy: 1 })).healthy).toBe(false);
  expect(judgeHealth(makeGroup(0, { unknown: 20 })).healthy).toBe(true);
});

test("a VM's turn and its arrival are progress, each once", () => {
  const steps = [
    makeGroup(0, { outdated: 20 }),
    makeGroup(0, { outdated: 19, upgrading: 1 }),
    makeGroup(1, { outdated: 19 }),
  ];
  expect(steps.map((each) => measureProgress(each, target))).toEqual([0, 1, 2]);
});

test("VMs on several revisions are no rollout of their owner", () => {
  expect(isRollingByOwner(makeGroup(5, { outdated: 15 }))).toBe(false);
});
