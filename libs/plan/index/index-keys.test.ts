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
  namespaceAnnotations: {
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
      name: "pending, in a namespace that moves as a unit",
      request: { workload: unit, namespaceLabels: { "istio.io/rev": "old" } },
      want: [of("pending"), of("pending", asUnit)],
    },
    {
      name: "pending, with migration-batch",
      request: { workload: { ...a, annotations: { "sailoperator.io/migration-batch": "3" } } },
      want: [of("pending"), of("pending", single), of("pending", "placed")],
    },
    {
      name: "pending last",
      request: { workload: { ...a, ...sickPods } },
      want: ["lacksPods", "unhealthy", of("pendingLast"), of("pendingLast", single), of("pendingLast", "urgent")],
    },
    {
      name: "2.3 pending in a rollback, and broken",
      request: { workload: { ...a, ...sickPods }, isRollback: true },
      want: ["lacksPods", "unhealthy", of("rollback"), of("rollback", single), of("rollback", "urgent")],
    },
    {
      name: "migrating",
      request: { workload: moved(a, "new", runId) },
      want: ["rolling", "lacksPods", of("migrating")],
    },
    {
      name: "migrated, without an annotation of arrival",
      request: { workload: makeMigrated(a, "new", runId) },
      want: ["inPlace", "ourAnnotations", of("migrated"), of("moved")],
    },
    {
      name: "migrated, with the annotation of arrival",
      request: { workload: arrived(makeMigrated(a, "new", runId)) },
      want: ["inPlace", of("migrated"), of("moved")],
    },
    {
      name: "6.2 migrated by its owner, and without ready pods",
      request: { workload: makeWorkload("shop/a", { available: 1 }, "new") },
      want: ["lacksPods", "unhealthy", "inPlace", of("migrated"), of("ailing")],
    },
    {
      name: "waiting for its owner",
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
      name: "4.2 rolling to a revision that no run wants any more: takes no place of a rollback",
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
      name: "4.6 failed and put back, of a kind that may hang on its first pod",
      request: { workload: { ...failed(a, "new", runId), orderedFrom: 0 } },
      want: ["putBack", "failed", of("skipped"), of("failed"), of("failureAnnotated")],
    },
    {
      name: "4.6 failed and not put back, of a kind that may hang on its first pod",
      request: { workload: { ...moved(failed(a, "new", runId), "new", runId), orderedFrom: 0 }, ...leave },
      want: ["ourAnnotations", "failed", of("skipped"), of("failed"), of("failureAnnotated")],
    },
    {
      name: "3.3 with a failure annotation by its owner",
      request: { workload: { ...failed(a, "new", runId), marksBy: { "meshroll.dev/failed": "helm" } } },
      want: [of("skipped")],
    },
    {
      name: "5.2 pending, in a namespace whose move has begun",
      request: { workload: unit, ...relabelled },
      want: ["begun", "ourAnnotations", of("pending"), of("pending", asUnit)],
    },
    {
      name: "5.2 migrating, in a namespace whose move has begun",
      request: { workload: restarted, ...relabelled },
      want: ["rolling", "lacksPods", "begun", of("migrating")],
    },
    {
      name: "5.2 waiting for its owner, in a namespace whose move has begun",
      request: { workload: { ...unit, paused: true }, ...relabelled },
      want: ["begun", "ourAnnotations", of("waiting"), "waiting", of("waiting", "PausedByOwner")],
    },
    {
      name: "5.2 pending last, in a namespace whose move has begun: does not hold up its other workloads",
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
      name: "5.2 pending with a label of its own: no part of the namespace's move",
      request: { workload: a, namespaceAnnotations: relabelled.namespaceAnnotations },
      want: ["ourAnnotations", of("pending"), of("pending", single)],
    },
    {
      name: "5.2 migrated, in a namespace whose move has begun",
      request: { workload: { ...restarted, pods: [{ revision: "new", count: 2, ready: 2 }] }, ...relabelled },
      want: ["inPlace", "ourAnnotations", of("migrated"), of("moved")],
    },
    {
      name: "1.3 drift that a converging run would move",
      request: { workload: a, isDrift: true },
      want: ["drift", "unmoved"],
    },
    {
      name: "1.3 no run and no drift: in place",
      request: { workload: makeWorkload("shop/a", {}, "new"), isDrift: true },
      want: ["inPlace"],
    },
  ];
  it.each(cases)("$name", ({ request, want }) => {
    const [workloads, managed, ...indexKeys] = listIndexKeys(judgeOne(request));
    expect([workloads, managed]).toEqual(["workloads", "managed"]);
    expect(indexKeys).toEqual(want);
  });

  it("a workload outside the mesh has no key of a run", () => {
    const outside = makeWorkload("shop/a", { template: bare, pods: [{ count: 2, ready: 2 }] });
    expect(listIndexKeys(judgeOne({ workload: outside }))).toEqual(["workloads"]);
  });
});
