import { makeMigrated, arrived, failed, makeWorkload, moved, runId } from "#test/world/build";
import { type JudgeQuestion, judgeOne } from "#test/world/judge-one";
import { describe, expect, it } from "vitest";

import { type IndexKey, listIndexKeys, type RunFact, type RunKey } from "./index-keys.ts";

const a = makeWorkload("shop/a");
const bare = { labels: {}, annotations: {}, hostNetwork: false };
const unit = makeWorkload("shop/a", { template: bare });
const sickPods = { available: 0, pods: [{ revision: "old", count: 2, ready: 0 }] };
const relabelled = {
  namespaceLabels: { "istio.io/rev": "new" },
  annotate: {
    "meshroll.dev/run": `${runId} new`,
    "meshroll.dev/previous": JSON.stringify({ labels: { "istio.io/rev": "old" } }),
  },
};
const token = { "meshroll.dev/restarted-for": "new" };
const restarted = {
  ...unit,
  template: { ...bare, annotations: token },
  annotations: {
    "meshroll.dev/run": `${runId} new`,
    "meshroll.dev/previous": JSON.stringify({ template: { annotations: { "meshroll.dev/restarted-for": null } } }),
  },
};
const leave = { settings: { onWorkloadFailure: "leave" } } as const;
const undo = { ...failed(a, "new", runId), updated: 1, pods: [{ revision: "new", count: 1, ready: 0 }] };

interface Case {
  readonly name: string;
  readonly request: JudgeQuestion;
  /** Without the keys `workloads` and `managed`. */
  readonly want: readonly IndexKey[];
}

/** Its facts in the run. */
function of(is: RunFact, only?: RunKey["only"]): RunKey {
  return { run: runId, is, ...(only === undefined ? {} : { only }) };
}

const single = { way: "single", turn: 0, bucket: "production" } as const;
const asUnit = { way: "unit", turn: 0, bucket: "production" } as const;

