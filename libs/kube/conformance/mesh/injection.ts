import { expect, it } from "vitest";

import { type Bench, useBench } from "../bench.ts";

const OLD = "1-29-2";
const NEW = "1-31-1";
const imageOf = (revision: string) => `docker.io/istio/proxyv2:${revision.replaceAll("-", ".")}`;
const always = Number.POSITIVE_INFINITY;

/** Dry runs: which sidecar a new pod would get. */
export function describeInjection(make: () => Promise<Bench>): void {
  const bench = useBench(make);
  const see = () => bench.cluster.view.facts().injection;
  const prove = async (labels: readonly string[], maxAgeMs = 0) => bench.cluster.proveInjection(labels, maxAgeMs);
  const start = async () => {
    for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
    bench.ground.addNamespace("meshroll-system");
    await bench.start();
  };

  it("is absent before the first try: an executor that only observes makes none", async () => {
    await start();
    expect(see()).toBeUndefined();
  });

  it("each revision, and each tag by where it points, is proven by the sidecar that comes back; no pod is made", async () => {
    await start();
    bench.ground.addTag("prod", OLD);
    await bench.until(() => bench.cluster.view.facts().tags["prod"] === OLD);
    await prove([OLD, NEW, "prod"]);
    const [old, next] = [OLD, NEW].map((revision) => ({ state: "proven", image: imageOf(revision) }));
    expect(see()).toEqual({ [OLD]: old, [NEW]: next, prod: old });
    expect(bench.ground.writes).toEqual([]);
    expect(bench.cluster.view.namespaces.get("meshroll-system")?.workloads).toEqual([]);
  });

  it("a revision without its webhook is refused: the pod comes back without a sidecar", async () => {
    await start();
    bench.ground.removeWebhook(NEW);
    await prove([NEW]);
    expect(see()).toEqual({
      [NEW]: {
        state: "refused",
        why: `a pod with istio.io/rev: ${NEW} in meshroll-system came back without a sidecar`,
      },
    });
  });

  it("a namespace that decides by its own label is named: the pod comes back with the wrong sidecar", async () => {
    await start();
    bench.ground.ownerPatchNamespace("meshroll-system", { labels: { "istio.io/rev": OLD } });
    await prove([NEW]);
    expect(see()?.[NEW]).toMatchObject({
      state: "refused",
      why: expect.stringContaining(`with the sidecar of ${OLD}`),
    });
  });

  it("an istiod that does not answer its webhook leaves it unknown, in the API server's words", async () => {
    await start();
    bench.ground.setIstiod(NEW, "missing");
    await prove([NEW]);
    expect(see()?.[NEW]).toMatchObject({ state: "unknown", why: expect.stringContaining("failed calling webhook") });
  });

  it("without the right it is unknown, and known as soon as the right is there", async () => {
    await start();
    const allow = bench.ground.faults.forbid("pods");
    await prove([NEW]);
    expect(see()?.[NEW]).toMatchObject({ state: "unknown", why: expect.stringContaining("403") });
    allow();
    await prove([NEW], always);
    expect(see()?.[NEW]).toMatchObject({ state: "proven" });
  });

  it("what was proven is not tried again for as long as the caller says, what was not is", async () => {
    await start();
    await prove([NEW]);
    const fix = bench.ground.faults.failAll(503);
    await prove([NEW], always);
    expect(see()?.[NEW]).toMatchObject({ state: "proven" });
    await prove([NEW]);
    // The last known image is kept.
    expect(see()?.[NEW]).toMatchObject({ state: "unknown", image: imageOf(NEW) });
    fix();
    await prove([NEW], always);
    expect(see()?.[NEW]).toMatchObject({ state: "proven" });
  });

  it("a control plane that main places elsewhere is not looked for here", async () => {
    await start();
    bench.cluster.locateControlPlane({ cluster: "mgmt" });
    const { revisions, controlPlane } = bench.cluster.view.facts();
    expect([controlPlane, revisions.map(({ istiod }) => istiod)]).toEqual([
      { cluster: "mgmt" },
      ["missing", "missing"],
    ]);
    bench.cluster.locateControlPlane({ cluster: bench.cluster.name });
    expect(bench.cluster.view.facts().controlPlane).toBeUndefined();
    expect(bench.cluster.view.facts().revisions.map(({ istiod }) => istiod)).toEqual(["ready", "ready"]);
  });
}
