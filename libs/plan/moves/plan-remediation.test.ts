import type { ProgressMemory } from "#libs/plan";
import { makeMigrated, makeSpec, makeWorkload, noon, runId, sha } from "#test/world/build";
import {
  a,
  batch,
  late,
  limit,
  reconcile,
  plain,
  relabelled,
  restarted,
  rollingBack,
  stop,
  stuck,
  tell,
  startMemory,
} from "#test/world/remediation";
import { makeExecutorView, type ExecutorViewChange } from "#test/world/executor";
import { describe, expect, test } from "vitest";

import { planRemediation } from "./plan-remediation.ts";

interface Case extends ExecutorViewChange {
  readonly name: string;
  /** Ms between the first reconcile and the one that is judged. */
  readonly later?: number;
  readonly want: readonly string[];
}

describe("remediations", () => {
  const cases: readonly Case[] = [
    {
      name: "4.2 a rolling workload within readinessTimeout is left alone",
      workloads: [stuck],
      later: limit - 1,
      want: [],
    },
    {
      name: "4.6 several failures are handled in one reconcile",
      workloads: [stuck, { ...stuck, name: "b", uid: "uid-b" }],
      later: limit,
      want: ["fail workload shop/Deployment/a", "fail workload shop/Deployment/b"],
    },
    {
      name: "4.6 an undo is allowed under a stop, and with stale control",
      workloads: [stuck],
      later: limit,
      stops: [stop],
      control: "stale",
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "4.5 a failed attempt is repeated while maxAttempts allows it",
      workloads: [stuck],
      later: limit,
      settings: { batch: { ...batch, maxAttempts: 2 } },
      want: ["retry workload shop/Deployment/a"],
    },
    {
      name: "4.3 no further attempt under a stop on all",
      workloads: [stuck],
      later: limit,
      settings: { batch: { ...batch, maxAttempts: 2 } },
      stops: [stop],
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "4.3 no further attempt with stale control",
      workloads: [stuck],
      later: limit,
      settings: { batch: { ...batch, maxAttempts: 2 } },
      control: "stale",
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "3.1 the attempt of a workload that was unhealthy before is undone without a failure annotation",
      workloads: [
        { ...stuck, annotations: { ...stuck.annotations, "meshroll.dev/run": `${runId} new UnhealthyBefore` } },
      ],
      later: limit,
      want: ["undoTry workload shop/Deployment/a"],
    },
    {
      name: "4.6 pods that were injected by another revision fail before readinessTimeout",
      workloads: [{ ...makeMigrated(a, "new", runId), pods: [{ revision: "old", count: 2, ready: 2 }] }],
      later: 5000,
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "5.2 a namespace fails as a whole: it is annotated once, however many of its workloads failed",
      cluster: relabelled({}, [restarted("shop/a"), restarted("shop/b")]),
      later: limit,
      want: ["fail namespace shop"],
    },
    {
      name: "4.6 the next reconcile finishes the undo of a failed namespace, batchSize at a time",
      cluster: relabelled({ "meshroll.dev/failed": "new ReadinessTimeout 2026-11-19T12:00:00Z" }, [
        restarted("shop/a"),
        restarted("shop/b"),
        restarted("shop/c"),
      ]),
      settings: { batch: { ...batch, batchSize: 2 } },
      want: ["finishUndo workload shop/Deployment/a", "finishUndo workload shop/Deployment/b"],
    },
  ];
  test.each(cases)("$name", ({ later = 0, want, ...change }) => {
    const memory = startMemory();
    reconcile(change, memory, 0);
    expect(reconcile(change, memory, later).map(tell)).toEqual(want);
  });
});

test("4.6 annotation and undo are one patch, and the undo restores exactly the changed fields", () => {
  const memory = startMemory();
  reconcile({ workloads: [stuck] }, memory, 0);
  const [remediation] = reconcile({ workloads: [stuck] }, memory, limit);
  expect(remediation?.write.change).toEqual({
    resourceVersion: "11",
    annotations: {
      "meshroll.dev/failed": `new ReadinessTimeout ${new Date(noon + limit).toISOString()}`,
      "meshroll.dev/previous": null,
    },
    template: { labels: { "istio.io/rev": "old" } },
  });
});

test("4.6 `onWorkloadFailure: leave` only writes the annotation", () => {
  const memory = startMemory();
  const change = { workloads: [stuck], settings: { onWorkloadFailure: "leave" as const } };
  reconcile(change, memory, 0);
  const [remediation] = reconcile(change, memory, limit);
  expect([remediation?.reverts, Object.keys(remediation?.write.change.annotations ?? {})]).toEqual([
    false,
    ["meshroll.dev/failed"],
  ]);
});

