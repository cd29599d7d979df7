import type { KubeModel } from "#fakes/kube";
import type { WorkloadRef } from "#libs/fleet";
import { describe, expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop, running, settingsOf } from "../shop.ts";

const minute = 60_000;
const settings = settingsOf("batchSize: 10, readinessTimeout: 5m", "  bake: 3h\n");
const labels = { "istio.io/rev": "old" };
const api: WorkloadRef = { namespace: "shop-a", kind: "Deployment", name: "api" };
const db: WorkloadRef = { namespace: "shop-a", kind: "StatefulSet", name: "db" };
const log: WorkloadRef = { namespace: "shop-a", kind: "DaemonSet", name: "log" };

function addAll(model: KubeModel): void {
  model.addDeployment({ ns: "shop-a", name: "api", replicas: 3, labels });
  model.addStatefulSet({ ns: "shop-a", name: "db", replicas: 3, labels });
  model.addDaemonSet({ ns: "shop-a", name: "log", replicas: 3, labels });
}

/** All workloads moved a quarter of an hour ago, and the run bakes. */
async function openMoved(): Promise<FleetFlow> {
  const flow = await openShop({ names: ["a"], settings, prepare: addAll });
  flow.whenMerged(file(100));
  await flow.until("it bakes", async () => (await flow.runs())[0]?.bake !== undefined);
  return flow.pass(15 * minute);
}

function countFailed(flow: FleetFlow): number {
  return flow.model("one").writes.filter(({ body }) => JSON.stringify(body).includes("meshroll.dev/failed")).length;
}

interface Case {
  readonly name: string;
  /** Happens to a moved workload; resolves when it is over. */
  readonly happens: (flow: FleetFlow, ref: WorkloadRef) => Promise<void>;
}

const happenings: readonly Case[] = [
  {
    name: "it is scaled while no controller runs, for longer than its time limit, and the executor restarts meanwhile",
    happens: async (flow, ref) => {
      const start = flow.model("one").stopControllers();
      flow.model("one").ownerApply(ref, { replicas: 5 });
      await flow.killExecutor();
      flow.startExecutor();
      await flow.pass(12 * minute);
      start();
      await flow.pass(minute);
    },
  },
  {
    name: "pods are lost with their node, and do not come back",
    happens: async (flow, ref) => {
      const repair = flow.model("one").breakWorkload(ref, { how: "neverReady" });
      flow.model("one").deletePods(ref);
      await flow.pass(20 * minute);
      repair();
      await flow.pass(minute);
    },
  },
  {
    name: "an autoscaler scales it to 0 and back",
    happens: async (flow, ref) => {
      for (const replicas of [0, 1, 0, 3]) {
        flow.model("one").ownerApply(ref, { replicas });
        await flow.pass(4 * minute);
      }
    },
  },
];

describe("1 a migrated workload stays migrated, whatever others write to it", () => {
  const cases = happenings.flatMap((each) => [api, db, log].map((ref) => ({ ...each, ref, kind: ref.kind })));
  test.each(cases)("$kind: $name", async ({ ref, happens }) => {
    const flow = await openMoved();
    await happens(flow, ref);
    expect(running(flow, ref)).toEqual(["new"]);
    expect((await flow.runs())[0]).toMatchObject({ state: "open" });
    expect(countFailed(flow)).toBe(0);
    await flow.end();
  });
});

const failing: WorkloadRef = { namespace: "shop-a", kind: "StatefulSet", name: "db" };
const wide: WorkloadRef = { namespace: "shop-a", kind: "Deployment", name: "api" };

/** Time until a workload of ten, whose pods never start on `new`, was put back, ms. */
async function measureFailure(
  ref: WorkloadRef,
  everyMs: number,
  disturb: (model: KubeModel, turn: number) => void,
): Promise<number> {
  const prepare = (model: KubeModel) => {
    const options = { ns: ref.namespace, name: ref.name, replicas: 10, labels };
    if (ref.kind === "StatefulSet") model.addStatefulSet(options);
    else model.addDeployment(options);
    model.breakWorkload(ref, { how: "neverReady", whenRevision: "new" });
  };
  const flow = await openShop({ names: [], settings, prepare });
  flow.whenMerged(file(100));
  const isWritten = () => flow.model("one").templateOf(ref).labels["istio.io/rev"] === "new";
  await flow.until("it is moved", isWritten);
  const began = flow.clock.now();
  for (let turn = 0; isWritten() && turn < 60; turn++) {
    disturb(flow.model("one"), turn);
    for (let left = everyMs; isWritten() && left > 0; left -= 5000) await flow.pass(5000);
  }
  await flow.end();
  return Math.round((flow.clock.now() - began) / 60_000);
}

describe("4 the time limit of a move counts from our write, and only pods that get ready on the target restart it", () => {
  const flaps =
    (...replicas: readonly number[]) =>
    (ref: WorkloadRef) =>
    (model: KubeModel, turn: number) =>
      model.ownerApply(ref, { replicas: replicas[turn % replicas.length] ?? 1 });
  const annotate = (ref: WorkloadRef) => (model: KubeModel, turn: number) =>
    model.ownerApply(ref, { annotations: { "example.com/seen": String(turn) } });
  const deployOnce = (ref: WorkloadRef) => (model: KubeModel, turn: number) => {
    if (turn === 1) model.ownerApply(ref, { image: "registry.example/web:2" });
  };
  const cases = [
    { name: "nothing else is written", everyMs: 4 * minute, disturb: () => () => undefined },
    { name: "an autoscaler scales it up and down every 20 s", everyMs: 20_000, disturb: flaps(12, 10) },
    { name: "an autoscaler scales it to 0 and back every minute", everyMs: minute, disturb: flaps(0, 1) },
    { name: "others annotate it every 10 s", everyMs: 10_000, disturb: annotate },
    { name: "its owner deploys in the middle", everyMs: 10_000, disturb: deployOnce },
  ];
  const both = cases.flatMap((each) => [failing, wide].map((ref) => ({ ...each, ref, kind: ref.kind })));
  test.each(both)("$kind: $name", async ({ ref, everyMs, disturb }) => {
    expect(await measureFailure(ref, everyMs, disturb(ref))).toBeOneOf([5, 6, 7]);
  });
});
