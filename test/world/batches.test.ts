import type { BatchFacts, Snapshot } from "#libs/plan";
import { describe } from "vitest";

import { makeCluster, makeLedger, makeRun, makeStop, makeSnapshot, moved, noon, runId, sha } from "./build.ts";
import { a, b, batchOf, c, clusters, runCases } from "./decide-cases.ts";

const opened = { openedAt: "", unhealthyBefore: [] };

/** A run in two clusters; the second cluster's queue has this batch. */
function makeTwo(batch: BatchFacts): Snapshot {
  const run = makeRun(sha("head"), sha("base"), { clusters: { one: opened, two: opened } });
  return makeSnapshot({
    ledger: makeLedger({ main: sha("head"), judged: sha("head"), runs: { [runId]: run } }),
    clusters: clusters(makeCluster("one", [a]), makeCluster("two", [a], { batch })),
  });
}

describe("batches", () => {
  const window = { settings: { ...batchOf(2).settings, strategy: "Window" as const } };
  runCases({
    "4.1 one batch per cluster, of at most batchSize": {
      snapshot: makeSnapshot({ ...batchOf(2), clusters: clusters(makeCluster("one", [a, b, c])) }),
      want: ["handOut one shop/a shop/b"],
    },
    "4.1 no second batch while one is in hand": {
      snapshot: makeSnapshot({
        clusters: clusters(makeCluster("one", [a, b], { batch: { run: runId, state: "active" } })),
      }),
      want: ["wait BatchInHand"],
    },
    "4.1 a job that failed for good becomes a stop on its cluster": {
      snapshot: makeSnapshot({
        clusters: clusters(
          makeCluster("one", [a], {
            batch: { run: runId, state: "failed", reason: "forbidden" },
          }),
        ),
      }),
      want: ["placeStop cluster/one jobFailed"],
    },
    "4.1 after its stop is recorded the failed job leaves the queue": {
      snapshot: makeSnapshot({
        ledger: makeLedger({
          main: sha("head"),
          judged: sha("head"),
          runs: { [runId]: makeRun(sha("head"), sha("base")) },
          stops: { "job-one-1": makeStop({ id: "job-one-1", scope: "cluster/one", cause: "jobFailed" }) },
        }),
        clusters: clusters(makeCluster("one", [a], { batch: { run: runId, state: "failed" } })),
      }),
      want: ["dropBatch one", "wait BatchInHand"],
    },
    "4.1 a foreign job that stays in its queue blocks no other cluster": {
      snapshot: makeTwo({ run: "unknown", state: "foreign" }),
      want: ["dropBatch two", "handOut one shop/a", "wait BatchInHand"],
    },
    "4.1 a queue that cannot be read gets no batch, and the others do": {
      snapshot: makeTwo({ run: "unknown", state: "unread" }),
      want: ["handOut one shop/a", "wait QueueDown"],
    },
    "4.2 Batched waits until everything of the batch has settled": {
      snapshot: makeSnapshot({ ...batchOf(3), clusters: clusters(makeCluster("one", [moved(a, "new", runId), b])) }),
      want: ["wait BatchSettling"],
    },
    "4.2 Batched waits for the delay between batches": {
      snapshot: makeSnapshot({ clusters: clusters(makeCluster("one", [a], { batchEndedAt: noon - 29_000 })) }),
      want: ["wait DelayBetweenBatches"],
    },
    "4.2 Window fills what is free, without a delay": {
      snapshot: makeSnapshot({
        ...window,
        clusters: clusters(makeCluster("one", [moved(a, "new", runId), b, c], { batchEndedAt: noon })),
      }),
      want: ["handOut one shop/b"],
    },
    "4.2 Window waits while batchSize workloads roll": {
      snapshot: makeSnapshot({
        ...window,
        clusters: clusters(makeCluster("one", [moved(a, "new", runId), moved(b, "new", runId), c])),
      }),
      want: ["wait BatchFull"],
    },
    "4.5 no batch while the target's webhook is missing": {
      snapshot: makeSnapshot({
        clusters: clusters(
          makeCluster("one", [a], { facts: { revisions: [{ name: "old", webhook: true, istiod: "ready" }] } }),
        ),
      }),
      want: ["wait RevisionMissing"],
    },
    "4.5 no batch while the target's istiod is not ready": {
      snapshot: makeSnapshot({
        clusters: clusters(
          makeCluster("one", [a], { facts: { revisions: [{ name: "new", webhook: true, istiod: "unready" }] } }),
        ),
      }),
      want: ["wait IstiodNotReady"],
    },
    "9.1 no batch for a cluster whose inventory is stale; others continue": {
      snapshot: makeSnapshot({
        clusters: clusters(makeCluster("one", [a], { fresh: false, ageMs: 61_000 }), makeCluster("two", [b])),
        ledger: makeLedger({
          main: sha("head"),
          judged: sha("head"),
          runs: {
            [runId]: makeRun(sha("head"), sha("base"), {
              clusters: { one: opened, two: opened },
            }),
          },
        }),
      }),
      want: ["wait ClusterUnreachable", "handOut two shop/b"],
    },
    "9.1 a cluster that is only observed gets no batch": {
      snapshot: makeSnapshot({ clusters: clusters(makeCluster("one", [a], { facts: { mode: "observe" } })) }),
      want: ["wait ObserveOnly"],
    },
    "12.1 main that was read more than ten minutes ago starts nothing": {
      snapshot: makeSnapshot({
        main: { head: sha("head"), ageMs: 601_000, contained: true, vanished: [], points: [] },
        clusters: clusters(makeCluster("one", [a])),
      }),
      want: ["wait GitDown"],
    },
    "without Redis nothing new starts": {
      snapshot: makeSnapshot({ queueUp: false, clusters: clusters(makeCluster("one", [a])) }),
      want: ["wait QueueDown"],
    },
    "with a full Redis nothing new starts, and the wait names it": {
      snapshot: makeSnapshot({
        queueTrouble: { code: "QueueFull", message: "Redis is full", help: "more memory" },
        clusters: clusters(makeCluster("one", [a])),
      }),
      want: ["wait QueueFull"],
    },
  });
});
