import { fakeCluster, type KubeModel } from "#fakes/kube";
import type { WorkloadRef } from "#libs/fleet";
import { type ClusterSnapshot, compileSpec, proposeMoves } from "#libs/plan";
import { describe, expect, test } from "vitest";

import { printPlan } from "../../../cli/show/plans/print-plan.ts";
import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop, running, settingsOf } from "../shop.ts";

const ns = "edge";
const web: WorkloadRef = { namespace: ns, kind: "Deployment", name: "web" };
const gw: WorkloadRef = { namespace: ns, kind: "Deployment", name: "gw" };
const gateway = { annotations: { "inject.istio.io/templates": "gateway" } };

/** Namespace `edge`, whose own label decides, with Deployment `web` and more. */
async function openEdge(more: (model: KubeModel) => void, settings = settingsOf("batchSize: 10")): Promise<FleetFlow> {
  return openShop({
    names: ["a"],
    settings,
    prepare: (model) => {
      model.addNamespace(ns, { labels: { "istio.io/rev": "old" } });
      model.addDeployment({ ns, name: "web", replicas: 2 });
      more(model);
    },
  });
}

const addGateway = (model: KubeModel) => void model.addDeployment({ ns, name: "gw", replicas: 2, ...gateway });

async function waits(flow: FleetFlow) {
  return ((await flow.status())?.waiting ?? []).map(({ code, message }) => `${code} ${JSON.stringify(message)}`);
}

describe("a gateway in a namespace whose label decides", () => {
  test("waits by default with its namespace, by name; others move, and the gateway scales up on the old revision", async () => {
    const flow = await openEdge(addGateway);
    flow.whenMerged(file(100));
    await flow.pass(15 * 60_000);
    expect(running(flow, { namespace: "shop-a", kind: "Deployment", name: "web" })).toEqual(["new"]);
    expect(running(flow, web)).toEqual(["old"]);
    expect((await flow.runs()).map(({ state }) => state)).toEqual(["open"]);
    expect((await waits(flow)).join()).toMatch(/GatewayHeld .*edge.*Deployment\/gw/u);
    const [wait] = ((await flow.status())?.waiting ?? []).filter(({ code }) => code === "GatewayHeld");
    expect(wait).toMatchObject({ owner: expect.stringContaining("gateways"), command: "meshroll explain edge" });
    flow.model("one").ownerApply(gw, { replicas: 3 });
    await flow.pass(60_000);
    expect(running(flow, gw)).toEqual(["old"]);
    await flow.end();
  });

  test("moves with its namespace once meshroll.yml says gateways: move", async () => {
    const flow = await openEdge(addGateway);
    flow.whenMerged(file(100));
    await flow.pass(5 * 60_000);
    flow.whenMerged(file(100), settingsOf("batchSize: 10", "gateways: move\n"));
    await flow.untilRunsEnd(1);
    expect([running(flow, web), running(flow, gw)]).toEqual([["new"], ["new"]]);
    expect((await flow.status())?.skipped?.count).toBe(0);
    await flow.end();
  });
});

const job = { apiVersion: "batch/v1", kind: "Job", name: "report" };

interface Case {
  readonly name: string;
  readonly add: (model: KubeModel) => void;
  /** `Kind/name`. */
  readonly who: string;
  readonly code: string;
}

const touched: readonly Case[] = [
  {
    name: "a Job",
    add: (model) => model.addPod({ ns, name: "report-x", owner: job }),
    who: "Job/report",
    code: "NotRestarted",
  },
  {
    name: "a bare pod",
    add: (model) => model.addPod({ ns, name: "bare" }),
    who: "Pod/bare",
    code: "NotRestarted",
  },
  {
    name: "an Argo Rollout",
    add: (model) =>
      model.addPod({
        ns,
        name: "roll-5d-x",
        labels: { "rollouts-pod-template-hash": "5d" },
        owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "roll-5d" },
      }),
    who: "Rollout/roll",
    code: "NotRestarted",
  },
  {
    name: "a workload that opted out",
    add: (model) => {
      const objectAnnotations = { "meshroll.dev/opt-out": "audited" };
      model.addDeployment({ ns, name: "kept", objectAnnotations });
    },
    who: "Deployment/kept",
    code: "OptedOut",
  },
];

/** Output of `meshroll plan` for a merge that moves everything. */
async function planOf(flow: FleetFlow): Promise<string> {
  const cluster = fakeCluster(flow.model("one"), "one");
  const stop = new AbortController();
  await cluster.start(() => undefined, stop.signal);
  stop.abort();
  const facts = { ...cluster.view.facts(), mode: "act" as const, problems: [] };
  const seen = { name: "one", facts, namespaces: cluster.view.namespaces, ageMs: 0, fresh: true };
  const snapshot: ClusterSnapshot = { ...seen, batch: undefined, batchEndedAt: 0 };
  const [before, after] = [0, 100].map((percent) =>
    compileSpec(`c${percent}`, file(percent), settingsOf("batchSize: 1")),
  );
  if (before?.ok !== true || after?.ok !== true) throw new Error("the files do not parse");
  return printPlan(proposeMoves(before.spec, after.spec, [snapshot], flow.clock.now()), before.spec, after.spec, 1000);
}

describe("pods that a relabel touches and a run does not move", () => {
  test.each(touched)("$name: a risk in the plan, counted in status, and named at the end of the run", async (each) => {
    const { add, who, code } = each;
    const flow = await openEdge(add);
    expect(await planOf(flow)).toMatch(new RegExp(`one edge/${who}.*the label of its namespace changes`, "u"));
    flow.whenMerged(file(100));
    const [run] = await flow.untilRunsEnd(1);
    expect(running(flow, web)).toEqual(["new"]);
    const skipped = run?.outcome?.skipped.map((one) => `${one.workload} ${one.code}`);
    expect(skipped).toEqual([`edge/${who} ${code}`]);
    await flow.pass(60_000);
    const status = await flow.status();
    expect(status?.skipped).toMatchObject({ count: 1, items: [{ workload: `one:edge/${who}`, code, run: run?.id }] });
    await flow.end();
  });

  test("pods that are gone or were created again are not counted any more", async () => {
    const flow = await openEdge((model) => model.addPod({ ns, name: "report-x", owner: job }));
    flow.whenMerged(file(100));
    await flow.untilRunsEnd(1);
    await flow.pass(30_000);
    expect((await flow.status())?.skipped?.count).toBe(1);
    flow.model("one").deletePod(ns, "report-x");
    flow.model("one").addPod({ ns, name: "report-y", owner: job });
    await flow.pass(60_000);
    expect((await flow.status())?.skipped?.count).toBe(0);
    await flow.end();
  });
});
