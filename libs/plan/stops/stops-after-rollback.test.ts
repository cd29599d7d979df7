import { type ActiveStop, permitPatch } from "#libs/plan";
import { makeRun, makeWorkload, runId, sha } from "#test/world/build";
import { makeItem, makeJob, makeExecutorView, openRunLedger } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const change = (from: string, to: string, direction: "forward" | "rollback") => [
  { pattern: "production", from, to, direction },
];

describe("whether a stop holds a rollback", () => {
  const stop = (scope: ActiveStop["scope"], more: Partial<ActiveStop> = {}): ActiveStop => ({
    id: "s",
    scope,
    strength: "move",
    who: "ana",
    why: "",
    at: "2026-11-19T12:30:00.000Z",
    from: "ledger",
    ...more,
  });
  const own = `run/${runId}` as const;
  const cases: readonly { readonly name: string; readonly stops: readonly ActiveStop[]; readonly want: string }[] = [
    { name: "2.3 one on all: no", stops: [stop("all")], want: "go" },
    { name: "2.3 one on its cluster: no", stops: [stop("cluster/one")], want: "go" },
    { name: "2.3 one on its run, placed later: yes", stops: [stop(own)], want: "skip Stopped" },
    {
      name: "2.3 one on its run, placed before: no",
      stops: [stop(own, { at: "2026-11-19T11:00:00.000Z" })],
      want: "go",
    },
    { name: "3.3 one for its own failures: no", stops: [stop(own, { cause: "failures" })], want: "go" },
    { name: "2.4 the one of a rollback of its run: no", stops: [stop(own, { revertTo: sha("base") })], want: "go" },
    {
      name: "9.1 one for a cluster with another UID: yes",
      stops: [stop("cluster/one", { cause: "otherCluster" })],
      want: "skip Stopped",
    },
    {
      name: "2.3 one made with kubectl: yes",
      stops: [stop("cluster/one", { id: "kubectl", at: "" })],
      want: "end Stopped",
    },
    {
      name: "2.3 one made with kubectl in another cluster: no",
      stops: [stop("cluster/two", { id: "kubectl" })],
      want: "go",
    },
  ];
  test.each(cases)("$name", ({ stops }) => {
    const run = makeRun(sha("head"), sha("base"), { changes: change("a", "b", "rollback") });
    const workload = makeWorkload("shop/a");
    const ledger = openRunLedger({ runs: { [runId]: run } });
    const { snapshot, judged } = makeExecutorView({ workloads: [workload], ledger, stops });
    const permit = permitPatch(snapshot, makeJob(), makeItem(workload), judged[0]);
    expect(permit.kind === "go" ? "go" : `${permit.kind} ${permit.reason.code}`).toBe(
      cases.find((each) => each.stops === stops)?.want,
    );
  });
});
