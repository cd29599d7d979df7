import { describe, expect, it } from "vitest";

import { type Bench, printPods, useBench } from "./bench.ts";

const OLD = "1-29";
const NEW = "1-31";

/** Writes and their outcomes. */
export function describeWrites(make: () => Promise<Bench>): void {
  const bench = useBench(make);

  const addWeb = (options: { readonly replicas?: number } = {}) => {
    for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
    return bench.ground.addDeployment({ ns: "shop", name: "web", labels: { "istio.io/rev": OLD }, ...options });
  };

  describe("patchWorkload", () => {
    it("5.1 template: one merge patch with our field manager moves the pods and keeps what it does not name", async () => {
      const ref = addWeb({ replicas: 2 });
      await bench.start();
      const { resourceVersion = "" } = bench.see(ref) ?? {};
      const outcome = await bench.cluster.patchWorkload(ref, {
        resourceVersion,
        annotations: { "meshroll.dev/previous": "{}", "meshroll.dev/run": "abc" },
        template: { labels: { "istio.io/rev": NEW }, annotations: { "meshroll.dev/restarted-for": NEW } },
      });
      expect(outcome).toMatchObject({ kind: "written" });
      bench.advance(60_000);
      await bench.until(() => printPods(bench.see(ref)) === "1-31:2/2" && bench.see(ref)?.updated === 2);
      expect(bench.see(ref)).toMatchObject({
        generation: 2,
        observedGeneration: 2,
        annotations: { "meshroll.dev/previous": "{}", "meshroll.dev/run": "abc" },
        template: { annotations: { "meshroll.dev/restarted-for": NEW } },
        revisionManager: { name: "meshroll", operation: "Update" },
      });
      expect(bench.ground.writes).toHaveLength(1);
      expect(bench.ground.writes[0]).toMatchObject({ verb: "patch", fieldManager: "meshroll", status: 200 });
    });

    it("a null removes the key", async () => {
      const ref = addWeb();
      await bench.start();
      await bench.cluster.patchWorkload(ref, bench.relabel(ref, null));
      await bench.until(() => bench.see(ref)?.generation === 2);
      expect(bench.see(ref)?.template.labels).toEqual({});
    });

    it("4.6 the template put back uses the old ReplicaSet again", async () => {
      const ref = addWeb({ replicas: 2 });
      await bench.start();
      const [hash] = bench.ground.replicaSetsOf(ref);
      await bench.cluster.patchWorkload(ref, bench.relabel(ref, NEW));
      bench.advance(60_000);
      await bench.until(() => printPods(bench.see(ref)) === "1-31:2/2");
      await bench.until(() => bench.see(ref)?.updated === 2 && bench.see(ref)?.total === 2);
      await bench.cluster.patchWorkload(ref, bench.relabel(ref, OLD));
      bench.advance(60_000);
      await bench.until(() => printPods(bench.see(ref)) === "1-29:2/2");
      expect(bench.ground.replicaSetsOf(ref)).toHaveLength(2);
      expect(new Set(bench.ground.podsOf(ref).map((pod) => pod.hash))).toEqual(new Set([hash]));
    });

    it("conflict: the object is another one than what was decided on, and nothing is written", async () => {
      const ref = addWeb();
      await bench.start();
      const change = bench.relabel(ref, NEW);
      bench.ground.ownerApply(ref, { replicas: 2 });
      expect(await bench.cluster.patchWorkload(ref, change)).toEqual({ kind: "conflict" });
      await bench.until(() => bench.see(ref)?.replicas === 2);
      expect(bench.see(ref)?.template.labels).toEqual({ "istio.io/rev": OLD });
      expect(await bench.cluster.patchWorkload(ref, bench.relabel(ref, NEW))).toMatchObject({ kind: "written" });
    });

    it("gone: the object was deleted", async () => {
      const ref = addWeb();
      await bench.start();
      const change = bench.relabel(ref, NEW);
      bench.ground.deleteWorkload(ref);
      expect(await bench.cluster.patchWorkload(ref, change)).toEqual({ kind: "gone" });
    });

    it("refused: the API server's own message says why", async () => {
      bench.ground.addIstiod(OLD);
      const labels = { "istio.io/rev": OLD };
      const trapped = bench.ground.addDeployment({ ns: "shop", name: "a", labels, selector: { app: "a", ...labels } });
      await bench.start();
      const invalid = await bench.cluster.patchWorkload(trapped, bench.relabel(trapped, NEW));
      expect(invalid).toMatchObject({ kind: "refused", why: expect.stringContaining("does not match template") });
      const allow = bench.ground.faults.forbid("deployments");
      const forbidden = await bench.cluster.patchWorkload(trapped, bench.relabel(trapped, NEW));
      expect(forbidden).toMatchObject({ kind: "refused", why: expect.stringContaining("forbidden") });
      allow();
    });

    it("unavailable: a server that starts refuses everything until it has read its rules", async () => {
      const ref = addWeb();
      await bench.start();
      const end = bench.ground.faults.start();
      const outcome = await bench.cluster.patchWorkload(ref, bench.relabel(ref, NEW));
      expect(outcome).toMatchObject({ kind: "unavailable", why: expect.stringContaining("the API server starts") });
      end();
      expect(await bench.cluster.patchWorkload(ref, bench.relabel(ref, NEW))).toMatchObject({ kind: "written" });
    });

    it("a refusal counts only from a server that is ready: one that became ready meanwhile takes the write", async () => {
      const ref = addWeb();
      await bench.start();
      bench.ground.faults.startUntilAsked();
      expect(await bench.cluster.patchWorkload(ref, bench.relabel(ref, NEW))).toMatchObject({ kind: "written" });
    });

    it("C4 after 429 with Retry-After nothing is sent before its time, by whatever write", async () => {
      const ref = addWeb();
      await bench.start();
      bench.ground.faults.throttleNext(1, 7);
      const first = await bench.cluster.patchWorkload(ref, bench.relabel(ref, NEW));
      expect(first).toMatchObject({ kind: "unavailable", retryAfterMs: 7_000 });
      const outcomes = [
        await bench.cluster.patchWorkload(ref, bench.relabel(ref, NEW)),
        await bench.cluster.recordStops({ a: "{}" }),
      ];
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ kind: "unavailable", why: expect.stringContaining("not sent") });
        expect("retryAfterMs" in outcome ? outcome.retryAfterMs : 0).toBeGreaterThan(5_000);
      }
      expect(bench.ground.writes).toHaveLength(0);
    });

    it("Events delay no write, however many are sent and whatever their answers are", async () => {
      const ref = addWeb();
      await bench.start();
      const uid = bench.see(ref)?.uid ?? "";
      const note = { type: "Normal", reason: "A", action: "B", note: "c", at: 0 } as const;
      const fix = bench.ground.faults.failAll(429);
      const events = Array.from({ length: 60 }, (_, id) => ({ ...note, ref, uid, id: String(id) }));
      const results = await Promise.all(events.map((event) => bench.cluster.recordEvent(event)));
      fix();
      expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(["unavailable"]));
      expect(await bench.cluster.patchWorkload(ref, bench.relabel(ref, NEW))).toMatchObject({ kind: "written" });
    });

    it("unavailable: after a lost answer only the watch shows that the write was done", async () => {
      const ref = addWeb();
      await bench.start();
      bench.ground.faults.loseAnswers(1);
      const outcome = await bench.cluster.patchWorkload(ref, bench.relabel(ref, NEW));
      expect(outcome).toMatchObject({ kind: "unavailable" });
      await bench.until(() => bench.see(ref)?.template.labels["istio.io/rev"] === NEW);
    });

    it("5.5 an owner's revert of the label is seen with the field manager", async () => {
      const ref = addWeb();
      await bench.start();
      await bench.cluster.patchWorkload(ref, bench.relabel(ref, NEW));
      await bench.until(() => bench.see(ref)?.revisionManager?.name === "meshroll");
      bench.ground.ownerApply(ref, { templateLabels: { "istio.io/rev": OLD } }, { manager: "argocd-controller" });
      await bench.until(() => bench.see(ref)?.template.labels["istio.io/rev"] === OLD);
      expect(bench.see(ref)?.revisionManager).toEqual({ name: "argocd-controller", operation: "Update" });
    });
  });

  describe("patchNamespace", () => {
    it("5.2 namespace: relabels it and restarts nothing", async () => {
      bench.ground.addIstiod(OLD);
      bench.ground.addNamespace("shop", { labels: { "istio.io/rev": OLD, team: "a" } });
      const ref = bench.ground.addDeployment({ ns: "shop", name: "web" });
      await bench.start();
      const { resourceVersion = "" } = bench.cluster.view.namespaces.get("shop")?.namespace ?? {};
      const change = {
        resourceVersion,
        labels: { "istio.io/rev": NEW },
        annotations: { "meshroll.dev/previous": "{}" },
      };
      expect(await bench.cluster.patchNamespace("shop", change)).toMatchObject({ kind: "written" });
      const see = () => bench.cluster.view.namespaces.get("shop")?.namespace;
      await bench.until(() => see()?.labels["istio.io/rev"] === NEW);
      expect(see()).toMatchObject({
        labels: { team: "a" },
        annotations: { "meshroll.dev/previous": "{}" },
        revisionManager: { name: "meshroll", operation: "Update" },
      });
      expect(bench.see(ref)?.generation).toBe(1);
      expect(await bench.cluster.patchNamespace("shop", change)).toEqual({ kind: "conflict" });
      expect(await bench.cluster.patchNamespace("nowhere", change)).toEqual({ kind: "gone" });
    });
  });

  describe("a cluster that was never prepared", () => {
    it("7.3 refuses claim and stops: the namespace is not created, and the command that creates it is named", async () => {
      await bench.start();
      const why = expect.stringContaining("kubectl create namespace meshroll-system");
      expect(await bench.cluster.claim("testmeshroll")).toEqual({ kind: "refused", why });
      expect(await bench.cluster.recordStops({ a: "{}" })).toEqual({ kind: "refused", why });
      expect(bench.cluster.view.namespaces.has("meshroll-system")).toBe(false);
    });
  });

  describe("claim", () => {
    it("makes the map that says which installation serves the cluster, once, and never another's", async () => {
      bench.ground.addNamespace("meshroll-system");
      await bench.start();
      const seen = () => bench.cluster.view.facts().installation;
      expect(seen()).toBe(undefined);
      expect(await bench.cluster.claim("testmeshroll")).toMatchObject({ kind: "written" });
      await bench.until(() => seen() === "testmeshroll");
      expect(await bench.cluster.claim("othermeshrol")).toEqual({ kind: "conflict" });
      expect(seen()).toBe("testmeshroll");
      bench.ground.setConfigMap("meshroll-system", "meshroll-installation", { id: "*" });
      await bench.until(() => seen() === "");
      bench.ground.deleteConfigMap("meshroll-system", "meshroll-installation");
      await bench.until(() => seen() === undefined);
    });
  });

  describe("recordStops", () => {
    it("7.3 makes the map as needed, adds and removes single entries, and leaves the others", async () => {
      bench.ground.addNamespace("meshroll-system");
      await bench.start();
      const recorded = () => bench.cluster.view.facts().stops.recorded;
      expect(await bench.cluster.recordStops({ none: null })).toMatchObject({ kind: "written" });
      expect(await bench.cluster.recordStops({ "a-1": "{}", "b-2": '{"why":"x"}' })).toMatchObject({ kind: "written" });
      await bench.until(() => Object.keys(recorded()).length === 2);
      expect(await bench.cluster.recordStops({ "a-1": null, "c-3": "{}" })).toMatchObject({ kind: "written" });
      await bench.until(() => recorded()["c-3"] !== undefined);
      expect(recorded()).toEqual({ "b-2": '{"why":"x"}', "c-3": "{}" });
      expect(bench.cluster.view.facts().stops.kubectl).toBe(false);
    });

    it("an entry under the key `__proto__` is known as `proto`", async () => {
      await bench.start();
      const data = JSON.parse('{"__proto__":"stop","a-1":"{}"}') as Readonly<Record<string, string>>;
      bench.ground.setConfigMap("meshroll-system", "meshroll-recorded-stops", data);
      const recorded = () => bench.cluster.view.facts().stops.recorded;
      await bench.until(() => Object.keys(recorded()).length === 2);
      expect(recorded()).toEqual({ proto: "stop", "a-1": "{}" });
    });

    it("several at once lose nothing", async () => {
      bench.ground.addNamespace("meshroll-system");
      await bench.start();
      const ids = ["a", "b", "c", "d"];
      const outcomes = await Promise.all(ids.map((id) => bench.cluster.recordStops({ [id]: "{}" })));
      expect(outcomes.map(({ kind }) => kind)).toEqual(["written", "written", "written", "written"]);
      const recorded = () => bench.cluster.view.facts().stops.recorded;
      await bench.until(() => Object.keys(recorded()).length === 4);
      expect(Object.keys(recorded()).toSorted()).toEqual(ids);
    });
  });

  describe("an API server that is away", () => {
    it("is reported by probe and by every write; changes made meanwhile are seen afterwards", async () => {
      const ref = addWeb();
      await bench.start();
      expect(await bench.cluster.probe()).toBe(true);
      const change = bench.relabel(ref, NEW);
      bench.ground.faults.unavailableFor(60_000);
      expect(await bench.cluster.probe()).toBe(false);
      expect(await bench.cluster.patchWorkload(ref, change)).toMatchObject({ kind: "unavailable" });
      bench.ground.ownerApply(ref, { replicas: 3 });
      expect(bench.see(ref)?.replicas).toBe(1);
      bench.advance(61_000);
      await bench.until(() => bench.see(ref)?.replicas === 3);
      expect(await bench.cluster.probe()).toBe(true);
    });
  });
}
