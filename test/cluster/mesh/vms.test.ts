import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { runCli } from "#test/run-cli";

import { type Envoy, findEnvoys } from "../../vm/envoys/find-envoys.ts";
import { describeTally } from "../../vm/traffic/open-load.ts";
import { startLoad } from "../../vm/traffic/traffic.ts";
import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { until } from "../bed/until.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { findPrograms, type ClusterPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { readEntries, readSynced } from "../vms/read-mesh.ts";
import type { MeshVm } from "../vms/start-vm.ts";
import { openVmBed } from "../vms/vm-bed.ts";
import type { VmArtifacts } from "../vms/vm-artifacts.ts";
import { servedPort } from "../vms/vm-objects.ts";
import { watchBudget } from "../vms/watch-budget.ts";
import { forPlainEnvoys, type OwnMesh, startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const patience = { timeout: 120_000, interval: 200 };
const [clients, thinkMs] = [4, 5];
/** Requests of the load, by hand and by a merge. */
const [fewRequests, manyRequests] = [20_000, 100_000];
/** An agent hears its tag with its next report, up to 45 s later. */
const turnLimitMs = 400_000;
const key = "0123456789abcdef0123456789abcdef";
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settings =
  "defaults:\n  batch: { batchSize: 5, delayBetweenBatches: 1s, readinessTimeout: 3m }\n" +
  "vms: { maxUnavailable: 50%, deadline: 0s }\n";
const annotations = { "meshroll.dev/revision": before };
const groups = [
  { namespace: "shop", name: "cart", count: 4, annotations },
  { namespace: "bank", name: "ledger", count: 2, annotations },
];

function listTargets(vms: readonly MeshVm[]) {
  return vms.map(({ address }) => ({ host: address, port: servedPort }));
}

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

  /** Makes one artifact for each istiod, each with another Envoy; returns these. */
  function publishAll(artifacts: VmArtifacts): readonly [Envoy, Envoy] {
    const [older, newer] = findEnvoys(process.env, () => undefined);
    if (older === undefined || newer === undefined) throw new Error("two Envoys are needed");
    artifacts.publish(before, older, findIstiod(before).ports.xds);
    artifacts.publish(after, newer, findIstiod(after).ports.xds);
    return [older, newer];
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
    const { artifacts, vms } = await openVmBed({ ...bed, groups: [{ namespace: "hand", name: "cart", count: 4 }] });
    const [older, newer] = publishAll(artifacts);
    await moveAll(vms, before);
    await expectAllAt(vms, before);
    const registered = () => readEntries(bed.cluster, "hand").map(({ address, uid }) => `${address} ${uid}`);
    const first = registered();
    expect(first).toHaveLength(vms.length);

    const load = startLoad(listTargets(vms), clients, thinkMs);
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
      for (const entry of readEntries(bed.cluster, "hand"))
        expect(entry).toMatchObject({ controller: `istiod-${revision}-0`, healthy: true });
    }
    await until("enough requests", async () => (await load.read()).answered >= fewRequests);
    const tally = await load.end();
    console.log(`${vms.length} VMs to the other istiod and back: ${describeTally(tally)}`);
    expect(tally).toMatchObject({ failed: 0, faults: {} });
  });

  it("a merge moves two groups to the other istiod within their budgets, and its revert moves them back", async () => {
    const bed = requireBed();
    const fleet = await ClusterFleet.open(bed.cluster, { "rollouts.yml": file(before), "meshroll.yml": settings });
    onTestFinished(async () => fleet.close());
    const api = await fleet.startApi(key);
    const joinFile = (name: string) => join(fleet.folder, `join-${name}`);
    for (const { namespace, name } of groups) {
      const call = { env: { ...fleet.env, MESHROLL_API_VM_KEY: key }, cwd: fleet.folder };
      const token = await runCli(["vms", "token", `one/${namespace}/${name}`], call);
      writeFileSync(joinFile(name), token.stdout);
    }
    const { artifacts, vms } = await openVmBed({
      ...bed,
      groups,
      env: ({ group, name, address }) => ({
        MESHROLL_AGENT_API: api,
        MESHROLL_AGENT_JOIN_TOKEN_FILE: joinFile(group.name),
        MESHROLL_AGENT_NAME: name,
        MESHROLL_AGENT_ADDRESS: address,
      }),
    });
    publishAll(artifacts);
    const runOn = async (revision: string) =>
      fleet.until(
        `all VMs run ${revision}`,
        () => vms.every((vm) => vm.report().revision === revision && vm.report().reason?.code === "UpToDate"),
        turnLimitMs,
      );
    await runOn(before);
    await expectAllAt(vms, before);

    const load = startLoad(listTargets(vms), clients, thinkMs);
    const budget = watchBudget(bed.cluster, fleet, vms);
    for (const [at, revision] of [after, before].entries()) {
      const begun = performance.now();
      await fleet.merge({ "rollouts.yml": file(revision) });
      const run = await fleet.untilRunEnds(at + 1, turnLimitMs);
      expect(run.outcome).toMatchObject({ migrated: groups.length, skipped: [] });
      await expectAllAt(vms, revision);
      expect(vms.map((vm) => vm.report().revision)).toEqual(vms.map(() => revision));
      console.log(
        `a merge moved ${vms.length} VMs to ${revision} in ${Math.round((performance.now() - begun) / 1000)} s`,
      );
    }
    const seen = await budget.end();
    await until("enough requests", async () => (await load.read()).answered >= manyRequests);
    const tally = await load.end();
    console.log(`${vms.length} VMs by a merge and its revert: ${describeTally(tally)}`);
    console.log(`most unavailable VMs in ${seen.samples} samples: ${JSON.stringify(seen.most)}`);
    expect(tally).toMatchObject({ failed: 0, faults: {} });
    // Half of each group; a watch that saw none proves nothing.
    expect(seen.most).toEqual({ cart: 2, ledger: 1 });
  }, 900_000);
});
