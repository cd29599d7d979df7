import { makeWorkload, runId } from "#test/world/build";
import { testWorkloadStates } from "#test/world/judge-one";
import { describe } from "vitest";

const a = makeWorkload("shop/a");
const bare = { labels: {}, annotations: {}, hostNetwork: false };
const mark = { "meshroll.dev/failed": "new ReadinessTimeout 2026-11-19T11:43:00Z" };
/** Its namespace's label decides. */
const unit = makeWorkload("shop/a", { template: bare });
const onNamespace = { "istio.io/rev": "old" };
const relabelled = {
  "meshroll.dev/run": `${runId} new`,
  "meshroll.dev/previous": JSON.stringify({ labels: onNamespace }),
};
const restarted = {
  ...unit,
  template: { ...bare, annotations: { "meshroll.dev/restarted-for": "new" } },
  annotations: {
    "meshroll.dev/run": `${runId} new`,
    "meshroll.dev/previous": JSON.stringify({ template: { annotations: { "meshroll.dev/restarted-for": null } } }),
  },
};

describe("where the namespace's label, or a tag, decides", () => {
  testWorkloadStates([
    {
      name: "5.2 all workloads of a failed namespace are skipped",
      workload: unit,
      namespaceLabels: onNamespace,
      namespaceAnnotations: { ...mark, "meshroll.dev/run": `${runId} new` },
      want: "skipped (shop/*): ReadinessTimeout (its namespace failed as one) at 2026-11-19T11:43:00Z",
    },
    {
      name: "5.2 `retry` of a failed namespace tries all of it again",
      workload: unit,
      namespaceLabels: onNamespace,
      namespaceAnnotations: { ...mark, "meshroll.dev/run": `${runId} new` },
      retried: { "one:shop/*": 1 },
      want: "pending #2",
    },
    {
      name: "5.2 `retry` of one workload of a namespace tries that one again",
      workload: unit,
      namespaceLabels: onNamespace,
      retried: { "one:shop/Deployment/a": 1 },
      want: "pending #2",
    },
    {
      name: "5.5 a namespace's label that its owner put back ends the move of all its workloads",
      workload: unit,
      namespaceLabels: onNamespace,
      namespaceAnnotations: relabelled,
      want:
        "skipped: Overwritten by an unknown manager: it changed /metadata/labels/istio.io~1rev after meshroll wrote new; " +
        "what stops that: a manifest that names the revision, or a rule of that manager that ignores what it changed",
    },
    {
      name: "5.5 a namespace's label that its owner put back does not end the move of a workload with a label of its own",
      workload: a,
      namespaceAnnotations: relabelled,
      want: "pending",
    },
    {
      name: "5.2 restarted, and its namespace has the new label: moving",
      workload: restarted,
      namespaceLabels: { "istio.io/rev": "new" },
      want: "migrating RevisionMismatch",
    },
    {
      name: "5.2 restarted, and its namespace lost the new label: pending until it is written again",
      workload: restarted,
      namespaceLabels: onNamespace,
      want: "pending",
    },
    {
      name: "5.3 a workload of a tag waits for the tag's owner without a limit",
      workload: makeWorkload("shop/a", {}, "stable"),
      tags: { stable: "old" },
      waitedMs: 3_000_000,
      want: "waiting TagNotMoved",
    },
  ]);
});