describe("3.3 the failure annotation, and its run", () => {
  const by = (run: string, more = "") => ({
    ...stuck,
    annotations: { ...stuck.annotations, "meshroll.dev/run": `${run} new${more}` },
  });
  const leave = { settings: { onWorkloadFailure: "leave" as const } };
  const failed = "meshroll.dev/failed";
  const own = { [failed]: expect.stringContaining("new ReadinessTimeout") as string };
  const cases: readonly { readonly name: string; readonly change: ExecutorViewChange; readonly want: object }[] = [
    {
      name: "a rollback's own move is annotated with its run",
      change: { workloads: [stuck], ...rollingBack({}) },
      want: own,
    },
    {
      name: "2.3 a rollback annotates another run's move as its own, and drops the values of before that move",
      change: { workloads: [by("aaaaaaaaaaaa")], ...rollingBack({}) },
      want: { ...own, "meshroll.dev/run": `${runId} new`, "meshroll.dev/previous": null },
    },
    {
      name: "a forward run keeps the annotation of the run that wrote the move",
      change: { workloads: [by("aaaaaaaaaaaa")], ...leave },
      want: own,
    },
    {
      name: "3.1 in a rollback a workload that was unhealthy before fails like any other",
      change: { workloads: [by(runId, " UnhealthyBefore")], ...rollingBack({}) },
      want: own,
    },
  ];
  test.each(cases)("$name", ({ change, want }) => {
    const memory = startMemory();
    reconcile(change, memory, 0);
    const [remediation] = reconcile(change, memory, limit);
    expect([remediation?.kind, remediation?.reverts, remediation?.write.change.annotations]).toEqual([
      "fail",
      false,
      want,
    ]);
  });

  test("a write is reported with the run that moved it, and whether the template is put back with it", () => {
    const memory = startMemory();
    const cluster = relabelled({}, [restarted("shop/a"), makeWorkload("shop/b", { template: plain })]);
    reconcile({ cluster }, memory, 0);
    const [remediation] = reconcile({ cluster }, memory, limit);
    expect([remediation?.run, remediation?.reverts, remediation?.reason]).toEqual([
      runId,
      true,
      { code: "MoveFailed", failure: "ReadinessTimeout", workload: "shop/Deployment/a" },
    ]);
    const taken = reconcile(
      { ...late, cluster: relabelled({}, [makeWorkload("shop/b", { template: plain })]) },
      memory,
      0,
    );
    expect(taken.map(({ kind, run, reverts, reason }) => [kind, run, reverts, reason])).toEqual([
      ["revert", runId, true, { code: "NotDemanded", desired: "old", target: "new" }],
    ]);
  });
});

describe("12.1 watches lag, so only facts that have not changed for a while count", () => {
  const wrong = { ...makeMigrated(a, "new", runId), pods: [{ revision: "old", count: 2, ready: 2 }] };
  const other = { ...wrong, pods: [{ revision: "old", count: 2, ready: 1 }] };
  const cases = [
    { name: "the same pods in both reconciles", second: wrong, want: ["fail workload shop/Deployment/a"] },
    { name: "other pods, though the workload is unchanged", second: other, want: [] },
    { name: "the workload has changed", second: { ...wrong, resourceVersion: "99" }, want: [] },
  ];
  test.each(cases)("$name: $want", ({ second, want }) => {
    const memory = startMemory();
    reconcile({ workloads: [wrong] }, memory, 0);
    reconcile({ workloads: [second] }, memory, 3000);
    expect(reconcile({ workloads: [second] }, memory, 5000).map(tell)).toEqual(want);
    expect(reconcile({ workloads: [second] }, memory, 8000).map(tell)).toEqual(["fail workload shop/Deployment/a"]);
  });
});

test("12.1 a workload that no longer moves is forgotten, so a later move has its full time", () => {
  const memory = startMemory();
  reconcile({ workloads: [stuck] }, memory, 0);
  reconcile({ workloads: [makeMigrated(a, "new", runId)] }, memory, 1000);
  expect(memory.progress.size).toBe(0);
  expect(reconcile({ workloads: [stuck] }, memory, limit)).toEqual([]);
  const again = { ...stuck, annotations: { ...stuck.annotations, "meshroll.dev/run": `${runId} new #2` } };
  expect(reconcile({ workloads: [again] }, memory, 2 * limit)).toEqual([]);
  const scaled = { ...again, replicas: 9, generation: again.generation + 1, observedGeneration: again.generation + 1 };
  expect(reconcile({ workloads: [scaled] }, memory, 3 * limit).map(tell)).toEqual(["fail workload shop/Deployment/a"]);
});

test("the previous progress is not changed, so the same reconcile gives the same result", () => {
  const { snapshot } = makeExecutorView({ workloads: [stuck] });
  const settings = makeSpec(sha("x"), 0).settings;
  const before: ProgressMemory = Object.freeze(new Map());
  const first = planRemediation({ snapshot, settings, now: noon, elapsed: 0, monotonic: 0 }, before);
  expect([...before]).toEqual([]);
  expect(first.progress.size).toBe(1);
  const kept = structuredClone(first.progress);
  const late = { snapshot, settings, now: noon + limit, elapsed: limit, monotonic: limit };
  const twice = [planRemediation(late, first.progress), planRemediation(late, first.progress)];
  expect(twice.map(({ remediations }) => remediations.map(tell))).toEqual([
    ["fail workload shop/Deployment/a"],
    ["fail workload shop/Deployment/a"],
  ]);
  expect(first.progress).toEqual(kept);
});

test("12.1 a system clock that is set forward does not fail a healthy rollout", () => {
  const memory = startMemory();
  const { snapshot } = makeExecutorView({ workloads: [stuck] });
  const settings = makeSpec(sha("x"), 0).settings;
  const at = (now: number, elapsed: number) => {
    const planned = planRemediation({ snapshot, settings, now, elapsed, monotonic: 0 }, memory.progress);
    memory.progress = planned.progress;
    return planned.remediations;
  };
  at(noon, 0);
  expect(at(noon + limit, 1000)).toEqual([]);
  expect(at(noon, limit).map(tell)).toEqual(["fail workload shop/Deployment/a"]);
});

test("12.1 readinessTimeout counts from the last progress, by the services' clock", () => {
  const memory = startMemory();
  const pods = [{ revision: "new", count: 1, ready: 1 }];
  const better = { ...stuck, total: 3, pods, resourceVersion: "12" };
  reconcile({ workloads: [stuck] }, memory, 0);
  reconcile({ workloads: [better] }, memory, limit - 1000);
  expect(reconcile({ workloads: [better] }, memory, limit + 1000)).toEqual([]);
  expect(reconcile({ workloads: [better] }, memory, 2 * limit).map(tell)).toEqual(["fail workload shop/Deployment/a"]);
});
