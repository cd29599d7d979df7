import { expect, it } from "vitest";

import { type Bench, useBench } from "../bench.ts";

const OLD = "1-29-2";
const NEW = "1-31-1";

/** What the view shows of the istiods' answers. */
export function describeIstiods(make: () => Promise<Bench>): void {
  const bench = useBench(make);
  const facts = (name: string) => bench.cluster.view.facts().revisions.find((each) => each.name === name);
  const shop = (name: string, revision: string, replicas: number) =>
    bench.ground.addDeployment({ ns: "shop", name, replicas, labels: { "istio.io/rev": revision } });

  it("an istiod that was not queried yet is unknown, and so absent", async () => {
    bench.ground.addIstiod(OLD);
    await bench.start();
    expect(facts(OLD)).toEqual({ name: OLD, webhook: true, istiod: "ready" });
  });

  it("shows each revision's version and its proxies, over all its replicas", async () => {
    bench.ground.addIstiod(OLD);
    bench.ground.addIstiod(NEW, { replicas: 3, version: "1.31.1-beta.2" });
    shop("web", OLD, 2);
    shop("api", NEW, 7);
    await bench.start();
    await bench.cluster.readIstiods();
    expect(facts(OLD)).toMatchObject({ version: "1.29.2", proxies: { connected: 2, synced: 2 } });
    expect(facts(NEW)).toMatchObject({ version: "1.31.1-beta.2", proxies: { connected: 7, synced: 7 } });
    expect(bench.cluster.problems()).toEqual([]);
  });

  it("proxies that have just started are connected and not in sync, for a moment", async () => {
    for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
    const ref = shop("web", OLD, 2);
    await bench.start();
    bench.ground.ownerApply(ref, { templateLabels: { "istio.io/rev": NEW } });
    bench.advance(500);
    await bench.until(() => bench.see(ref)?.pods.some(({ revision }) => revision === NEW) === true);
    await bench.cluster.readIstiods();
    expect(facts(NEW)?.proxies).toEqual({ connected: 1, synced: 0, byNamespace: { shop: [1, 0] } });
    bench.advance(60_000);
    await bench.until(() => bench.see(ref)?.pods.every(({ revision }) => revision === NEW) === true);
    await bench.cluster.readIstiods();
    expect([facts(NEW)?.proxies, facts(OLD)?.proxies]).toEqual([
      { connected: 2, synced: 2, byNamespace: { shop: [2, 2] } },
      { connected: 0, synced: 0, byNamespace: {} },
    ]);
  });

  it("a proxy that refuses its configuration is not in sync, though its pod is ready, and is told with its words", async () => {
    bench.ground.addIstiod(OLD);
    const ref = shop("web", OLD, 3);
    shop("api", OLD, 2);
    const fix = bench.ground.breakWorkload(ref, { how: "nack" });
    await bench.start();
    await bench.cluster.readIstiods();
    expect(facts(OLD)?.proxies).toMatchObject({
      connected: 5,
      synced: 2,
      refused: 3,
      byNamespace: { shop: [5, 2, 3] },
    });
    const [first] = facts(OLD)?.proxies?.refusals ?? [];
    expect(first).toMatchObject({
      proxy: expect.stringMatching(/^web-.*\.shop$/),
      type: "Listener",
      why: "Didn't find a registered implementation for 'istio.metadata_exchange'",
    });
    fix();
    await bench.cluster.readIstiods();
    expect(facts(OLD)?.proxies).toEqual({ connected: 5, synced: 5, byNamespace: { shop: [5, 5] } });
  });

  it("reports changes, and nothing where nothing changed", async () => {
    bench.ground.addIstiod(OLD);
    shop("web", OLD, 2);
    await bench.start();
    const count = () => bench.changes.filter((name) => name === undefined).length;
    const before = count();
    await bench.cluster.readIstiods();
    await bench.until(() => count() > before);
    const after = count();
    await bench.cluster.readIstiods();
    await bench.cluster.readIstiods();
    // Reports come in order, so another change shows that the previous one was not reported again.
    bench.ground.addTag("prod", OLD);
    await bench.until(() => bench.cluster.view.facts().tags["prod"] === OLD && count() > after);
    expect(count()).toBe(after + 1);
  });

  it("an istiod that is not ready any more says nothing: what it said is forgotten", async () => {
    bench.ground.addIstiod(OLD);
    await bench.start();
    await bench.cluster.readIstiods();
    expect(facts(OLD)?.version).toBe("1.29.2");
    bench.ground.setIstiod(OLD, "unready");
    bench.advance(1_000);
    await bench.until(() => facts(OLD)?.istiod === "unready");
    expect(facts(OLD)).toEqual({ name: OLD, webhook: true, istiod: "unready" });
    await bench.cluster.readIstiods();
    expect(bench.cluster.problems()).toEqual([]);
  });

  const rights = [
    { right: "pods/portforward", check: "pods --subresource=portforward -n istio-system" },
    { right: "serviceaccounts/token", check: "serviceaccounts/meshroll-istiod --subresource=token -n istio-system" },
  ] as const;
  it.each(rights)(
    "without $right: all unknown, one problem with the command, and it goes away",
    async ({ right, check }) => {
      for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
      const allow = bench.ground.faults.forbid(right);
      await bench.start();
      await bench.cluster.readIstiods();
      expect(facts(OLD)).toEqual({ name: OLD, webhook: true, istiod: "ready" });
      expect(bench.cluster.problems()).toHaveLength(1);
      expect(bench.cluster.problems()[0]).toMatch(/^cannot ask istiod \(forbidden: .*kubectl auth can-i create /);
      expect(bench.cluster.problems()[0]).toContain(check);
      allow();
      await bench.cluster.readIstiods();
      expect([facts(OLD)?.version, bench.cluster.problems()]).toEqual(["1.29.2", []]);
    },
  );

  it("an istiod that lets our account read nothing is unknown, and is named with its words", async () => {
    bench.ground.addIstiod(OLD, { refuses: true });
    shop("web", OLD, 2);
    await bench.start();
    await bench.cluster.readIstiods();
    expect([facts(OLD)?.istiod, facts(OLD)?.version, facts(OLD)?.proxies]).toEqual(["ready", undefined, undefined]);
    const words =
      /^istiod of 1-29-2 refuses the token of ServiceAccount meshroll-istiod: the debug info is not available/;
    expect(bench.cluster.problems()).toEqual([expect.stringMatching(words)]);
  });

  it("an API server that is away is no problem of istiod, whose figures are unknown then", async () => {
    bench.ground.addIstiod(OLD);
    await bench.start();
    await bench.cluster.readIstiods();
    const fix = bench.ground.faults.failAll(503);
    await bench.cluster.readIstiods();
    expect(facts(OLD)?.proxies).toBeUndefined();
    fix();
    await bench.cluster.readIstiods();
    expect(facts(OLD)).toMatchObject({ version: "1.29.2", proxies: { connected: 0, synced: 0 } });
  });
}
