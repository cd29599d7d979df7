import { describe, expect, it } from "vitest";

import type { ReflectorFault } from "#libs/kube";

import { openWire, type Wire } from "./open-wire.ts";

const REF = { namespace: "shop", kind: "Deployment", name: "web" } as const;

async function openStarted(options: Parameters<typeof openWire>[0] = {}): Promise<Wire> {
  const wire = await openWire(options);
  wire.model.addDeployment({ ns: "shop", name: "web" });
  await wire.start();
  return wire;
}

/** The watch is whole again: a change made now is seen. */
async function proveRecovered(wire: Wire, replicas: number): Promise<void> {
  wire.model.ownerApply(REF, { replicas });
  await wire.until(() => wire.see(REF)?.replicas === replicas);
}

function kinds(wire: Wire): ReadonlySet<string> {
  return new Set(wire.faults.map(({ kind }) => kind));
}

describe("C3 a watch that breaks", () => {
  it("cut socket: goes on from the last resourceVersion without a new list", async () => {
    const wire = await openStarted();
    await proveRecovered(wire, 2);
    const urls = wire.spy();
    wire.server.faults.cutWatches();
    wire.model.ownerApply(REF, { replicas: 3 });
    await wire.until(() => wire.see(REF)?.replicas === 3);
    expect(kinds(wire)).toEqual(new Set(["cut"]));
    expect(urls.filter((url) => url.includes("limit="))).toEqual([]);
  });

  it("what was deleted while it was away is gone after the resumption", async () => {
    const wire = await openStarted();
    wire.server.faults.cutWatches();
    wire.model.deleteWorkload(REF);
    await wire.until(() => wire.see(REF) === undefined);
    expect(wire.cluster.view.namespaces.get("shop")?.workloads).toEqual([]);
  });

  it("410 Expired as an event: lists again, and drops what was deleted meanwhile", async () => {
    const wire = await openStarted();
    wire.model.addDeployment({ ns: "shop", name: "doomed" });
    const doomed = { ...REF, name: "doomed" };
    await wire.until(() => wire.see(doomed) !== undefined);
    const allow = wire.server.faults.refuseConnections();
    wire.model.deleteWorkload(doomed);
    wire.model.compactHistory();
    allow();
    await wire.until(() => wire.see(doomed) === undefined);
    expect(kinds(wire)).toContain("expired");
    await proveRecovered(wire, 2);
  });

  it("410 as the answer to a watch: lists again", async () => {
    const wire = await openStarted();
    const isWatch = ({ url }: { readonly url: string }) => url.includes("watch=true") && url.includes("/deployments");
    wire.server.faults.answerNext({ status: 410, when: isWatch });
    const urls = wire.spy();
    wire.server.faults.cutWatches();
    await wire.until(() => kinds(wire).has("expired"));
    await proveRecovered(wire, 2);
    expect(urls.filter((url) => url.includes("/deployments?limit="))).toHaveLength(1);
  });

  it("a line that cannot be read: is counted and everything is listed again", async () => {
    const wire = await openStarted();
    await proveRecovered(wire, 2);
    const urls = wire.spy();
    wire.server.faults.sendBadLine();
    await wire.until(() => wire.faults.some(({ kind, resource }) => kind === "badLine" && resource === "deployments"));
    await proveRecovered(wire, 3);
    expect(urls.filter((url) => url.includes("/deployments?limit="))).toHaveLength(1);
  });

  it("a connection that is open but silent: is given up after the idle time", async () => {
    const wire = await openStarted({ timing: { idleMs: 60 } });
    await proveRecovered(wire, 2);
    wire.server.faults.stallWatches();
    await proveRecovered(wire, 3);
    expect(wire.faults.map(({ why }) => why).join()).toContain("no byte for 60 ms");
  });

  it("a watch that says nothing while it is open: the collection is listed again, for the next watch may be as silent", async () => {
    const wire = await openStarted({ timing: { idleMs: 60 } });
    await proveRecovered(wire, 2);
    const urls = wire.spy();
    // On a busy machine a watch may have been silent before this one.
    const before = wire.faults.length;
    wire.server.faults.stallWatches();
    const isSilent = ({ kind, resource }: ReflectorFault) => kind === "silent" && resource === "deployments";
    await wire.until(() => wire.faults.slice(before).some(isSilent));
    await wire.until(() => urls.some((url) => url.includes("/deployments?limit=")));
    await proveRecovered(wire, 3);
    expect(wire.faults.slice(before).filter(isSilent).length).toBeGreaterThan(0);
  });

  it("a watch that says nothing, and a list that is refused: the view is as old as the watch's last word", async () => {
    const wire = await openStarted({ timing: { idleMs: 200 } });
    await proveRecovered(wire, 2);
    const isList = ({ url }: { readonly url: string }) => url.includes("/deployments?limit=");
    let broken = true;
    wire.server.faults.answerNext({
      status: 503,
      times: Number.POSITIVE_INFINITY,
      when: (each) => broken && isList(each),
    });
    const before = wire.faults.length;
    const isSilent = ({ kind, resource }: ReflectorFault) => kind === "silent" && resource === "deployments";
    wire.server.faults.stallWatches();
    await wire.until(() => wire.faults.slice(before).some(isSilent));
    const givenUpAt = performance.now();
    for (let probe = 0; probe < 5; probe++) expect(await wire.cluster.probe()).toBe(true);
    // The server goes on saying other things: they do not make this collection any younger.
    expect(wire.cluster.view.seenAtMonotonic()).toBeLessThan(givenUpAt - 150);
    broken = false;
    await proveRecovered(wire, 3);
    // The view is as old as its oldest collection, and each of them is listed again in its own time.
    await wire.until(() => wire.cluster.view.seenAtMonotonic() > givenUpAt);
  });

  it("a watch that the server ends in time: goes on, and is no fault", async () => {
    const wire = await openStarted();
    await proveRecovered(wire, 2);
    const urls = wire.spy();
    wire.server.faults.endWatches();
    await proveRecovered(wire, 3);
    expect(wire.faults.filter(({ resource }) => resource === "deployments")).toEqual([]);
    expect(urls.filter((url) => url.includes("/deployments")).every((url) => url.includes("watch=true"))).toBe(true);
  });

  it("an API that is removed while it is watched: its objects are gone, nothing is wrong, and it is asked for slowly", async () => {
    const wire = await openStarted({ timing: { absentRetryMs: 60_000 } });
    const group = wire.model.addWorkloadGroup({ ns: "shop", name: "tills" });
    await wire.until(() => wire.see(group) !== undefined);
    const allow = wire.server.faults.refuseConnections();
    wire.model.serveWorkloadGroups(false);
    wire.model.compactHistory();
    const urls = wire.spy();
    allow();
    await wire.until(() => wire.see(group) === undefined);
    await proveRecovered(wire, 2);
    await wire.until(() => wire.cluster.problems().length === 0);
    expect(urls.filter((url) => url.includes("workloadgroups?limit="))).toHaveLength(1);
    expect(kinds(wire)).not.toContain("unserved");
    expect(wire.cluster.view.seenAtMonotonic()).toBeGreaterThan(performance.now() - 5_000);
  });

  it("a server that refuses every connection for a while: is found again", async () => {
    const wire = await openStarted();
    const allow = wire.server.faults.refuseConnections();
    // One cause, one sentence, for all eight collections.
    await wire.until(() => wire.cluster.problems().join().startsWith("cannot read this cluster (cut: "));
    expect(wire.cluster.problems()).toEqual([expect.stringContaining("nothing moves in this cluster")]);
    wire.model.ownerApply(REF, { replicas: 5 });
    allow();
    await wire.until(() => wire.see(REF)?.replicas === 5);
    await wire.until(() => wire.cluster.problems().length === 0);
  });

  it("one collection that cannot be followed: the view grows old although the server answers", async () => {
    const wire = await openStarted();
    let broken = true;
    const isBroken = ({ url }: { readonly url: string }) => broken && url.includes("/deployments");
    wire.server.faults.answerNext({ status: 503, times: Number.POSITIVE_INFINITY, when: isBroken });
    wire.server.faults.cutWatches();
    await wire.until(() => wire.faults.some(({ resource }) => resource === "deployments"));
    const seen = wire.cluster.view.seenAtMonotonic();
    const { seenAt } = wire.cluster.view.facts();
    for (let probe = 0; probe < 5; probe++) expect(await wire.cluster.probe()).toBe(true);
    expect(wire.cluster.view.seenAtMonotonic()).toBe(seen);
    expect(wire.cluster.view.facts().seenAt).toBe(seenAt);
    broken = false;
    await proveRecovered(wire, 2);
    expect(wire.cluster.view.seenAtMonotonic()).toBeGreaterThan(seen);
  });

  it("a server that ends every watch at once is not asked without a pause", async () => {
    const wire = await openStarted({ timing: { firstRetryMs: 10, longestRetryMs: 10 } });
    wire.server.faults.answerNext({
      status: 200,
      times: Number.POSITIVE_INFINITY,
      when: ({ url }) => url.includes("/deployments") && url.includes("watch=true"),
    });
    const urls = wire.spy();
    const began = performance.now();
    wire.server.faults.cutWatches();
    await wire.until(() => wire.faults.filter(({ resource }) => resource === "deployments").length === 10);
    expect(performance.now() - began).toBeGreaterThan(80);
    expect(urls.length).toBeGreaterThan(0);
  });
});

