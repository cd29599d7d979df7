import type { KubeModel } from "#fakes/kube";
import type { WorkloadRef } from "#libs/fleet";
import { describe, expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop, running, settingsOf } from "../shop.ts";

const ns = "edge";
const web: WorkloadRef = { namespace: ns, kind: "Deployment", name: "web" };
const gw: WorkloadRef = { namespace: ns, kind: "Deployment", name: "gw" };
const gateway = { annotations: { "inject.istio.io/templates": "gateway" } };

/** Namespace `edge`, whose own label decides, with `web` and what else is given. */
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
  return ((await flow.status())?.waitingFor ?? []).map(({ code, message }) => `${code} ${JSON.stringify(message)}`);
}

describe("a gateway in a namespace whose label decides", () => {
  test("is held by default: the namespace waits by name, others move, and the gateway scales up on the old one", async () => {
    const flow = await openEdge(addGateway);
    flow.whenMerged(file(100));
    await flow.pass(15 * 60_000);
    expect(running(flow, { namespace: "shop-a", kind: "Deployment", name: "web" })).toEqual(["new"]);
    expect(running(flow, web)).toEqual(["old"]);
    expect((await flow.runs()).map(({ state }) => state)).toEqual(["open"]);
    expect((await waits(flow)).join()).toMatch(/GatewayHeld .*edge.*Deployment\/gw/u);
    const [wait] = ((await flow.status())?.waitingFor ?? []).filter(({ code }) => code === "GatewayHeld");
    expect(wait).toMatchObject({ owner: expect.stringContaining("gateways"), command: "meshroll explain edge" });
    flow.model("one").ownerApply(gw, { replicas: 3 });
    await flow.pass(60_000);
    expect(running(flow, gw)).toEqual(["old"]);
    await flow.end();
  });

  test("goes with its namespace once meshroll.yml says gateways: move", async () => {
    const flow = await openEdge(addGateway);
    flow.whenMerged(file(100));
    await flow.pass(5 * 60_000);
    flow.whenMerged(file(100), settingsOf("batchSize: 10", "gateways: move\n"));
    await flow.untilRunsEnd(1);
    expect([running(flow, web), running(flow, gw)]).toEqual([["new"], ["new"]]);
    expect((await flow.status())?.skipped?.count).toBe(0);
    await flow.end();
  });

  test("with a label of its own in a namespace without one: it holds nothing, and moves where gateways do", async () => {
    const labels = { "istio.io/rev": "old" };
    const own = { namespace: "shop-a", kind: "Deployment", name: "gw" } as const;
    const add = (model: KubeModel) => void model.addDeployment({ ns: "shop-a", name: "gw", labels, ...gateway });
    const held = await openEdge(add);
    held.whenMerged(file(100));
    await held.untilRunsEnd(1);
    expect([running(held, web), running(held, own)]).toEqual([["new"], ["old"]]);
    await held.end();
    const moved = await openEdge(add, settingsOf("batchSize: 10", "gateways: move\n"));
    moved.whenMerged(file(100));
    await moved.untilRunsEnd(1);
    expect(running(moved, own)).toEqual(["new"]);
    await moved.end();
  });

  test("that istiod deploys itself is held too: istiod rolls it out as soon as the label changes", async () => {
    const template = { "gateway.istio.io/managed": "istio.io-gateway-controller", "sidecar.istio.io/inject": "false" };
    const flow = await openEdge((model) => void model.addDeployment({ ns, name: "gw", labels: template }));
    flow.whenMerged(file(100));
    await flow.pass(10 * 60_000);
    expect(running(flow, web)).toEqual(["old"]);
    expect((await waits(flow)).join()).toContain("GatewayHeld");
    await flow.end();
  });

  test("that came while the namespace moved holds nothing any more", async () => {
    const flow = await openEdge(() => undefined);
    flow.whenMerged(file(100));
    await flow.until("it is relabelled", () => {
      return flow.model("one").writes.some(({ path, verb }) => verb === "patch" && path.endsWith("/namespaces/edge"));
    });
    addGateway(flow.model("one"));
    await flow.untilRunsEnd(1);
    expect(running(flow, web)).toEqual(["new"]);
    await flow.end();
  });
});
