import { decide } from "#libs/plan";
import { describe, expect, test } from "vitest";

import {
  makeMigrated,
  failed,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeStop,
  makeWorkload,
  makeSnapshot,
  noon,
  runId,
  sha,
} from "./build.ts";
import { a, b, batchOf, clusters, runCases } from "./decide-cases.ts";

describe("what is left", () => {
  const paused = makeWorkload("shop/p", { paused: true });
  const sick = makeWorkload("shop/sick", { available: 0, pods: [{ revision: "old", count: 2, ready: 0 }] });
  const guarded = makeWorkload("shop/g", { disruptionsAllowed: 0 });
  const waitedFor = new Map([["one:shop/Deployment/p", noon - 300_000]]);
  runCases({
    "3.1 a workload whose owner paused it waits": {
      snapshot: makeSnapshot({ clusters: clusters(makeCluster("one", [paused])) }),
      want: ["wait PausedByOwner"],
    },
    "3.1 after readinessTimeout it is skipped and the run is done": {
      snapshot: makeSnapshot({ clusters: clusters(makeCluster("one", [paused])), waitingSince: waitedFor }),
      want: ["finishRun done"],
    },
    "3.1 a workload whose budget allows nothing waits": {
      snapshot: makeSnapshot({ clusters: clusters(makeCluster("one", [guarded])) }),
      want: ["wait BudgetAllowsNothing"],
    },
    "3.1 a workload unhealthy before the run is tried at the end": {
      snapshot: makeSnapshot({ ...batchOf(5), clusters: clusters(makeCluster("one", [sick, a])) }),
      want: ["handOut one shop/a"],
    },
    "3.1 a workload unhealthy before the run gets one attempt at the end": {
      snapshot: makeSnapshot({
        ...batchOf(5),
        clusters: clusters(makeCluster("one", [sick, makeMigrated(a, "new", runId)])),
      }),
      want: ["handOut one shop/sick"],
    },
    "3.2 a run is done when nothing is moving, due or waiting": {
      snapshot: makeSnapshot({ clusters: clusters(makeCluster("one", [makeMigrated(a, "new", runId)])) }),
      want: ["finishRun done"],
    },
    "3.2 a run is not done while one of its clusters is unreachable": {
      snapshot: makeSnapshot({
        clusters: clusters(makeCluster("one", [makeMigrated(a, "new", runId)], { fresh: false })),
      }),
      want: ["wait ClusterUnreachable"],
    },
    "3.2 a stop never ends a run": {
      snapshot: makeSnapshot({
        ledger: makeLedger({
          main: sha("head"),
          judged: sha("head"),
          runs: { [runId]: makeRun(sha("head"), sha("base")) },
          stops: { s: makeStop({ id: "s", scope: "all" }) },
        }),
        clusters: clusters(makeCluster("one", [a])),
      }),
      want: ["wait Stopped"],
    },
    "3.3 FailFast stops the run at its first failure": {
      snapshot: makeSnapshot({ clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])) }),
      want: [`placeStop run/${runId} failures`],
    },
    "3.3 ContinueOnError continues after a failure": {
      snapshot: makeSnapshot({
        settings: { batch: { ...makeSpec(sha("x"), 0).settings.batch, failurePolicy: "ContinueOnError" } },
        clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])),
      }),
      want: ["handOut one shop/b"],
    },
    "3.3 failures of another run do not count": {
      snapshot: makeSnapshot({ clusters: clusters(makeCluster("one", [failed(a, "new", "aaaaaaaaaaaa"), b])) }),
      want: ["handOut one shop/b"],
    },
    "3.3 maxUnavailable counts what became unavailable since the run began": {
      snapshot: makeSnapshot({
        settings: { batch: { ...makeSpec(sha("x"), 0).settings.batch, batchSize: 5, maxUnavailable: 1 } },
        clusters: clusters(makeCluster("one", [sick, a])),
      }),
      want: ["wait MaxUnavailable"],
    },
    "3.4 a workload with 0 replicas is only labelled": {
      snapshot: makeSnapshot({ clusters: clusters(makeCluster("one", [makeWorkload("shop/z", { replicas: 0 })])) }),
      want: ["handOut one shop/z"],
    },
    "5.2 one namespace at a time where the namespace's label decides": {
      snapshot: makeSnapshot({
        ...batchOf(5),
        clusters: clusters(
          makeCluster(
            "one",
            ["x/a", "x/b", "y/c"].map((name) =>
              makeWorkload(name, { template: { labels: {}, annotations: {}, hostNetwork: false } }),
            ),
            {},
            { "istio.io/rev": "old" },
          ),
        ),
      }),
      want: ["handOut one x/a x/b"],
    },
    "5.3 a tag's workloads wait until its owner moves it": {
      snapshot: makeSnapshot({
        clusters: clusters(
          makeCluster(
            "one",
            [
              makeWorkload("shop/t", {
                template: { labels: { "istio.io/rev": "stable" }, annotations: {}, hostNetwork: false },
              }),
            ],
            { facts: { tags: { stable: "old" } } },
          ),
        ),
      }),
      want: ["wait TagNotMoved"],
    },
    "5.3 a tag's workloads are restarted once it points to the target": {
      snapshot: makeSnapshot({
        clusters: clusters(
          makeCluster(
            "one",
            [
              makeWorkload("shop/t", {
                template: { labels: { "istio.io/rev": "stable" }, annotations: {}, hostNetwork: false },
              }),
            ],
            { facts: { tags: { stable: "new" } } },
          ),
        ),
      }),
      want: ["handOut one shop/t"],
    },
  });
});

test("3.2 the outcome of a run covers only its own clusters that were seen", () => {
  const mine = makeCluster("one", [makeMigrated(a, "new", runId)]);
  const stale = makeCluster("gone", [makeMigrated(b, "new", runId)], { fresh: false, ageMs: 600_000 });

  const [ended] = decide(makeSnapshot({ clusters: clusters(mine, stale) }));

  expect(ended).toMatchObject({
    kind: "finishRun",
    change: { runs: [{ run: { outcome: { migrated: 1, skipped: [], seen: ["one"] } } }] },
  });
});
