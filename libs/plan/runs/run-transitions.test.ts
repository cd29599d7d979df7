import { type LedgerState, type RunRecord, evaluateFleet, type Snapshot } from "#libs/plan";
import {
  makeMigrated,
  failed,
  makeCluster,
  makeRun,
  makeStop,
  makeWorkload,
  makeSnapshot,
  runId,
  sha,
} from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { readTransition } from "#test/world/transition";
import { describe, expect, test } from "vitest";

import { closeWave, finishRun, openWave, reopenWave, saveBake } from "./run-transitions.ts";
import { listFailures } from "../index/failed-workloads.ts";
import { countLeft, hasBegun } from "../index/run-view.ts";

const now = "2026-11-19T11:43:00.000Z";
const opened = { openedAt: "2026-11-19T10:00:00.000Z", unhealthyBefore: [] };
const run = makeRun(sha("head"), sha("base"), { clusters: { one: opened, two: opened } });
const ledgerOf = (record: RunRecord, more: Partial<LedgerState> = {}) =>
  openRunLedger({ runs: { [record.id]: record }, ...more });

test("6.1 opened waves have their time, the cluster's UID and the unhealthy workloads; others stay unchanged", () => {
  const sick = makeCluster("three", [makeWorkload("shop/sick", { available: 0 })]);
  const decision = readTransition(
    ledgerOf(run),
    openWave(makeSnapshot(), ledgerOf(run), run, [sick, makeCluster("four", [])]),
  );
  expect(decision.ledger.runs[runId]?.clusters).toEqual({
    one: opened,
    two: opened,
    three: { openedAt: now, uid: "kube-system-of-three", unhealthyBefore: ["shop/Deployment/sick"] },
    four: { openedAt: now, uid: "kube-system-of-four", unhealthyBefore: [] },
  });
  expect(decision).toMatchObject({
    change: { runs: [{ steps: [{ kind: "wavesOpened", clusters: ["three", "four"] }] }] },
    reason: { message: `run ${runId}: wave opened in three, four` },
  });
});

test("6.1 a closed wave has its end, and one that was never open gets none", () => {
  const decision = readTransition(ledgerOf(run), closeWave(makeSnapshot(), ledgerOf(run), run, ["one", "never"]));
  expect(decision.ledger.runs[runId]?.clusters).toEqual({ one: { ...opened, doneAt: now }, two: opened });
  expect(decision.reason.message).toBe(`run ${runId}: nothing is left in one, never`);
});

test("6.1 a wave that gets a workload after its end loses that end; others keep theirs", () => {
  const done = { ...opened, doneAt: now };
  const late = { ...run, clusters: { one: done, two: done, three: opened } };
  const decision = readTransition(ledgerOf(late), reopenWave(makeSnapshot(), ledgerOf(late), late, ["one"]));
  expect(decision.ledger.runs[runId]?.clusters).toEqual({ one: opened, two: done, three: opened });
  expect(decision.reason.message).toBe(`run ${runId}: workloads are left in one again`);
});