describe("C4 a server that has too much to do", () => {
  it("429 with Retry-After on a list: waits as long as it asks, then reads on", async () => {
    const wire = await openWire();
    wire.model.addDeployment({ ns: "shop", name: "web" });
    wire.server.faults.answerNext({ status: 429, times: 3, retryAfterSeconds: 0.05 });
    const began = performance.now();
    await wire.start();
    expect(performance.now() - began).toBeGreaterThan(45);
    expect(wire.faults.map(({ kind, retryAfterMs }) => `${kind} ${retryAfterMs ?? ""}`)).toEqual(
      Array.from({ length: 3 }, () => "throttled 50"),
    );
    await proveRecovered(wire, 2);
  });
});

describe("C5 long lists", () => {
  it("reads them page by page, compressed, and every object once", async () => {
    const wire = await openWire();
    for (let index = 0; index < 1_200; index++) wire.model.addDeployment({ ns: `n${index % 7}`, name: `w${index}` });
    const urls = wire.spy();
    await wire.start();
    const sizes = [...wire.cluster.view.namespaces.values()].map(({ workloads }) => workloads.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_200);
    expect(urls.filter((url) => url.startsWith("/apis/apps/v1/deployments?limit=500"))).toHaveLength(3);
  });

  it("a continue token that expired: begins the list again and ends complete", async () => {
    const wire = await openWire();
    for (let index = 0; index < 1_200; index++) wire.model.addDeployment({ ns: "shop", name: `w${index}` });
    const isSecondPage = ({ url }: { readonly url: string }) => {
      if (!url.includes("/deployments") || !url.includes("continue=")) return false;
      wire.server.faults.expireContinue();
      return true;
    };
    wire.server.faults.answerNext({ status: 410, when: isSecondPage });
    await wire.start();
    expect(kinds(wire)).toContain("expired");
    expect(wire.cluster.view.namespaces.get("shop")?.workloads).toHaveLength(1_200);
  });
});
