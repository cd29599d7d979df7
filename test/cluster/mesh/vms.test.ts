import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { findEnvoys } from "../../vm/envoys/find-envoys.ts";
import { describeTally, startLoad } from "../../vm/traffic/traffic.ts";
import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { until } from "../bed/until.ts";
import { findPrograms, type ClusterPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { readEntries, readSynced } from "../vms/read-mesh.ts";
import type { MeshVm } from "../vms/start-vm.ts";
import { openVmBed } from "../vms/vm-bed.ts";
import { servedPort } from "../vms/vm-objects.ts";
import { forPlainEnvoys, type OwnMesh, startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const patience = { timeout: 120_000, interval: 200 };
const [clients, thinkMs] = [4, 5];
const leastRequests = 20_000;

describe("VMs with pilot-agent and Envoy on two real istiods", () => {
  let [cluster, mesh, istio]: [OwnCluster?, OwnMesh?, ClusterPrograms?] = [];
  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding), 1);
    istio = await findPrograms(istioModule, finding);
    mesh = await startMesh(cluster, istio, [before, after], forPlainEnvoys);
  });
  afterAll(async () => cluster?.end());

  function requireBed() {
    if (cluster === undefined || mesh === undefined || istio === undefined) throw new Error("no cluster");
    return { cluster, mesh, istio };
  }

  function findIstiod(revision: string) {
    const istiod = requireBed().mesh.istiods.get(revision);
    if (istiod === undefined) throw new Error(`no istiod ${revision}`);
    return istiod;
  }

  async function moveAll(vms: readonly MeshVm[], revision: string): Promise<void> {
    for (const vm of vms) vm.tag(revision);
    for (const vm of vms)
      await expect
        .poll(() => vm.report(), patience)
        .toMatchObject({ revision, tag: revision, reason: { code: "UpToDate" }, ready: true });
  }

  /** That each VM is connected to this revision's istiod alone, refuses nothing, and is registered and healthy there. */
  async function expectAllAt(vms: readonly MeshVm[], revision: string): Promise<void> {
    const names = vms.map(({ name, group }) => `${name}.${group.namespace}`);
    await until(`istiod ${revision} has ${names.join()}`, async () => {
      const proxies = new Set((await readSynced(findIstiod(revision))).map(({ proxy }) => proxy));
      return names.every((each) => proxies.has(each));
    });
    const others = [before, after].filter((each) => each !== revision);
    for (const other of others) {
      await until(`istiod ${other} has none`, async () => (await readSynced(findIstiod(other))).length === 0);
    }
    expect((await readSynced(findIstiod(revision))).flatMap(({ refused }) => refused)).toEqual([]);
  }

  it("VMs go to the other istiod and back by their tags under load, without a failed request", async () => {
    const bed = requireBed();
    const [older, newer] = findEnvoys(process.env, () => undefined);
    if (older === undefined || newer === undefined) throw new Error("two Envoys are needed");
    const { artifacts, vms } = await openVmBed({ ...bed, groups: [{ namespace: "shop", name: "cart", count: 4 }] });
    artifacts.publish(before, older, findIstiod(before).ports.xds);
    artifacts.publish(after, newer, findIstiod(after).ports.xds);
    await moveAll(vms, before);
    await expectAllAt(vms, before);
    const registered = () => readEntries(bed.cluster, "shop").map(({ address, uid }) => `${address} ${uid}`);
    const first = registered();
    expect(first).toHaveLength(vms.length);

    const load = startLoad(
      vms.map(({ address }) => ({ host: address, port: servedPort })),
      clients,
      thinkMs,
    );
    for (const [revision, envoy] of [
      [after, newer],
      [before, older],
    ] as const) {
      const begun = performance.now();
      await moveAll(vms, revision);
      await expectAllAt(vms, revision);
      console.log(`${vms.length} VMs on ${revision} after ${Math.round((performance.now() - begun) / 1000)} s`);
      expect(await Promise.all(vms.map(async (vm) => vm.readEnvoy()))).toEqual(vms.map(() => envoy.version));
      expect(registered()).toEqual(first);
      for (const entry of readEntries(bed.cluster, "shop"))
        expect(entry).toMatchObject({ controller: `istiod-${revision}-0`, healthy: true });
    }
    await until("enough requests", async () => (await load.read()).answered >= leastRequests);
    const tally = await load.end();
    console.log(`${vms.length} VMs to the other istiod and back: ${describeTally(tally)}`);
    expect(tally).toMatchObject({ failed: 0, faults: {} });
  });
});
