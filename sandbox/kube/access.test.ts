import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { KubeconfigError, openCluster, readServer } from "#libs/kube";

import { openWire, realClock, SHORT } from "./open-wire.ts";

async function createFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "meshroll-kube-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "kubeconfig");
  await writeFile(path, text);
  return path;
}

describe("rights", () => {
  it("an optional collection that is allowed later is read then, and its problem goes away", async () => {
    const wire = await openWire();
    const ref = wire.model.addDeployment({ ns: "shop", name: "web", replicas: 2 });
    wire.model.addPdb({ ns: "shop", name: "web", matchLabels: { app: "web" }, maxUnavailable: 1 });
    const allow = wire.model.faults.forbid("poddisruptionbudgets");
    await wire.start();
    expect(wire.see(ref)).not.toHaveProperty("disruptionsAllowed");
    expect(wire.cluster.problems()).toHaveLength(1);
    allow();
    await wire.until(() => wire.see(ref)?.disruptionsAllowed === 1);
    await wire.until(() => wire.cluster.problems().length === 0);
  });

  it("who may not see the stops does not get started, and it is said why", async () => {
    const wire = await openWire();
    const allow = wire.model.faults.forbid("configmaps");
    let started = false;
    const start = wire.start().then(() => void (started = true));
    await wire.until(() => wire.faults.length >= 2);
    expect(started).toBe(false);
    expect(wire.cluster.problems().join()).toMatch(/cannot read configmaps \(forbidden: .*nothing moves/);
    allow();
    await start;
    expect(wire.cluster.problems()).toEqual([]);
  });
});

describe("credentials", () => {
  it("a token that was replaced in the file: watches and writes go on with the new one", async () => {
    const first = await openWire({ token: "first" });
    const path = await createFile(first.server.kubeconfig());
    const ref = first.model.addDeployment({ ns: "shop", name: "web" });
    const faults: string[] = [];
    let wake = () => undefined as void;
    const cluster = openCluster({
      name: "east",
      kubeconfig: { path },
      clock: realClock,
      timing: SHORT,
      onFault: ({ kind }) => void faults.push(kind),
    });
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    await cluster.start(() => wake(), stop.signal);
    first.server.faults.setToken("second");
    await writeFile(path, first.server.kubeconfig());
    first.server.faults.cutWatches();
    const { resourceVersion = "" } = cluster.view.namespaces.get("shop")?.workloads[0] ?? {};
    const seen = new Promise<void>((resolve) => {
      wake = () => {
        if (cluster.view.namespaces.get("shop")?.workloads[0]?.annotations["meshroll.dev/run"] === "x") resolve();
      };
    });
    const change = { resourceVersion, annotations: { "meshroll.dev/run": "x" } };
    expect(await cluster.patchWorkload(ref, change)).toMatchObject({ kind: "written" });
    await seen;
    expect(faults).not.toEqual([]);
  });

  it("a wrong token is a problem of the cluster, and no verdict on a write", async () => {
    const wire = await openWire({ token: "right" });
    wire.model.addNamespace("shop");
    await wire.start();
    wire.server.faults.setToken("other");
    const outcome = await wire.cluster.patchNamespace("shop", { resourceVersion: "1" });
    expect(outcome).toMatchObject({ kind: "unavailable", why: expect.stringContaining("401") });
    expect(await wire.cluster.probe()).toBe(false);
    wire.server.faults.cutWatches();
    await wire.until(() => wire.cluster.problems().length > 0);
    expect(wire.cluster.problems()[0]).toContain("unauthorized");
  });
});

describe("kubeconfigs", () => {
  it("names the server, so that a sandbox can refuse one that is not local", async () => {
    const wire = await openWire();
    expect(await readServer({ text: wire.server.kubeconfig() })).toBe(wire.server.url);
  });

  it("a context that is not there: the error names those that are", async () => {
    const wire = await openWire();
    const source = { text: wire.server.kubeconfig(), context: "west" };
    await expect(readServer(source)).rejects.toThrow(/has no context west.*it has: sandbox/);
    await expect(readServer(source)).rejects.toBeInstanceOf(KubeconfigError);
  });

  it("a file that is not there: start fails, a write knows nothing", async () => {
    const cluster = openCluster({ name: "east", kubeconfig: { path: "/nonexistent/kubeconfig" }, clock: realClock });
    await expect(cluster.start(() => undefined, new AbortController().signal)).rejects.toThrow(
      /\/nonexistent\/kubeconfig cannot be read/,
    );
    expect(await cluster.patchNamespace("shop", { resourceVersion: "1" })).toMatchObject({ kind: "unavailable" });
    expect(await cluster.probe()).toBe(false);
  });
});
