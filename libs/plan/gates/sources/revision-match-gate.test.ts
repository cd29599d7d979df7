import { writeText } from "#libs/wording";
import { askGates, pushRecord, readGateNow, tellAnswer } from "#test/world/campaigns/ask-gates";
import { makeMigrated, failed, makeCluster, makeWorkload, moved, runId } from "#test/world/build";
import { gates, isoAt, resumedByAna, makeGateStop, makeGateSnapshot } from "#test/world/campaigns/gates";
import { describe, expect, it, test } from "vitest";

const a = makeWorkload("shop/a");
const migrated = makeMigrated(a, "new", runId);
/** On its way, as its objects say, while half of its pods run what they did. */
const halfway = moved(makeWorkload("shop/b", { replicas: 2 }), "new", runId, {
  pods: [
    { revision: "new", count: 1, ready: 1 },
    { revision: "old", count: 1, ready: 1 },
  ],
});
const snapshotOf = (workloads: readonly (typeof a)[], gate = gates.revisionMatch()) =>
  makeGateSnapshot({ gate, clusters: [makeCluster("one", workloads)] });

describe("revisionMatch", () => {
  test.each([
    { name: "a pod of the old revision is left", workloads: [migrated, halfway], want: "record fail" },
    {
      name: "a workload was skipped",
      workloads: [migrated, failed(makeWorkload("shop/b"), "new", runId)],
      want: "pass",
    },
    {
      name: "no workload has pods",
      workloads: [makeWorkload("shop/z", { replicas: 0, pods: [] }, "new")],
      want: "wait NoEvidence",
    },
  ])("after: $name: $want", ({ workloads, want }) => expect(tellAnswer(snapshotOf(workloads), "after")).toBe(want));

  it("without pods there is no data, and the reason says so", () => {
    const reading = readGateNow(snapshotOf([makeWorkload("shop/z", { replicas: 0, pods: [] }, "new")]));
    expect(reading?.verdict).toBe("noData");
    expect(reading?.why).toBe("0 workloads migrated, 1 idle (0 replicas), 0 skipped: minWorkloads requires 1 migrated");
    expect(reading).not.toHaveProperty("value");
  });

  it("counts pods, not workloads", () => {
    const snapshot = snapshotOf([migrated, halfway], gates.revisionMatch({ minRatio: 0.75 }));
    expect(tellAnswer(snapshot, "after")).toBe("pass");
    const strict = pushRecord(snapshotOf([migrated, halfway]), "after");
    expect(strict.ledger?.runs[runId]?.gates?.["g"]).toMatchObject({
      value: 0.75,
      limit: 1,
      why: "3 of 4 pods run the expected revision (75 %): minimum 100 %",
    });
  });

  it.each([
    { name: "its broken VM and one not heard of are left out", vms: { failed: 1, unknown: 1 }, want: "pass" },
    {
      name: "VMs that nothing is wrong with and that run the old revision count",
      vms: { failed: 1 },
      want: "record fail",
    },
  ])("a group of VMs: $name: $want", ({ vms, want }) => {
    const none = { allowed: 4, upgrading: 0, failed: 0, unknown: 0, unhealthy: 0, outdated: 0, absent: 0 };
    const group = {
      ...makeMigrated(makeWorkload("shop/WorkloadGroup/db", { replicas: 20 }), "new", runId),
      pods: [
        { revision: "new", count: 18, ready: 18 },
        { revision: "old", count: 2, ready: 0 },
      ],
    };
    const snapshot = snapshotOf([migrated, { ...group, vms: { ...none, ...vms } }]);
    expect(tellAnswer(snapshot, "after")).toBe(want);
  });

  it("during the run only migrated workloads count, because a moving one has pods of both revisions", () => {
    const gate = gates.revisionMatch({ when: "during" });
    expect(readGateNow(snapshotOf([migrated, halfway, a], gate))).toMatchObject({ verdict: "pass", value: 1 });
  });

  it("waits for a cluster that is not seen, whatever the result in others", () => {
    const two = makeCluster("two", [migrated], { fresh: false, ageMs: 90_000 });
    const snapshot = makeGateSnapshot({ gate: gates.revisionMatch(), clusters: [makeCluster("one", [migrated]), two] });
    expect(tellAnswer(snapshot, "after")).toBe("wait GatePending");
  });

  it("3.3 a person who ends its stop has accepted its value: the run is not stopped for it again", () => {
    const stop = { ...makeGateStop(), resume: resumedByAna };
    const failedBefore = { verdict: "fail" as const, at: isoAt(-600_000), why: writeText("3 of 4") };
    const snapshot = makeGateSnapshot({
      gate: gates.revisionMatch(),
      clusters: [makeCluster("one", [migrated, halfway])],
      run: { gates: { g: failedBefore } },
    });
    const { ledger } = snapshot;
    const resumed = { ...snapshot, ...(ledger && { ledger: { ...ledger, stops: { [stop.id]: stop } } }) };
    expect(tellAnswer(resumed, "after")).toBe("record pass");
    const accepted = pushRecord(resumed, "after");
    expect(accepted.ledger?.runs[runId]?.gates?.["g"]).toMatchObject({
      verdict: "pass",
      value: 0.75,
      why: expect.stringContaining("accepted by ana: looked at it"),
    });
    expect(askGates(accepted, "after")).toEqual({ kind: "pass" });
  });
});