describe("the index keys of a workload", () => {
  const cases: readonly Case[] = [
    { name: "pending", request: { workload: a }, want: [of("pending"), of("pending", single)] },
    {
      name: "due, with its namespace",
      request: { workload: unit, namespaceLabels: { "istio.io/rev": "old" } },
      want: [of("pending"), of("pending", asUnit)],
    },
    {
      name: "due, with a place in its owner's order",
      request: { workload: { ...a, annotations: { "sailoperator.io/migration-batch": "3" } } },
      want: [of("pending"), of("pending", single), of("pending", "placed")],
    },
    {
      name: "tried at the end",
      request: { workload: { ...a, ...sickPods } },
      want: ["lacksPods", "unhealthy", of("pendingLast"), of("pendingLast", single), of("pendingLast", "urgent")],
    },
    {
      name: "2.3 broken, and back first",
      request: { workload: { ...a, ...sickPods }, isRollback: true },
      want: ["lacksPods", "unhealthy", of("rollback"), of("rollback", single), of("rollback", "urgent")],
    },
    {
      name: "migrating",
      request: { workload: moved(a, "new", runId) },
      want: ["rolling", "lacksPods", of("migrating")],
    },
    {
      name: "migrated, and not marked as arrived",
      request: { workload: makeMigrated(a, "new", runId) },
      want: ["ourAnnotations", of("migrated"), of("moved")],
    },
    {
      name: "migrated, and known to have arrived",
      request: { workload: arrived(makeMigrated(a, "new", runId)) },
      want: [of("migrated"), of("moved")],
    },
    {
      name: "6.2 there, and without pods now",
      request: { workload: makeWorkload("shop/a", { available: 1 }, "new") },
      want: ["lacksPods", "unhealthy", of("migrated"), of("ailing")],
    },
    {
      name: "its owner's turn",
      request: { workload: { ...a, paused: true } },
      want: [of("waiting"), "waiting", of("waiting", "PausedByOwner")],
    },
    {
      name: "3.3 failed",
      request: { workload: failed(a, "new", runId) },
      want: ["failed", of("skipped"), of("failed"), of("failureAnnotated")],
    },
    {
      name: "3.3 failed in another run",
      request: { workload: failed(a, "new", "aaaaaaaaaaaa") },
      want: ["failed", of("skipped"), of("failureAnnotated")],
    },
    {
      name: "4.2 failed, and its undo still rolls",
      request: { workload: undo, now: Date.parse("2026-11-19T12:00:01Z") },
      want: ["rolling", "lacksPods", "failed", of("skipped"), of("failed"), of("failureAnnotated")],
    },
    {
      name: "4.2 rolls towards what no run wants any more: that takes no place of a rollback",
      request: { workload: moved(a, "newer", "aaaaaaaaaaaa", { updated: 1 }), isRollback: true },
      want: [
        "rolling",
        "lacksPods",
        "ourAnnotations",
        of("rollback"),
        of("rollback", single),
        of("rollback", "rolling"),
        of("rollback", "urgent"),
      ],
    },
    {
      name: "4.6 failed, put back, and of a kind that may hang on its first pod",
      request: { workload: { ...failed(a, "new", runId), orderedFrom: 0 } },
      want: ["putBack", "failed", of("skipped"), of("failed"), of("failureAnnotated")],
    },
    {
      name: "4.6 the same where it is left as it failed",
      request: { workload: { ...moved(failed(a, "new", runId), "new", runId), orderedFrom: 0 }, ...leave },
      want: ["ourAnnotations", "failed", of("skipped"), of("failed"), of("failureAnnotated")],
    },
    {
      name: "3.3 marked as failed by its owner's hand",
      request: { workload: { ...failed(a, "new", runId), marksBy: { "meshroll.dev/failed": "helm" } } },
      want: [of("skipped")],
    },
    {
      name: "5.2 of a namespace that was begun, and due",
      request: { workload: unit, ...relabelled },
      want: ["begun", "ourAnnotations", of("pending"), of("pending", asUnit)],
    },
    {
      name: "5.2 of a namespace that was begun, and moving",
      request: { workload: restarted, ...relabelled },
      want: ["rolling", "lacksPods", "begun", of("migrating")],
    },
    {
      name: "5.2 of a namespace that was begun, and its owner's turn",
      request: { workload: { ...unit, paused: true }, ...relabelled },
      want: ["begun", "ourAnnotations", of("waiting"), "waiting", of("waiting", "PausedByOwner")],
    },
    {
      name: "5.2 of a namespace that was begun, and tried at the end: it holds no workload up",
      request: { workload: { ...unit, ...sickPods }, ...relabelled },
      want: [
        "lacksPods",
        "unhealthy",
        "ourAnnotations",
        of("pendingLast"),
        of("pendingLast", asUnit),
        of("pendingLast", "urgent"),
      ],
    },
    {
      name: "5.2 of a namespace that was begun, with a label of its own: it is none of it",
      request: { workload: a, annotate: relabelled.annotate },
      want: ["ourAnnotations", of("pending"), of("pending", single)],
    },
    {
      name: "5.2 of a namespace that was begun, and through",
      request: { workload: { ...restarted, pods: [{ revision: "new", count: 2, ready: 2 }] }, ...relabelled },
      want: ["ourAnnotations", of("migrated"), of("moved")],
    },
    { name: "1.3 of no run", request: { workload: a, isDrift: true }, want: ["drift"] },
    {
      name: "1.3 of no run, and as it should be",
      request: { workload: makeWorkload("shop/a", {}, "new"), isDrift: true },
      want: [],
    },
  ];
  it.each(cases)("$name", ({ request, want }) => {
    const [workloads, managed, ...indexKeys] = listIndexKeys(judgeOne(request));
    expect([workloads, managed]).toEqual(["workloads", "managed"]);
    expect(indexKeys).toEqual(want);
  });

  it("outside of the mesh only as a workload", () => {
    const outside = makeWorkload("shop/a", { template: bare, pods: [{ count: 2, ready: 2 }] });
    expect(listIndexKeys(judgeOne({ workload: outside }))).toEqual(["workloads"]);
  });
});
