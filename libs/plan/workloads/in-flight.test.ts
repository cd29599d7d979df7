import { findSite, planMove } from "#libs/injection";
import { makeMigrated, makeCluster, makeNamespace, makeWorkload, moved, runId, sha } from "#test/world/build";
import { makeExecutorView } from "#test/world/executor";
import { describe, expect, test } from "vitest";

import { isTurnedAway, isUndoInFlight } from "./in-flight.ts";
import { type MoveFor, planPatch } from "../moves/plan-patch.ts";
import type { JudgedWorkload } from "./workload-state.ts";

const plain = { labels: {}, annotations: {}, hostNetwork: false };
const byNamespace = makeWorkload("shop/n", { template: plain });
const a = makeWorkload("shop/a");
const { facts } = makeCluster("one", [], { facts: { tags: { stable: "new" } } });

function want(workload: typeof a, desired: string, labels: Readonly<Record<string, string>> = {}) {
  const { namespace } = makeNamespace("shop", [workload], labels);
  return { namespace, workload, site: findSite(namespace, workload, facts, desired), facts, desired };
}

describe("5.2 a namespace whose label was changed again since", () => {
  const cases = [
    {
      name: "its label is the wanted one",
      wanted: want(byNamespace, "new", { "istio.io/rev": "new" }),
      want: false,
    },
    { name: "its label is another one", wanted: want(byNamespace, "new", { "istio.io/rev": "old" }), want: true },
    { name: "the workload has a label of its own", wanted: want(a, "new", {}), want: false },
    {
      name: "its label is gone",
      wanted: {
        ...want(byNamespace, "new", { "istio.io/rev": "old" }),
        namespace: makeNamespace("shop", []).namespace,
      },
      want: false,
    },
  ];
  test.each(cases)("$name: $want", ({ wanted, want: answer }) => expect(isTurnedAway(wanted)).toBe(answer));
});

describe("2.3 an undo that rolls to the desired revision", () => {
  const undoing = makeWorkload("shop/u", {
    annotations: { "meshroll.dev/run": `${runId} new` },
    updated: 1,
    pods: [
      { revision: "new", count: 1, ready: 1 },
      { revision: "old", count: 1, ready: 1 },
    ],
  });
  const settled = { ...undoing, updated: 2, pods: [{ revision: "old", count: 2, ready: 2 }] };
  const cases = [
    { name: "an undo to the wanted revision rolls", wanted: want(undoing, "old"), want: true },
    { name: "the undo is complete", wanted: want(settled, "old"), want: false },
    { name: "a move rolls, not an undo", wanted: want(moved(a, "new", runId, { updated: 1 }), "new"), want: false },
  ];
  test.each(cases)("$name: $want", ({ wanted, want: answer }) => expect(isUndoInFlight(wanted)).toBe(answer));
});

describe("the next write for a workload", () => {
  const move: MoveFor = { run: runId, attempt: 1, unhealthyBefore: false };
  /** The judgement of shop/a in a cluster whose namespaces have these labels. */
  const stand = (workload: typeof a, labels: Readonly<Record<string, string>> = {}): JudgedWorkload => {
    const { judged } = makeExecutorView({ cluster: makeCluster("one", [workload], {}, labels) });
    const [only] = judged;
    if (only === undefined) throw new Error("no workload is judged");
    return only;
  };
  const plan = (state: JudgedWorkload, more: Partial<MoveFor> = {}) => planPatch(state, { ...move, ...more }, facts);
  const onOld = { "istio.io/rev": "old" };
  const since = { rollbackSince: "2026-11-19T12:00:00.000Z" };

  test("5.1 a template's label is changed, and its old value recorded", () => {
    expect(plan(stand(a))).toMatchObject({
      object: "workload",
      change: { template: { labels: { "istio.io/rev": "new" } }, annotations: { "meshroll.dev/run": `${runId} new` } },
    });
  });

  test("3.1 the attempt for a workload that was unhealthy before says so; a retry has its number", () => {
    const marked = (more: Partial<MoveFor>) => {
      const write = plan(stand(a), more);
      return write.kind === "write" ? write.change.annotations?.["meshroll.dev/run"] : write.why;
    };
    expect(marked({ unhealthyBefore: true })).toBe(`${runId} new UnhealthyBefore`);
    expect(marked({ attempt: 2 })).toBe(`${runId} new #2`);
  });

  test("5.2 where the namespace's label decides it is written first, then its workloads are restarted", () => {
    const before = stand(byNamespace, onOld);
    expect(plan(before)).toMatchObject({ object: "namespace", change: { labels: { "istio.io/rev": "new" } } });
    const begun = { ...before, namespaceBegun: true };
    expect(plan(begun)).toMatchObject({
      object: "workload",
      change: { template: { annotations: { "meshroll.dev/restarted-for": "new" } } },
    });
  });

  test("2.3 a rollback restores the old values: first of the namespace, then of the workload", () => {
    const migrated = makeMigrated(makeWorkload("shop/a", {}, "new"), "old", sha("up").slice(0, 12));
    expect(plan({ ...stand(migrated), ...since })).toMatchObject({
      object: "workload",
      change: { template: { labels: { "istio.io/rev": "new" } } },
    });
    const before = { ...stand(byNamespace, onOld), ...since };
    expect(plan(before)).toMatchObject({ object: "namespace", change: { labels: { "istio.io/rev": "new" } } });
    expect(plan({ ...before, namespaceBegun: true })).toMatchObject({ object: "workload" });
    expect(plan({ ...stand(a), ...since })).toMatchObject({ object: "workload" });
  });

  test("4.3 a write that is in place is not repeated, with the reason", () => {
    const migrating = moved(a, "new", runId);
    const again = planMove(migrating, stand(a).site, { run: runId, target: "new", attempt: 1 });
    expect(again.kind).not.toBe("write");
    expect(plan(stand(migrating))).toEqual({ kind: "none", why: again.kind === "write" ? "" : again.why });
  });
});
