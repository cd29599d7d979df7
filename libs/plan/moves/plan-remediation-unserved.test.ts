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
    name: "the webhook of before is gone",
    change: { workloads: [stuck] },
    facts: gone,
    later: limit,
    want: stays("RevisionMissing"),
  },
  {
    name: "its istiod is gone, and no dry run came back",
    change: { workloads: [stuck] },
    facts: proofOf({ state: "unknown", why: "the API server answered 500" }, missing),
    later: limit,
    want: stays("IstiodNotReady"),
  },
  {
    name: "a dry run came back with another sidecar",
    change: { workloads: [stuck] },
    facts: proofOf({ state: "refused", why: "without a sidecar" }),
    later: limit,
    want: stays("InjectionRefused"),
  },
  {
    name: "its istiod runs elsewhere, and the dry run came back with its sidecar",
    change: { workloads: [stuck] },
    facts: proofOf({ state: "proven" }, missing),
    later: limit,
    want: back,
  },
  {
    name: "a dry run is only unknown: that holds no undo",
    change: { workloads: [stuck] },
    facts: proofOf({ state: "unknown", why: "it was not tried" }),
    later: limit,
    want: back,
  },
  {
    name: "budgets that may not be read hold no undo",
    change: { workloads: [stuck] },
    facts: { revisions: both, budgetsKnown: false },
    later: limit,
    want: back,
  },
  {
    name: "the try of what was unhealthy before",
    change: { workloads: [sick] },
    facts: gone,
    later: limit,
    want: { writes: ["undoTry workload shop/Deployment/a RevisionMissing"] },
  },
  {
    name: "a namespace whose label decides",
    change: { cluster: relabelled({}, [restarted("shop/a"), restarted("shop/b")]) },
    facts: gone,
    later: limit,
    want: { writes: ["fail namespace shop RevisionMissing"] },
  },
  {
    name: "a namespace that was marked and stays: what was restarted in it is not restarted again",
    change: {
      cluster: relabelled({ "meshroll.dev/failed": `new ReadinessTimeout ${at} RevisionMissing old` }, [
        restarted("shop/a"),
      ]),
    },
    facts: gone,
    want: { held: ["shop/Deployment/a RevisionMissing old"] },
  },
  {
    name: "the same once it is served again: its label goes back, once",
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
    name: "one more try towards what is not served any more is an undo",
    change: { workloads: [stuck], ...tries },
    facts: without("new"),
    later: limit,
    want: back,
  },
  {
    name: "a rollback that fails is not tried again towards what is not served",
    change: { workloads: [stuck], ...rollingBack({ maxAttempts: 2 }) },
    facts: without("new"),
    later: limit,
    want: { writes: ["fail workload shop/Deployment/a"] },
  },
  {
    name: "a late write is reverted only to what is served",
    change: late,
    facts: gone,
    want: { held: ["shop/Deployment/a RevisionMissing old"] },
  },
  {
    name: "and then it is",
    change: late,
    facts: { revisions: both },
    want: { writes: ["revert workload shop/Deployment/a back"] },
  },
  {
    name: "what is owed is held while nothing serves it",
    change: { workloads: [owed(stuck)] },
    facts: gone,
    want: { held: ["shop/Deployment/a RevisionMissing old"] },
  },
  {
    name: "what is owed is put back once it is served",
    change: { workloads: [owed(stuck)] },
    facts: { revisions: both },
    want: { writes: ["finishUndo workload shop/Deployment/a back"] },
  },
  {
    name: "what came up meanwhile stays where it is",
    change: { workloads: [owed(tooLate)] },
    facts: { revisions: both },
    want: { writes: ["recordArrival workload shop/Deployment/a"] },
  },
  {
    name: "what has moved on since the failure is no undo that is owed",
    change: { workloads: [owed(moved(a, "newer", runId, { updated: 1 }))] },
    facts: { revisions: [...both, { name: "newer", ...served }] },
    want: {},
  },
];

describe("no undo leads to a revision that is not served", () => {
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
