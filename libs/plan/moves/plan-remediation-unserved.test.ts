import type { ClusterFacts } from "#libs/fleet";
import { moved, makeCluster, makeSpec, noon, runId, sha } from "#test/world/build";
import { type ExecutorViewChange, makeExecutorView } from "#test/world/executor";
import {
  a,
  batch,
  late,
  limit,
  relabelled,
  restarted,
  rollingBack,
  startMemory,
  stuck,
  tell,
  tooLate,
} from "#test/world/remediation";
import { describe, expect, test } from "vitest";

import { planRemediation } from "./plan-remediation.ts";

const served = { webhook: true, istiod: "ready" } as const;
const at = "2026-11-19T12:00:00.000Z";

type Facts = Partial<ClusterFacts>;

/** Only `new` is served. */
const gone: Facts = { revisions: [{ name: "new", ...served }] };
const both = [
  { name: "old", ...served },
  { name: "new", ...served },
];
const without = (name: string): Facts => ({ revisions: both.filter((each) => each.name !== name) });
const missing: Facts = {
  revisions: [
    { name: "new", ...served },
    { name: "old", webhook: true, istiod: "missing" },
  ],
};
const proofOf = (old: NonNullable<ClusterFacts["injection"]>[string], facts: Facts = { revisions: both }): Facts => ({
  ...facts,
  injection: { new: { state: "proven" }, old },
});

/** The writes of a reconcile this long after another one, with their annotations, and the undos that wait. */
function plan(change: ExecutorViewChange, facts: Facts, later = 0) {
  const { cluster = makeCluster("one", change.workloads ?? []), ...rest } = change;
  const memory = startMemory();
  const reconcile = (after: number) => {
    const seen = { ...cluster, facts: { ...cluster.facts, ...facts } };
    const { snapshot } = makeExecutorView({ ...rest, cluster: seen, now: noon + after });
    const settings = snapshot.head?.settings ?? makeSpec(sha("x"), 0).settings;
    const planned = planRemediation({ snapshot, settings, now: noon + after, monotonic: after }, memory.progress);
    memory.progress = planned.progress;
    return planned;
  };
  reconcile(0);
  const { remediations, held } = reconcile(later);
  return {
    writes: remediations.map((each) =>
      `${tell(each)}${each.reverts ? " back" : ""} ${each.obstacle?.code ?? ""}`.trim(),
    ),
    marks: remediations.map(({ write }) => write.change.annotations?.["meshroll.dev/failed"]),
    held: held.map(({ key, obstacle }) => `${key} ${obstacle.code} ${obstacle.revision}`),
  };
}

const sick = { ...stuck, annotations: { ...stuck.annotations, "meshroll.dev/run": `${runId} new UnhealthyBefore` } };

/** A failure that was annotated while `old` was not served. */
function owed(workload: typeof a, mark = `new ReadinessTimeout ${at} RevisionMissing old`): typeof a {
  return { ...workload, annotations: { ...workload.annotations, "meshroll.dev/failed": mark } };
}

interface Case {
  readonly name: string;
  readonly change: ExecutorViewChange;
  readonly facts: Facts;
  readonly later?: number;
  readonly want: { readonly writes?: readonly string[]; readonly held?: readonly string[] };
}

const stays = (code: string) => ({ writes: [`fail workload shop/Deployment/a ${code}`] });
const back = { writes: ["fail workload shop/Deployment/a back"] };
const tries = { settings: { batch: { ...batch, maxAttempts: 2 } } };