describe("6.2 the record of a bake that", () => {
  const hour = 3_600_000;
  const paused = { code: "BakeUnseen", cluster: "one" } as const;
  const bakeOf = (
    step: Parameters<typeof saveBake>[3],
    healthyMs: number,
    change: Partial<RunRecord> = {},
    watch?: object,
  ) => {
    const count = { neededMs: hour, healthyMs, watch: watch as Parameters<typeof saveBake>[4]["watch"] };
    const saving = saveBake(makeSnapshot(), ledgerOf(run), { ...run, ...change }, step, count);
    const decision = readTransition(ledgerOf(run), saving);
    return [decision.ledger.runs[runId]?.bake, decision.reason.message];
  };
  const saved = { beganAt: now, neededMs: hour, healthyMs: 0, savedAt: now };
  const began = { ...saved, beganAt: "2026-11-19T11:00:00.000Z" };

  test.each([
    { name: "begins", got: () => bakeOf("began", 0), want: [saved, `run ${runId}: its bake began, 0 % of 60 minutes`] },
    {
      name: "continues, with its first start",
      got: () => bakeOf("progress", hour / 3, { bake: began }),
      want: [{ ...began, healthyMs: hour / 3 }, `run ${runId}: its bake continues, 33 % of 60 minutes`],
    },
    {
      name: "is interrupted, with the reason",
      got: () => bakeOf("paused", hour / 2, { bake: began }, { healthyMs: 0, paused }),
      want: [
        {
          ...began,
          healthyMs: hour / 2,
          paused: { code: "BakeUnseen", message: "the bake is interrupted: one is not seen" },
        },
        `run ${runId}: its bake is interrupted, 50 % of 60 minutes: the bake is interrupted: one is not seen`,
      ],
    },
    {
      name: "is interrupted, without a reason",
      got: () => bakeOf("paused", 0),
      want: [saved, `run ${runId}: its bake is interrupted, 0 % of 60 minutes: `],
    },
    {
      name: "is over, shown as at most 100 %",
      got: () => bakeOf("over", 2 * hour, {}, { healthyMs: 0, paused }),
      want: [{ ...saved, healthyMs: 2 * hour }, `run ${runId}: its bake is complete, 100 % of 60 minutes`],
    },
  ])("$name", ({ got, want }) => expect(got()).toEqual(want));
});

const migrated = (name: string) => makeMigrated(makeWorkload(name), "new", runId);
const out = makeWorkload("shop/out", { annotations: { "meshroll.dev/opt-out": "no" } });

/** The view of the snapshot's only run. */
function see(snapshot: Snapshot) {
  const head = snapshot.specs.get(sha("head"));
  const view = head && evaluateFleet(snapshot, head).views.find((each) => each.run.id === runId);
  if (view === undefined || snapshot.ledger === undefined) throw new Error("no run is open");
  return { view, ledger: snapshot.ledger };
}

const snapshotOf = (ledger: LedgerState, ...clusters: readonly ReturnType<typeof makeCluster>[]) =>
  makeSnapshot({ ledger, clusters: new Map(clusters.map((each) => [each.name, each])) });
const plainEnd = { left: [], takenOverBy: undefined };

