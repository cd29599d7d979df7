import { arrived, failed, makeWorkload, moved, runId } from "#test/world/build";
import { type JudgeQuestion, judgeOne } from "#test/world/judge-one";
import { describe, expect, it } from "vitest";

import { listFacets } from "./facets.ts";

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
const undo = { ...failed(a, "new", runId), updated: 1, pods: [{ revision: "new", count: 1, ready: 0 }] };

interface Case {
  readonly name: string;
  readonly ask: JudgeQuestion;
  /** Without `workloads managed`, and without the run's id. */
  readonly want: readonly string[];
}

describe("what one workload counts as", () => {
  const cases: readonly Case[] = [
    { name: "due", ask: { workload: a }, want: ["due", "due single @production"] },
    {
      name: "due, with its namespace",
      ask: { workload: unit, namespaceLabels: { "istio.io/rev": "old" } },
      want: ["due", "due unit @production"],
    },
    {
      name: "due, with a place in its owner's order",
      ask: { workload: { ...a, annotations: { "sailoperator.io/migration-batch": "3" } } },
      want: ["due", "due single @production", "due placed"],
    },
    {
      name: "tried at the end",
      ask: { workload: { ...a, ...sickPods } },
      want: ["short", "unhealthy", "dueLast", "dueLast single @production", "dueLast urgent"],
    },
    {
      name: "2.3 broken, and back first",
      ask: { workload: { ...a, ...sickPods }, isReturn: true },
      want: ["short", "unhealthy", "back", "back single @production", "back urgent"],
    },
    { name: "moving", ask: { workload: moved(a, "new", runId) }, want: ["rolling", "rollingOn", "short", "moving"] },
    { name: "there", ask: { workload: arrived(a, "new", runId) }, want: ["there", "moved"] },
    {
      name: "6.2 there, and without pods now",
      ask: { workload: makeWorkload("shop/a", { available: 1 }, "new") },
      want: ["short", "unhealthy", "there", "ailing"],
    },
    {
      name: "its owner's turn",
      ask: { workload: { ...a, paused: true } },
      want: ["blocked", "waiting", "blocked by paused"],
    },
    { name: "3.3 failed", ask: { workload: failed(a, "new", runId) }, want: ["aside", "failed"] },
    { name: "3.3 failed in another run", ask: { workload: failed(a, "new", "aaaaaaaaaaaa") }, want: ["aside"] },
    {
      name: "4.2 failed, and its undo still rolls",
      ask: { workload: undo, now: Date.parse("2026-11-19T12:00:01Z") },
      want: ["rolling", "rollingOn", "short", "aside", "failed"],
    },
    {
      name: "4.2 rolls towards what nobody wants any more: that takes no place of what goes back",
      ask: { workload: moved(a, "newer", "aaaaaaaaaaaa", { updated: 1 }), isReturn: true },
      want: ["rolling", "short", "touched", "back", "back single @production", "back rolling", "back urgent"],
    },
    {
      name: "4.6 failed, put back, and of a kind that may hang on its first pod",
      ask: { workload: { ...failed(a, "new", runId), orderedFrom: 0 } },
      want: ["putBack", "aside", "failed"],
    },
    {
      name: "4.6 the same while its undo has not been written",
      ask: { workload: { ...moved(failed(a, "new", runId), "new", runId), orderedFrom: 0 } },
      want: ["touched", "aside", "failed"],
    },
    {
      name: "4.6 one of that kind that never failed",
      ask: { workload: { ...a, orderedFrom: 0 } },
      want: ["due", "due single @production"],
    },
    {
      name: "5.2 of a namespace that was begun, and due",
      ask: { workload: unit, ...relabelled },
      want: ["begun", "touched", "due", "due unit @production"],
    },
    {
      name: "5.2 of a namespace that was begun, and moving",
      ask: { workload: restarted, ...relabelled },
      want: ["rolling", "rollingOn", "short", "begun", "moving"],
    },
    {
      name: "5.2 of a namespace that was begun, and its owner's turn",
      ask: { workload: { ...unit, paused: true }, ...relabelled },
      want: ["begun", "touched", "blocked", "waiting", "blocked by paused"],
    },
    {
      name: "5.2 of a namespace that was begun, and tried at the end: it holds nobody up",
      ask: { workload: { ...unit, ...sickPods }, ...relabelled },
      want: ["short", "unhealthy", "touched", "dueLast", "dueLast unit @production", "dueLast urgent"],
    },
    {
      name: "5.2 of a namespace that was begun, with a label of its own: it is none of it",
      ask: { workload: a, annotate: relabelled.annotate },
      want: ["touched", "due", "due single @production"],
    },
    {
      name: "5.2 of a namespace that was begun, and through",
      ask: { workload: { ...restarted, pods: [{ revision: "new", count: 2, ready: 2 }] }, ...relabelled },
      want: ["there", "moved"],
    },
    { name: "1.3 nobody's", ask: { workload: a, isDrift: true }, want: ["drift"] },
    {
      name: "1.3 nobody's, and as it should be",
      ask: { workload: makeWorkload("shop/a", {}, "new"), isDrift: true },
      want: [],
    },
  ];
  it.each(cases)("$name", ({ ask, want }) => {
    const [workloads, managed, ...facets] = listFacets(judgeOne(ask));
    expect([workloads, managed]).toEqual(["workloads", "managed"]);
    expect(facets.map((each) => each.replace(`${runId} `, ""))).toEqual(want);
  });

  it("outside the mesh as nothing but a workload", () => {
    const outside = makeWorkload("shop/a", { template: bare, pods: [{ count: 2, ready: 2 }] });
    expect(listFacets(judgeOne({ workload: outside }))).toEqual(["workloads"]);
  });
});
