import { describe, expect, it } from "vitest";

import { type Bench, useBench } from "./bench.ts";

const OLD = "1-29";

/** Whether the policy for new pods is bound, and the ConfigMaps that it reads. */
export function describeAdmission(make: () => Promise<Bench>): void {
  const bench = useBench(make);
  const addWeb = () => {
    bench.ground.addIstiod(OLD);
    return bench.ground.addDeployment({ ns: "shop", name: "web", labels: { "istio.io/rev": OLD }, replicas: 2 });
  };

  describe("templateOf", () => {
    it("names the template of all live pods, and when its owner deployed it", async () => {
      const ref = addWeb();
      await bench.start();
      const first = bench.cluster.view.templateOf(ref);
      expect(first).toEqual({ hash: bench.ground.podsOf(ref)[0]?.hash, deployedAt: expect.any(Number) as number });

      bench.advance(60_000);
      bench.ground.ownerApply(ref, { image: "app:2" });
      bench.advance(60_000);
      await bench.until(() => bench.see(ref)?.updated === 2 && bench.see(ref)?.total === 2);
      await bench.until(() => (bench.cluster.view.templateOf(ref).hash ?? first.hash) !== first.hash);
      expect((bench.cluster.view.templateOf(ref).deployedAt ?? 0) - (first.deployedAt ?? 0)).toBeGreaterThan(0);
    });

    it("a write of ours is no deploy of its owner", async () => {
      const ref = addWeb();
      await bench.start();
      const { deployedAt } = bench.cluster.view.templateOf(ref);
      bench.advance(60_000);
      await bench.cluster.patchWorkload(ref, bench.relabel(ref, null));
      await bench.until(() => bench.see(ref)?.generation === 2);
      expect(bench.cluster.view.templateOf(ref).deployedAt).toBe(deployedAt);
    });

    it("says nothing of what is not there", async () => {
      await bench.start();
      expect(bench.cluster.view.templateOf({ namespace: "shop", kind: "Deployment", name: "none" })).toEqual({});
    });
  });

  describe("noteAdmission", () => {
    it("shows what the policies give new pods, by the template that they have now, until it is taken away", async () => {
      const ref = addWeb();
      await bench.start();
      const first = bench.cluster.view.templateOf(ref).hash;
      bench.cluster.noteAdmission("shop", (_, __, hash) => (hash === first ? "1-31" : undefined));
      const labelled = bench.see(ref)?.admitted;
      await bench.until(() => bench.changes.includes("shop"));
      bench.ground.ownerApply(ref, { image: "app:2" });
      bench.advance(60_000);
      await bench.until(() => (bench.cluster.view.templateOf(ref).hash ?? first) !== first);
      const deployed = bench.see(ref)?.admitted;
      bench.cluster.noteAdmission("shop", () => "1-31");
      const again = bench.see(ref)?.admitted;
      bench.cluster.noteAdmission("shop", undefined);
      expect([labelled, deployed, again, bench.see(ref)?.admitted]).toEqual(["1-31", undefined, "1-31", undefined]);
    });
  });

  describe("readAdmission and applyAdmission", () => {
    it("a namespace without the ConfigMap has no entries; an apply replaces all entries", async () => {
      bench.ground.addNamespace("shop");
      await bench.start();
      expect(await bench.cluster.readAdmission("shop")).toEqual({ kind: "read", data: {} });
      for (const data of [{ revision: "1-31", "Deployment.web": "a" }, { revision: "1-31" }, {}]) {
        expect(await bench.cluster.applyAdmission("shop", data)).toMatchObject({ kind: "written" });
        expect(await bench.cluster.readAdmission("shop")).toEqual({ kind: "read", data });
      }
      expect(bench.ground.writes.map(({ fieldManager }) => fieldManager)).toEqual(["meshroll", "meshroll", "meshroll"]);
    });

    it("a namespace that is gone takes none", async () => {
      await bench.start();
      expect(await bench.cluster.applyAdmission("nowhere", {})).toEqual({ kind: "gone" });
    });

    it("a missing right is named, and a server that is away is neither", async () => {
      bench.ground.addNamespace("shop");
      await bench.start();
      const allow = bench.ground.faults.forbid("configmaps");
      expect(await bench.cluster.readAdmission("shop")).toMatchObject({ kind: "refused" });
      allow();
      const fix = bench.ground.faults.failAll(503);
      expect(await bench.cluster.readAdmission("shop")).toMatchObject({ kind: "unavailable" });
      expect(await bench.cluster.findAdmissionPolicy()).toEqual({ kind: "unknown" });
      fix();
      expect((await bench.cluster.findAdmissionPolicy()).kind).toMatch(/^un(?:bound|served)$/);
    });
  });
}
