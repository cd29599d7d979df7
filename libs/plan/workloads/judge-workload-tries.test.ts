import { failed, makeWorkload, moved, runId } from "#test/world/build";
import { workloadStates } from "#test/world/judge-one";
import { describe } from "vitest";

const a = makeWorkload("shop/a");
const mark = { "meshroll.dev/failed": "new ReadinessTimeout 2026-11-19T11:43:00Z" };
const sick = makeWorkload("shop/a", { available: 0, pods: [{ revision: "old", count: 2, ready: 0 }] });
const tried = (target: string) => ({
  ...sick,
  annotations: { "meshroll.dev/run": `${runId} ${target} UnhealthyBefore` },
});
const forgiven = { "one:shop/Deployment/a": 1 };
const leftAsFailed = moved({ ...a, annotations: mark }, "new", runId);

describe("what was tried before", () => {
  workloadStates([
    {
      name: "3.1 that try was for another target: it has one for this",
      workload: tried("newer"),
      want: "pending last",
    },
    { name: "3.3 `retry` gives it another one", workload: tried("new"), retried: forgiven, want: "pending last #2" },
    {
      name: "2.3 a rollback tries what another run tried, and what is not back yet",
      workload: tried("newer"),
      isRollback: true,
      want: "pending",
    },
    {
      name: "2.3 what is back, and as sick as it was, is not tried by a rollback",
      workload: { ...tried("old"), template: makeWorkload("shop/a", {}, "new").template },
      isRollback: true,
      want: "skipped: UnhealthyBefore: unhealthy before and after its one try",
    },
    {
      name: "3.3 what was left as it failed is skipped, though our write stands",
      workload: leftAsFailed,
      want: "skipped (shop/Deployment/a): ReadinessTimeout at 2026-11-19T11:43:00Z",
    },
    {
      name: "3.3 `retry` writes it once more, by another token",
      workload: leftAsFailed,
      retried: forgiven,
      want: "pending #2",
    },
    {
      name: "3.3 a second try that failed is next to a forgiven first one",
      workload: { ...a, annotations: { ...mark, "meshroll.dev/run": `${runId} new #2` } },
      retried: forgiven,
      want: "skipped (shop/Deployment/a): ReadinessTimeout at 2026-11-19T11:43:00Z",
    },
    {
      name: "4.2 tokens go on from the last one that was written",
      workload: { ...a, annotations: { "meshroll.dev/run": `${runId} new #3` } },
      want: "pending #3",
    },
    {
      name: "4.2 and start again for another target",
      workload: { ...a, annotations: { "meshroll.dev/run": `${runId} newer #3` } },
      want: "pending",
    },
    {
      name: "2.3 another run's mark does not keep from a rollback",
      workload: failed(a, "new", "aaaaaaaaaaaa"),
      isRollback: true,
      want: "pending",
    },
    {
      name: "2.3 a rollback's own mark does, and is no failure that counts",
      workload: failed(a, "new", runId),
      isRollback: true,
      want: "skipped: ReadinessTimeout at 2026-11-19T12:00:00Z",
    },
    { name: "2.3 a rollback does not wait for the sick", workload: sick, isRollback: true, want: "pending" },
  ]);
});
