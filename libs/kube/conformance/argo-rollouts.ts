import { expect, it } from "vitest";

import type { WorkloadRef } from "#libs/fleet";

import { REFLECTOR_TIMING } from "../watch/reflector.ts";
import { type Bench, printPods, useBench } from "./bench.ts";

const [OLD, NEW] = ["1-29", "1-31"];
const shape = { ns: "shop", name: "web", replicas: 4, labels: { "istio.io/rev": OLD } };
const others = { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", name: "web", revision: OLD };

/** Argo Rollouts: in clusters that have none, or do not show them, and through their steps. */
export function describeArgoRollouts(make: () => Promise<Bench>): void {
  const bench = useBench(make);
  const listOthers = () => bench.cluster.view.namespaces.get("shop")?.others;
  const isSeen = () => bench.cluster.view.seenAtMonotonic() > Number.NEGATIVE_INFINITY;
  const addIstiods = () => {
    for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
  };
  const move = async (ref: WorkloadRef) => {
    const marks = { "meshroll.dev/run": `0123456789ab ${NEW}` };
    return bench.cluster.patchWorkload(ref, { ...bench.relabel(ref, NEW), annotations: marks });
  };

  it("a cluster without Argo's definitions is no problem, and they are seen when they come later", async () => {
    bench.ground.serveRollouts(false);
    bench.ground.addDeployment({ ns: "shop", name: "web" });
    await bench.start();
    expect(bench.cluster.view.namespaces.get("shop")?.workloads).toHaveLength(1);
    expect([bench.cluster.problems(), isSeen()]).toEqual([[], true]);
    bench.ground.serveRollouts(true);
    const ref = bench.ground.addRollout(shape);
    bench.advance(REFLECTOR_TIMING.absentRetryMs);
    await bench.until(() => bench.see(ref) !== undefined);
    expect(bench.changes).toContain("shop");
    bench.ground.serveRollouts(false);
    await bench.until(() => bench.see(ref) === undefined);
    expect(bench.cluster.problems()).toEqual([]);
  });

  it("a right that is missing is named with its command, and the pods count as those of others until it is there", async () => {
    addIstiods();
    const ref = bench.ground.addRollout(shape);
    const allow = bench.ground.faults.forbid("rollouts");
    await bench.start();
    expect([bench.see(ref), isSeen()]).toEqual([undefined, true]);
    expect(listOthers()).toMatchObject([{ ...others, live: 4 }]);
    expect(bench.cluster.problems()).toEqual([
      expect.stringMatching(
        /^cannot read rollouts \(forbidden: .*Rollouts are not seen.*can-i watch rollouts\.argoproj\.io -A$/u,
      ),
    ]);
    allow();
    bench.advance(2_000);
    await bench.until(() => bench.see(ref) !== undefined && listOthers() === undefined);
    await bench.until(() => bench.cluster.problems().length === 0);
    expect(printPods(bench.see(ref))).toBe("1-29:4/4");
  });

  it("shows the counts of each step, the pause that a person ends, and the promotion", async () => {
    addIstiods();
    const ref = bench.ground.addRollout({ ...shape, canary: [{ weight: 25 }, { pause: "promotion" }] });
    await bench.start();
    expect(bench.see(ref)).toMatchObject({
      kind: "Rollout",
      generation: 1,
      observedGeneration: 1,
      rolledOut: true,
      argo: { steps: { done: 0, of: 2 }, needsPromotion: true },
    });
    expect(await move(ref)).toMatchObject({ kind: "written" });
    bench.advance(30_000);
    await bench.until(() => bench.see(ref)?.argo?.holds === "promotion");
    await bench.until(() => printPods(bench.see(ref)) === "1-29:3/3 1-31:1/1");
    expect(bench.see(ref)).toMatchObject({ total: 4, updated: 1, available: 4, argo: { steps: { done: 1, of: 2 } } });
    expect(bench.see(ref)?.rolledOut).toBeUndefined();
    expect(bench.see(ref)?.times).toMatchObject({ written: expect.any(Number), status: expect.any(Number) });
    bench.ground.promoteRollout(ref);
    bench.advance(60_000);
    await bench.until(() => bench.see(ref)?.rolledOut === true && printPods(bench.see(ref)) === "1-31:4/4");
    expect(bench.see(ref)?.argo).toEqual({ steps: { done: 2, of: 2 }, needsPromotion: true });
  });

  it("shows a pause with an end as its strategy's, and an aborted update in Argo's words", async () => {
    addIstiods();
    const ref = bench.ground.addRollout({ ...shape, canary: [{ weight: 50 }, { pause: 600_000 }] });
    await bench.start();
    await move(ref);
    bench.advance(30_000);
    await bench.until(() => bench.see(ref)?.argo?.holds === "strategy");
    bench.ground.abortRollout(ref);
    bench.advance(30_000);
    await bench.until(() => bench.see(ref)?.argo?.degraded !== undefined && printPods(bench.see(ref)) === "1-29:4/4");
    const words = "RolloutAborted: Rollout aborted update to revision 2";
    expect(bench.see(ref)?.argo).toEqual({ steps: { done: 1, of: 2 }, degraded: words });
    expect(await bench.cluster.readRollout(ref)).toEqual({ kind: "read", rollout: { pods: [], degraded: words } });
  });

  it("reads the pods of a Rollout's newest template, and writes Events about it by its own API", async () => {
    addIstiods();
    const ref = bench.ground.addRollout(shape);
    bench.ground.breakWorkload(ref, { whenRevision: NEW, how: "neverReady", says: "imagePull" });
    await bench.start();
    await move(ref);
    bench.advance(30_000);
    await bench.until(() => printPods(bench.see(ref)) === "1-29:4/4 1-31:0/1");
    const read = await bench.cluster.readRollout(ref);
    expect(read.kind === "read" ? read.rollout.pods : read).toHaveLength(1);
    const event = { type: "Normal", reason: "Moved", action: "Move", note: "moved", at: 0 } as const;
    await bench.cluster.recordEvent({ ref, uid: bench.see(ref)?.uid ?? "", id: "one", ...event });
    expect(bench.ground.eventsOf(ref)).toMatchObject([
      { regarding: { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", name: "web" } },
    ]);
  });

  it("names the Deployment whose template it takes, and the budget of its pods", async () => {
    addIstiods();
    const ref = bench.ground.addRollout({ ...shape, templateOf: "base" });
    const plain = bench.ground.addRollout({ ...shape, name: "api" });
    bench.ground.addPdb({ ns: "shop", name: "api", matchLabels: { app: "api" }, maxUnavailable: 2 });
    await bench.start();
    expect(bench.see(ref)).toMatchObject({ argo: { templateOf: "Deployment/base" }, template: { labels: {} } });
    expect(bench.see(plain)).toMatchObject({ argo: {}, disruptionsAllowed: 2, rolloutUnavailable: 1 });
  });
}
