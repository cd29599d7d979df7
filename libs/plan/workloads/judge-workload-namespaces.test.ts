import { makeWorkload, runId } from "#test/world/build";
import { workloadStates } from "#test/world/judge-one";
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
  workloadStates([
    {
      name: "5.2 a namespace fails as one: all its workloads go skipped",
      workload: unit,
      namespaceLabels: onNamespace,
      annotate: { ...mark, "meshroll.dev/run": `${runId} new` },
      want: "skipped (shop/*): ReadinessTimeout (its namespace failed as one) at 2026-11-19T11:43:00Z",
    },
    {
      name: "5.2 `retry` of a namespace tries all of it again",
      workload: unit,
      namespaceLabels: onNamespace,
      annotate: { ...mark, "meshroll.dev/run": `${runId} new` },
      retried: { "one:shop/*": 1 },
      want: "pending #2",
    },
    {
      name: "5.2 and `retry` of one of them that one",
      workload: unit,
      namespaceLabels: onNamespace,
      retried: { "one:shop/Deployment/a": 1 },
      want: "pending #2",
    },
    {
      name: "5.5 a namespace's label that its owner put back ends the move of all in it",
      workload: unit,
      namespaceLabels: onNamespace,
      annotate: relabelled,
      want:
        "skipped: Overwritten by an unknown manager: it changed /metadata/labels/istio.io~1rev after meshroll wrote new; " +
        "configure it to ignore that path",
    },
    {
      name: "5.5 but not of a workload that has its own label since",
      workload: a,
      annotate: relabelled,
      want: "pending",
    },
    {
      name: "5.2 restarted, and its namespace relabelled: moving",
      workload: restarted,
      namespaceLabels: { "istio.io/rev": "new" },
      want: "migrating RevisionMismatch",
    },
    {
      name: "5.2 restarted for a label that its namespace has no more: due when that is written again",
      workload: restarted,
      namespaceLabels: onNamespace,
      want: "pending",
    },
    {
      name: "5.3 a tag's workload waits for its owner, however long",
      workload: makeWorkload("shop/a", {}, "stable"),
      tags: { stable: "old" },
      waitedMs: 3_000_000,
      want: "waiting TagNotMoved",
    },
  ]);
});