describe("3.2 a run that ends", () => {
  const clusters = [
    makeCluster("one", [migrated("shop/a"), migrated("shop/b"), out]),
    makeCluster("two", [migrated("shop/c"), failed(makeWorkload("shop/f"), "new", runId)]),
    makeCluster("never-opened", [migrated("shop/d"), out]),
  ];
  const snapshot = snapshotOf(ledgerOf(run), ...clusters);

  test("counts migrated workloads and names skipped ones, in its own clusters", () => {
    const { view, ledger } = see(snapshot);
    const decision = readTransition(ledger, finishRun(snapshot, ledger, view, "done", plainEnd));
    expect(decision.kind).toBe("finishRun");
    expect(decision.run).toMatchObject({ state: "done", endedAt: now });
    expect(decision.run.outcome).toEqual({
      migrated: 3,
      skipped: [
        {
          cluster: "one",
          workload: "shop/Deployment/out",
          code: "OptedOut",
          message: "the workload has meshroll.dev/opt-out: no",
        },
        {
          cluster: "two",
          workload: "shop/Deployment/f",
          code: "ReadinessTimeout",
          message: "ReadinessTimeout",
          at: "2026-11-19T12:00:00Z",
          failed: true,
        },
      ],
      seen: ["one", "two"],
    });
    expect(decision.reason.message).toBe(`run ${runId} done: 3 migrated, 2 skipped (1 failed)`);
    expect(decision.ledger.runs[runId]).toEqual(decision.run);
  });

  test("4.3 an excluded cluster has no migrated workload, and does not count as seen", () => {
    const { view, ledger } = see(snapshot);
    const ended = finishRun(snapshot, ledger, view, "done", { left: ["one"], takenOverBy: undefined });
    expect(readTransition(ledger, ended).run.outcome).toMatchObject({ migrated: 1, seen: ["two"] });
  });

  test("names the run that took its workloads over", () => {
    const { view, ledger } = see(snapshot);
    const ended = finishRun(snapshot, ledger, view, "empty", { left: [], takenOverBy: "bbbbbbbbbbbb" });
    const decision = readTransition(ledger, ended);
    expect(decision.run.outcome?.takenOverBy).toBe("bbbbbbbbbbbb");
    expect(decision.reason.message).toBe(
      `run ${runId} superseded by run bbbbbbbbbbbb: 3 migrated, 2 skipped (1 failed)`,
    );
    const plain = readTransition(ledger, finishRun(snapshot, ledger, view, "done", plainEnd));
    expect(plain.run.outcome).toBeDefined();
    expect(plain).not.toHaveProperty("run.outcome.takenOverBy");
  });

  test("counts the parts that later runs took over with what it has now", () => {
    const part = { by: "bbbbbbbbbbbb", migrated: 1, idle: 2, skipped: [], left: 2 };
    const { view, ledger } = see(
      snapshotOf(ledgerOf({ ...run, taken: [part, { ...part, by: "cccccccccccc" }] }), ...clusters),
    );
    const alone = readTransition(ledgerOf(run), finishRun(snapshot, ledgerOf(run), view, "done", plainEnd)).run.outcome;
    const decision = readTransition(ledger, finishRun(snapshot, ledger, view, "done", plainEnd));
    expect(decision.run.outcome).toEqual({ ...alone, migrated: (alone?.migrated ?? 0) + 2, idle: 4, left: 4 });
    expect(decision.run).not.toHaveProperty("taken");
  });

  test("ends the automatic stops for its failures, and names the failures; all others stay", () => {
    const scope = `run/${runId}` as const;
    const stops = {
      f: makeStop({ id: "f", scope, cause: "failures" }),
      g: makeStop({ id: "g", scope, cause: "gate" }),
      p: makeStop({ id: "p", scope }),
      o: makeStop({ id: "o", scope: "run/aaaaaaaaaaaa", cause: "failures" }),
    };
    const stopped = snapshotOf(ledgerOf(run, { stops }), ...clusters);
    const { view, ledger } = see(stopped);
    const after = readTransition(ledger, finishRun(stopped, ledger, view, "done", plainEnd)).ledger.stops;
    const resume = { at: now, who: "meshroll planner", why: `run ${runId} has ended` };
    const failures = ["two:shop/Deployment/f"];
    expect(after).toEqual({ ...stops, f: { ...stops.f, resume, failures }, g: { ...stops.g, resume, failures } });
  });
});

describe("3.1 a run over the fleet", () => {
  const view = see(
    snapshotOf(
      ledgerOf({ ...run, clusters: { two: opened } }),
      makeCluster("one", [makeWorkload("shop/a"), out]),
      makeCluster("two", [failed(makeWorkload("shop/f"), "new", runId), failed(makeWorkload("shop/e"), "new", runId)]),
      makeCluster("empty", []),
    ),
  ).view;

  test("has only clusters with workloads of it, and counts what is left of all", () => {
    expect([...view.clusters.keys()]).toEqual(["one", "two"]);
    expect(countLeft(view)).toEqual({ left: 1, total: 4 });
  });

  test("has begun where a wave is open in one of them", () => {
    expect(hasBegun(view)).toBe(true);
    expect(hasBegun({ ...view, run: { ...run, clusters: { empty: opened } } })).toBe(false);
  });

  test("3.3 counts its failures, sorted, without those that were forgiven", () => {
    const both = ["two:shop/Deployment/e", "two:shop/Deployment/f"];
    expect(listFailures(view, new Set())).toEqual({ workloads: both, objects: both });
    expect(listFailures(view, new Set(both.slice(0, 1))).workloads).toEqual(both.slice(1));
  });

  test("lists the workloads of one namespace in a class", () => {
    const keys = (name: Parameters<NonNullable<ReturnType<typeof view.clusters.get>>["listIn"]>[0], cluster: string) =>
      view.clusters
        .get(cluster)
        ?.listIn(name, "shop")
        .map(({ key }) => key);
    expect(keys("pending", "one")).toEqual(["shop/Deployment/a"]);
    expect(keys("skipped", "one")).toEqual(["shop/Deployment/out"]);
    expect(keys("migrated", "one")).toEqual([]);
  });
});