const cases: readonly Case[] = [
  {
    name: "the webhook of the old revision is gone: no undo",
    change: { workloads: [stuck] },
    facts: gone,
    later: limit,
    want: stays("RevisionMissing"),
  },
  {
    name: "its istiod is gone, and there is no result of a dry run: no undo",
    change: { workloads: [stuck] },
    facts: proofOf({ state: "unknown", why: "the API server answered 500" }, missing),
    later: limit,
    want: stays("IstiodNotReady"),
  },
  {
    name: "the dry run came back without its sidecar: no undo",
    change: { workloads: [stuck] },
    facts: proofOf({ state: "refused", why: "without a sidecar" }),
    later: limit,
    want: stays("InjectionRefused"),
  },
  {
    name: "its istiod runs elsewhere, and the dry run came back with its sidecar: undo",
    change: { workloads: [stuck] },
    facts: proofOf({ state: "proven" }, missing),
    later: limit,
    want: back,
  },
  {
    name: "the dry run has no result, and its istiod is ready: undo",
    change: { workloads: [stuck] },
    facts: proofOf({ state: "unknown", why: "it was not tried" }),
    later: limit,
    want: back,
  },
  {
    name: "the executor may not read budgets: undo",
    change: { workloads: [stuck] },
    facts: { revisions: both, budgetsKnown: false },
    later: limit,
    want: back,
  },
  {
    name: "a workload that was unhealthy before: no undo",
    change: { workloads: [sick] },
    facts: gone,
    later: limit,
    want: { writes: ["undoTry workload shop/Deployment/a RevisionMissing"] },
  },
  {
    name: "a namespace whose label decides: no undo",
    change: { cluster: relabelled({}, [restarted("shop/a"), restarted("shop/b")]) },
    facts: gone,
    later: limit,
    want: { writes: ["fail namespace shop RevisionMissing"] },
  },
  {
    name: "a failed namespace whose old revision is not served: its workloads are not restarted again",
    change: {
      cluster: relabelled({ "meshroll.dev/failed": `new ReadinessTimeout ${at} RevisionMissing old` }, [
        restarted("shop/a"),
      ]),
    },
    facts: gone,
    want: { held: ["shop/Deployment/a RevisionMissing old"] },
  },
  {
    name: "a failed namespace whose old revision is served again: its label is put back, once",
    change: {
      cluster: relabelled({ "meshroll.dev/failed": `new ReadinessTimeout ${at} RevisionMissing old` }, [
        restarted("shop/a"),
        restarted("shop/b"),
      ]),
    },
    facts: { revisions: both },
    want: { writes: ["finishUndo namespace shop back"] },
  },
  {
    name: "the new revision is not served any more: undo instead of another attempt",
    change: { workloads: [stuck], ...tries },
    facts: without("new"),
    later: limit,
    want: back,
  },
  {
    name: "the revision of a failed rollback is not served: no other attempt",
    change: { workloads: [stuck], ...rollingBack({ maxAttempts: 2 }) },
    facts: without("new"),
    later: limit,
    want: { writes: ["fail workload shop/Deployment/a"] },
  },
  {
    name: "a late write is not reverted while the old revision is not served",
    change: late,
    facts: gone,
    want: { held: ["shop/Deployment/a RevisionMissing old"] },
  },
  {
    name: "a late write is reverted when the old revision is served",
    change: late,
    facts: { revisions: both },
    want: { writes: ["revert workload shop/Deployment/a back"] },
  },
  {
    name: "a delayed undo is held while the old revision is not served",
    change: { workloads: [owed(stuck)] },
    facts: gone,
    want: { held: ["shop/Deployment/a RevisionMissing old"] },
  },
  {
    name: "a delayed undo is written when the old revision is served again",
    change: { workloads: [owed(stuck)] },
    facts: { revisions: both },
    want: { writes: ["finishUndo workload shop/Deployment/a back"] },
  },
  {
    name: "a workload that became ready meanwhile stays where it is",
    change: { workloads: [owed(tooLate)] },
    facts: { revisions: both },
    want: { writes: ["recordArrival workload shop/Deployment/a"] },
  },
  {
    name: "a workload that moved on since its failure gets no delayed undo",
    change: { workloads: [owed(moved(a, "newer", runId, { updated: 1 }))] },
    facts: { revisions: [...both, { name: "newer", ...served }] },
    want: {},
  },
];

describe("no undo goes to a revision that is not served", () => {
  test.each(cases)("$name", ({ change, facts, later, want }) => {
    const { writes, held } = plan(change, facts, later);
    expect({ writes, held }).toEqual({ writes: want.writes ?? [], held: want.held ?? [] });
  });

  test("the annotation keeps the failure, its time, and the revision that the undo waits for", () => {
    const failedAt = new Date(noon + limit).toISOString();
    expect(plan({ workloads: [stuck] }, gone, limit).marks).toEqual([
      `new ReadinessTimeout ${failedAt} RevisionMissing old`,
    ]);
    expect(plan({ workloads: [owed(stuck)] }, { revisions: both }).marks).toEqual([`new ReadinessTimeout ${at}`]);
  });

  test("the annotation of a workload that was unhealthy before is removed with its undo", () => {
    expect(plan({ workloads: [owed(sick)] }, { revisions: both }).marks).toEqual([null]);
  });

  test("undos that waited are written batchSize at a time", () => {
    const many = ["a", "b", "c"].map((name) => owed({ ...stuck, name, uid: `uid-${name}` }));
    const { writes } = plan({ workloads: many, settings: { batch: { ...batch, batchSize: 2 } } }, { revisions: both });
    expect(writes).toHaveLength(2);
  });
});
