import { decide, type RunRecord, type Spec } from "#libs/plan";
import { makeCluster, makeLedger, makeRun, makeSpec, makeWorkload, makeSnapshot, noon, sha } from "#test/world/build";
import { clusters } from "#test/world/decide-cases";
import { expect, test } from "vitest";

const base = makeSpec(sha("base"), 0);
const sick = { available: 0, pods: [] };

/** The run that main's next commit starts. */
function start(next: Spec, runs: readonly RunRecord[] = []): RunRecord {
  const point = { commit: { sha: next.commit, author: "ben", subject: "raise", at: noon }, spec: next };
  const workloads = [makeWorkload("shop/z", sick), makeWorkload("shop/a", sick), makeWorkload("shop/well")];
  const snapshot = makeSnapshot({
    ledger: makeLedger({ runs: Object.fromEntries(runs.map((run) => [run.id, run])) }),
    specs: new Map([base, next].map((spec) => [spec.commit, spec])),
    main: { head: next.commit, ageMs: 0, contained: true, vanished: [], points: [point] },
    clusters: clusters(makeCluster("one", workloads)),
  });
  const [first] = decide(snapshot);
  const started = first?.kind === "startRun" ? first.change.runs?.[0] : undefined;
  if (started === undefined) throw new Error(JSON.stringify(first));
  return started.run;
}

test("1.1 a run has its commit, the one before, its author, its changes, and the workloads that were unhealthy before", () => {
  const next = makeSpec(sha("next"), 50);
  expect(start(next)).toEqual({
    id: next.commit.slice(0, 12),
    commit: next.commit,
    before: base.commit,
    order: 1,
    startedAt: new Date(noon).toISOString(),
    author: "ben",
    subject: "raise",
    buckets: ["production"],
    changes: [{ pattern: "production", from: '[["old",100]]', to: '[["new",50],["old",50]]', direction: "forward" }],
    clusters: {
      one: {
        openedAt: new Date(noon).toISOString(),
        uid: "kube-system-of-one",
        unhealthyBefore: ["shop/Deployment/a", "shop/Deployment/z"],
      },
    },
    state: "open",
  });
});

test("1.1 another seed is a run of every bucket", () => {
  const run = start(makeSpec(sha("next"), 0, { seed: "2027" }));
  expect([run.reseeded, run.buckets]).toEqual([true, ["production"]]);
});

test("1.3 its order is after every earlier run", () => {
  const run = (id: string, order: number) => makeRun(sha(id), sha("base"), { id, order, state: "done" });
  expect(start(makeSpec(sha("next"), 50), [run("a", 7), run("b", 3)]).order).toBe(8);
});
