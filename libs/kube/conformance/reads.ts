import { describe, expect, it } from "vitest";

import { type Bench, printPods, useBench } from "./bench.ts";

const OLD = "1-29";
const NEW = "1-31";
const LABELS = { "istio.io/rev": OLD };

/** What the view shows of present objects and of changes. */
export function describeReads(make: () => Promise<Bench>): void {
  const bench = useBench(make);

  describe("workloads", () => {
    it("shows all three kinds with their counts and pods, sorted by kind and name", async () => {
      bench.ground.addIstiod(OLD);
      bench.ground.addStatefulSet({ ns: "shop", name: "db", replicas: 3, labels: LABELS });
      bench.ground.addDeployment({ ns: "shop", name: "web", replicas: 2, labels: LABELS });
      bench.ground.addDaemonSet({ ns: "shop", name: "log", replicas: 4 });
      bench.ground.addDeployment({ ns: "shop", name: "api", replicas: 0, labels: LABELS });
      await bench.start();
      const { workloads } = bench.cluster.view.namespaces.get("shop") ?? { workloads: [] };
      const read = workloads.map((workload) => {
        const { kind, name, replicas, total, updated, available } = workload;
        return `${kind}/${name} ${replicas} ${total} ${updated} ${available} ${printPods(workload)}`;
      });
      expect(read).toEqual([
        "DaemonSet/log 4 4 4 4 none:4/4",
        "Deployment/api 0 0 0 0 ",
        "Deployment/web 2 2 2 2 1-29:2/2",
        "StatefulSet/db 3 3 3 3 1-29:3/3",
      ]);
    });

    it("keeps of the template only what injection reads, and of the object only our own annotations", async () => {
      const ref = bench.ground.addDeployment({
        ns: "shop",
        name: "web",
        labels: { ...LABELS, "sidecar.istio.io/inject": "true", tier: "front" },
        annotations: {
          "prometheus.io/scrape": "true",
          "sidecar.istio.io/proxyCPU": "1",
          "meshroll.dev/restarted-for": OLD,
        },
        objectAnnotations: { "meshroll.dev/pin": OLD, "kubectl.kubernetes.io/last-applied-configuration": "{}" },
        hostNetwork: true,
      });
      await bench.start();
      expect(bench.see(ref)).toMatchObject({
        template: {
          labels: { "istio.io/rev": OLD, "sidecar.istio.io/inject": "true" },
          annotations: { "sidecar.istio.io/proxyCPU": "1", "meshroll.dev/restarted-for": OLD },
          hostNetwork: true,
        },
        annotations: { "meshroll.dev/pin": OLD },
      });
      expect(Object.keys(bench.see(ref)?.template.labels ?? {})).not.toContain("tier");
    });

    it("says by the API server's clock when we wrote, when the status changed, and when the rollout was complete", async () => {
      for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
      const ref = bench.ground.addDeployment({ ns: "shop", name: "web", replicas: 1, labels: LABELS, readyMs: 5_000 });
      await bench.start();
      const began = bench.cluster.view.facts().serverAt ?? Number.NaN;
      expect(bench.see(ref)?.times).toBeUndefined();
      bench.advance(60_000);
      const marks = { "meshroll.dev/run": `0123456789ab ${NEW}` };
      await bench.cluster.patchWorkload(ref, { ...bench.relabel(ref, NEW), annotations: marks });
      bench.advance(30_000);
      await bench.until(() => bench.see(ref)?.rolledOut === true && printPods(bench.see(ref)) === "1-31:1/1");
      const { written = 0, rolledOut = 0, status = 0 } = bench.see(ref)?.times ?? {};
      const ages = [written, rolledOut, status].map((at) => Math.round((at - began) / 1000));
      expect(ages[0]).toBe(60);
      expect(ages[1]).toBe(65);
      expect(ages[2]).toBeGreaterThanOrEqual(65);
      await bench.cluster.probe();
      expect(Math.round(((bench.cluster.view.facts().serverAt ?? 0) - began) / 1000)).toBe(90);
    });

    it("shows when the oldest pod of each revision was created, for workloads with our annotation", async () => {
      for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
      const ref = bench.ground.addDeployment({ ns: "shop", name: "web", replicas: 1, labels: LABELS, readyMs: 5_000 });
      await bench.start();
      const made = () => bench.see(ref)?.pods.map(({ oldest }) => oldest) ?? [];
      expect(made()).toEqual([undefined]);
      bench.advance(60_000);
      const marks = { "meshroll.dev/run": `0123456789ab ${NEW}` };
      await bench.cluster.patchWorkload(ref, { ...bench.relabel(ref, NEW), annotations: marks });
      bench.advance(1_000);
      await bench.until(() => printPods(bench.see(ref)) === "1-29:1/1 1-31:0/1");
      const [ofOld = Number.NaN, ofNew = Number.NaN] = made();
      expect(Math.round((ofNew - ofOld) / 60_000)).toBe(1);
    });

    it("names the traps: paused, OnDelete, a revision in matchLabels", async () => {
      const selector = { app: "a", "istio.io/rev": OLD };
      const trapped = bench.ground.addDeployment({ ns: "shop", name: "a", selector, labels: LABELS });
      const paused = bench.ground.addDeployment({ ns: "shop", name: "b", paused: true });
      const onDelete = bench.ground.addDaemonSet({ ns: "shop", name: "c", onDelete: true });
      await bench.start();
      expect(bench.see(trapped)).toMatchObject({ selectsRevision: true, paused: false, onDelete: false });
      expect(bench.see(paused)).toMatchObject({ selectsRevision: false, paused: true, onDelete: false });
      expect(bench.see(onDelete)).toMatchObject({ selectsRevision: false, paused: false, onDelete: true });
    });

    it("follows a rollout of the owner through every count to its end", async () => {
      for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
      const ref = bench.ground.addDeployment({ ns: "shop", name: "web", replicas: 3, labels: LABELS });
      await bench.start();
      bench.ground.ownerApply(ref, { templateLabels: { "istio.io/rev": NEW } });
      await bench.until(() => bench.see(ref)?.generation === 2);
      expect(bench.see(ref)).toMatchObject({ observedGeneration: 1, updated: 3, available: 3 });
      bench.advance(1_000);
      await bench.until(() => bench.see(ref)?.observedGeneration === 2);
      await bench.until(() => printPods(bench.see(ref)) === "1-29:3/3 1-31:0/1");
      expect(bench.see(ref)).toMatchObject({ total: 4, updated: 1, available: 3 });
      bench.advance(60_000);
      await bench.until(() => printPods(bench.see(ref)) === "1-31:3/3" && bench.see(ref)?.updated === 3);
      expect(bench.see(ref)).toMatchObject({ total: 3, updated: 3, available: 3, deadlineExceeded: false });
    });

    it("shows a rollout that got stuck as deadlineExceeded, and the old pods still ready", async () => {
      for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
      const ref = bench.ground.addDeployment({
        ns: "shop",
        name: "web",
        replicas: 2,
        labels: LABELS,
        deadlineMs: 30_000,
      });
      bench.ground.breakWorkload(ref, { whenRevision: NEW, how: "neverReady" });
      await bench.start();
      bench.ground.ownerApply(ref, { templateLabels: { "istio.io/rev": NEW } });
      bench.advance(40_000);
      // Pods have a watch of their own.
      await bench.until(() => printPods(bench.see(ref)) === "1-29:2/2 1-31:0/1");
      await bench.until(() => bench.see(ref)?.deadlineExceeded === true);
      expect(bench.see(ref)).toMatchObject({ deadlineExceeded: true, available: 2 });
    });

    it("forgets what was deleted, and a new one of the same name has another UID", async () => {
      const ref = bench.ground.addDeployment({ ns: "shop", name: "web" });
      await bench.start();
      const before = bench.see(ref);
      bench.ground.deleteWorkload(ref);
      await bench.until(() => bench.see(ref) === undefined);
      bench.ground.addDeployment({ ns: "shop", name: "web" });
      await bench.until(() => printPods(bench.see(ref)) === "none:1/1");
      expect(bench.see(ref)?.uid).not.toBe(before?.uid);
    });

    it("5.5 names the field manager that last wrote the revision label", async () => {
      const ref = bench.ground.addDeployment({ ns: "shop", name: "web", labels: LABELS });
      const plain = bench.ground.addDeployment({ ns: "shop", name: "plain" });
      await bench.start();
      expect(bench.see(ref)?.revisionManager).toEqual({ name: "kubectl-create", operation: "Update" });
      expect(bench.see(plain)?.revisionManager).toBeUndefined();
      const helm = { manager: "helm", operation: "Apply" } as const;
      bench.ground.ownerApply(ref, { templateLabels: { "istio.io/rev": NEW } }, helm);
      await bench.until(() => bench.see(ref)?.revisionManager?.name === "helm");
      expect(bench.see(ref)?.revisionManager).toEqual({ name: "helm", operation: "Apply" });
    });
  });

  describe("PodDisruptionBudgets", () => {
    it("shows the least that any budget of the pods allows, and follows it", async () => {
      const ref = bench.ground.addDeployment({ ns: "shop", name: "web", replicas: 4 });
      const other = bench.ground.addDeployment({ ns: "shop", name: "api", replicas: 4 });
      bench.ground.addPdb({ ns: "shop", name: "half", matchLabels: { app: "web" }, minAvailable: "50%" });
      await bench.start();
      // Kubernetes' defaults: one of four pods may be missing during a rollout.
      expect(bench.see(ref)).toMatchObject({ disruptionsAllowed: 2, rolloutUnavailable: 1 });
      expect(bench.see(other)).not.toHaveProperty("rolloutUnavailable");
      expect(bench.see(other)).not.toHaveProperty("disruptionsAllowed");
      bench.ground.addPdb({ ns: "shop", name: "one", matchLabels: { app: "web" }, maxUnavailable: 1 });
      await bench.until(() => bench.see(ref)?.disruptionsAllowed === 1);
      const fix = bench.ground.breakWorkload(ref, { how: "crash" });
      bench.advance(1_000);
      await bench.until(() => bench.see(ref)?.disruptionsAllowed === 0);
      fix();
      bench.advance(10_000);
      await bench.until(() => bench.see(ref)?.disruptionsAllowed === 1);
    });
  });

  describe("namespaces", () => {
    it("shows labels, our annotations, who labelled it, and whether it is going away", async () => {
      const labels = { "istio-injection": "enabled", team: "shop" };
      bench.ground.addNamespace("shop", { labels, annotations: { "meshroll.dev/opt-out": "true", other: "x" } });
      await bench.start();
      expect(bench.cluster.view.namespaces.get("shop")?.namespace).toMatchObject({
        name: "shop",
        labels,
        annotations: { "meshroll.dev/opt-out": "true" },
        terminating: false,
        revisionManager: { name: "kubectl-create", operation: "Update" },
      });
      bench.ground.ownerPatchNamespace("shop", { labels: { "istio-injection": null } }, { manager: "argocd" });
      await bench.until(() => bench.cluster.view.namespaces.get("shop")?.namespace.revisionManager === undefined);
      bench.ground.terminateNamespace("shop");
      await bench.until(() => bench.cluster.view.namespaces.get("shop")?.namespace.terminating === true);
      bench.ground.deleteNamespace("shop");
      await bench.until(() => !bench.cluster.view.namespaces.has("shop"));
      expect(bench.changes).toContain("shop");
    });

    it("says which namespace changed, and never one that did not", async () => {
      const ref = bench.ground.addDeployment({ ns: "shop", name: "web", replicas: 8 });
      bench.ground.addDeployment({ ns: "quiet", name: "web" });
      await bench.start();
      const quiet = bench.cluster.view.namespaces.get("quiet");
      bench.ground.ownerApply(ref, { image: "registry.example/web:2" });
      bench.advance(60_000);
      await bench.until(() => bench.see(ref)?.observedGeneration === 2 && bench.see(ref)?.updated === 8);
      expect(new Set(bench.changes)).toEqual(new Set(["shop"]));
      expect(bench.cluster.view.namespaces.get("quiet")).toBe(quiet);
    });

    it("9.2 every value carries a resourceVersion that grows with what it shows", async () => {
      const ref = bench.ground.addDeployment({ ns: "shop", name: "web" });
      await bench.start();
      const before = Number(bench.cluster.view.namespaces.get("shop")?.readAt);
      bench.ground.ownerApply(ref, { replicas: 2 });
      await bench.until(() => bench.see(ref)?.replicas === 2);
      const after = bench.cluster.view.namespaces.get("shop");
      expect(Number(after?.readAt)).toBeGreaterThan(before);
      expect(Number(after?.readAt)).toBeGreaterThanOrEqual(Number(bench.see(ref)?.resourceVersion));
    });
  });

  describe("the cluster itself", () => {
    it("shows revisions with their webhook and istiod, and where tags point", async () => {
      for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
      bench.ground.addTag("prod", OLD);
      await bench.start();
      const facts = () => bench.cluster.view.facts();
      const show = () => facts().revisions.map(({ name, webhook, istiod }) => `${name} ${webhook} ${istiod}`);
      expect(show()).toEqual(["1-29 true ready", "1-31 true ready"]);
      expect(facts().tags).toEqual({ prod: OLD });
      bench.ground.addTag("prod", NEW);
      bench.ground.setIstiod(OLD, "unready");
      bench.advance(1_000);
      await bench.until(() => facts().tags["prod"] === NEW && show()[0] === "1-29 true unready");
      bench.ground.setIstiod(OLD, "missing");
      await bench.until(() => show()[0] === "1-29 true missing");
      bench.ground.removeWebhook(OLD);
      await bench.until(() => show().length === 1);
      expect(bench.changes).toContain(undefined);
    });

    it("9.1 shows kube-system's UID, how many namespaces there are, and when the server last spoke", async () => {
      bench.ground.addNamespace("shop");
      await bench.start();
      const { uid, count, cluster } = bench.cluster.view.facts();
      expect(uid).toBe(bench.cluster.view.namespaces.get("kube-system")?.namespace.uid);
      expect(uid).toMatch(/^[0-9a-f-]{36}$/);
      expect(count).toBe(bench.cluster.view.namespaces.size);
      expect(cluster).toBe(bench.cluster.name);
      expect(bench.cluster.view.seenAtMonotonic()).toBeGreaterThan(Number.NEGATIVE_INFINITY);
    });

    it("7.3 a ConfigMap meshroll-stop is seen, whatever it holds, until kubectl removes it", async () => {
      await bench.start();
      bench.ground.setConfigMap("shop", "meshroll-stop", {});
      await bench.until(() => bench.cluster.view.namespaces.has("shop"));
      expect(bench.cluster.view.facts().stops).toEqual({ kubectl: false, recorded: {} });
      bench.ground.setConfigMap("meshroll-system", "meshroll-stop", {});
      await bench.until(() => bench.cluster.view.facts().stops.kubectl);
      bench.ground.deleteConfigMap("meshroll-system", "meshroll-stop");
      await bench.until(() => !bench.cluster.view.facts().stops.kubectl);
    });

    it("names what it may not read, and continues without it where that is possible", async () => {
      bench.ground.addDeployment({ ns: "shop", name: "web" });
      const allow = bench.ground.faults.forbid("poddisruptionbudgets");
      await bench.start();
      expect(bench.cluster.view.namespaces.get("shop")?.workloads).toHaveLength(1);
      expect(bench.cluster.problems().join()).toMatch(/poddisruptionbudgets.*auth can-i watch poddisruptionbudgets/);
      allow();
    });

    it("C8 budgets that may not be read are unknown, not absent, until they can be read", async () => {
      const ref = bench.ground.addDeployment({ ns: "shop", name: "web" });
      bench.ground.addPdb({ ns: "shop", name: "web", matchLabels: { app: "web" }, maxUnavailable: 0 });
      const allow = bench.ground.faults.forbid("poddisruptionbudgets");
      await bench.start();
      expect([bench.cluster.view.facts().budgetsKnown, bench.see(ref)?.disruptionsAllowed]).toEqual([false, undefined]);
      expect(bench.cluster.problems().join()).toContain("nothing moves in this cluster");
      allow();
      bench.advance(2_000);
      await bench.until(() => bench.cluster.view.facts().budgetsKnown === undefined);
      expect(bench.see(ref)?.disruptionsAllowed).toBe(0);
      expect(bench.changes).toContain(undefined);
    });
  });
}
