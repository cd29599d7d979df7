import { expect, it } from "vitest";

import { REFLECTOR_TIMING } from "../../watch/reflector.ts";
import { type Bench, useBench } from "../bench.ts";

const shop = { ns: "shop", name: "tills" };

/** What of VMs is seen in a cluster that has no WorkloadGroups, or does not show them. */
export function describeVmCollections(make: () => Promise<Bench>): void {
  const bench = useBench(make);
  const entries = () => Object.fromEntries(bench.cluster.view.entriesOf("shop"));
  const isSeen = () => bench.cluster.view.seenAtMonotonic() > Number.NEGATIVE_INFINITY;

  it("a cluster without Istio's definitions is no problem, and they are seen when they come later", async () => {
    bench.ground.serveWorkloadGroups(false);
    bench.ground.addDeployment({ ns: "shop", name: "web" });
    await bench.start();
    expect(bench.cluster.view.namespaces.get("shop")?.workloads).toHaveLength(1);
    expect([bench.cluster.problems(), isSeen(), entries()]).toEqual([[], true, {}]);
    bench.ground.serveWorkloadGroups(true);
    const ref = bench.ground.addWorkloadGroup(shop);
    bench.ground.addWorkloadEntry({ ...shop, address: "10.0.0.1" });
    bench.advance(REFLECTOR_TIMING.absentRetryMs);
    await bench.until(() => bench.see(ref) !== undefined && entries()["10.0.0.1"] === true);
    expect(bench.changes).toContain("shop");
  });

  it("definitions that are removed take groups and entries with them", async () => {
    const ref = bench.ground.addWorkloadGroup(shop);
    bench.ground.addWorkloadEntry({ ...shop, address: "10.0.0.1" });
    await bench.start();
    expect([bench.see(ref)?.kind, entries()]).toEqual(["WorkloadGroup", { "10.0.0.1": true }]);
    bench.ground.serveWorkloadGroups(false);
    await bench.until(() => bench.see(ref) === undefined && Object.keys(entries()).length === 0);
    expect(bench.cluster.problems()).toEqual([]);
  });

  it("a right that is missing is named with its command, and all else goes on", async () => {
    const ref = bench.ground.addWorkloadGroup(shop);
    bench.ground.addWorkloadEntry({ ...shop, address: "10.0.0.1", healthy: false });
    const web = bench.ground.addDeployment({ ns: "shop", name: "web" });
    const allow = [bench.ground.faults.forbid("workloadgroups"), bench.ground.faults.forbid("workloadentries")];
    await bench.start();
    expect([bench.see(ref), bench.see(web)?.name, entries(), isSeen()]).toEqual([undefined, "web", {}, true]);
    expect(bench.cluster.problems()).toEqual([
      expect.stringMatching(
        /^cannot read workloadgroups \(forbidden: .*groups of VMs are not seen.*can-i watch workloadgroups\./u,
      ),
      expect.stringMatching(
        /^cannot read workloadentries \(forbidden: .*can-i watch workloadentries\.networking\.istio\.io -A$/u,
      ),
    ]);
    for (const each of allow) each();
    bench.advance(2_000);
    await bench.until(() => bench.see(ref) !== undefined && entries()["10.0.0.1"] === false);
    await bench.until(() => bench.cluster.problems().length === 0);
  });

  it("a probe that finds the same again is no change, and another health is one of the namespace", async () => {
    bench.ground.addWorkloadEntry({ ...shop, address: "10.0.0.1", healthy: true });
    bench.ground.addWorkloadEntry({ ns: "other", name: "tills", address: "10.0.0.1", healthy: true });
    await bench.start();
    bench.ground.setEntryHealth("other", "tills", true);
    bench.ground.setEntryHealth("shop", "tills", false);
    await bench.until(() => entries()["10.0.0.1"] === false);
    expect(bench.changes.filter((each) => each !== undefined)).toEqual(["shop"]);
  });

  it("a budget of pods says nothing of VMs, and a group that is deleted is forgotten", async () => {
    const ref = bench.ground.addWorkloadGroup({ ...shop, annotations: { "meshroll.dev/revision": "1-31" } });
    bench.ground.addPdb({ ns: "shop", name: "all", matchLabels: {}, maxUnavailable: 0 });
    await bench.start();
    expect(bench.see(ref)).toMatchObject({ template: { labels: { "istio.io/rev": "1-31" } } });
    expect(bench.see(ref)?.disruptionsAllowed).toBeUndefined();
    bench.ground.deleteWorkload(ref);
    await bench.until(() => bench.see(ref) === undefined);
  });

  it("a refusal stands on the group until a write to it succeeds, and Events are about it by its own API", async () => {
    const ref = bench.ground.addWorkloadGroup(shop);
    await bench.start();
    const policy = bench.ground.faults.refuseWrites("shop");
    const change = { ...bench.relabel(ref, "1-31"), annotations: { "meshroll.dev/run": "0123456789ab 1-31" } };
    expect(await bench.cluster.patchWorkload(ref, change)).toMatchObject({ kind: "refused" });
    expect(bench.see(ref)?.refused).toMatchObject({ run: "0123456789ab 1-31" });
    policy.end();
    expect(await bench.cluster.patchWorkload(ref, change)).toMatchObject({ kind: "written" });
    await bench.until(() => bench.see(ref)?.template.labels["istio.io/rev"] === "1-31");
    expect(bench.see(ref)?.refused).toBeUndefined();
    const event = { type: "Normal", reason: "Moved", action: "Move", note: "moved", at: 0 } as const;
    await bench.cluster.recordEvent({ ref, uid: bench.see(ref)?.uid ?? "", id: "one", ...event });
    expect(bench.ground.eventsOf(ref)).toMatchObject([
      { regarding: { apiVersion: "networking.istio.io/v1", kind: "WorkloadGroup", name: "tills" } },
    ]);
  });
}
