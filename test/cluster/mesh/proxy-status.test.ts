import { execFileSync } from "node:child_process";

import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed, onTestFinished } from "vitest";

import { type Cluster, openCluster } from "#libs/kube";
import { openClock } from "#libs/runtime";

import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { logInAsExecutor } from "../fleet/executor-login.ts";
import { createWorkloads } from "../fleet/workloads.ts";
import { type ClusterPrograms, findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { type OwnMesh, startMesh } from "./start-mesh.ts";
import { connectProxies, type XdsProxy } from "./xds-proxy.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const patience = { timeout: 20_000, interval: 200 };
const words = "Didn't find a registered implementation for 'istio.metadata_exchange'";

/** The end of what KWOK and the istiods printed. */
function readLogs({ folder }: OwnCluster): string {
  return execFileSync("sh", ["-c", 'tail -n 15 "$0"/logs/kwok.log "$0"/logs/istiod-*.log', folder], {
    encoding: "utf8",
  });
}

interface Bed {
  readonly cluster: OwnCluster;
  readonly istio: ClusterPrograms;
  readonly mesh: OwnMesh;
  readonly adapter: Cluster;
}

describe("proxies of two real istiods, as the executor reads them", () => {
  let bed: Bed | undefined;
  const need = (): Bed => {
    if (bed === undefined) throw new Error("no cluster");
    return bed;
  };

  /** Stand-ins for the Envoys of all pods of a Deployment. */
  async function connect(
    revision: string,
    name: string,
    istiod = need().mesh.istiods.get(revision),
  ): Promise<readonly XdsProxy[]> {
    const { cluster } = need();
    if (istiod === undefined) throw new Error(`no istiod ${revision}`);
    const proxies = await connectProxies(cluster, istiod, "shop", `app=${name}`);
    onTestFinished(() => proxies.forEach((each) => each.end()));
    return proxies;
  }

  async function read(revision: string) {
    const { adapter } = need();
    await adapter.readIstiods();
    return adapter.view.facts().revisions.find(({ name }) => name === revision);
  }

  /** `<pod>.<namespace>` -> what `istioctl proxy-status` prints of its clusters and listeners. */
  function readByIstioctl(revision: string): Readonly<Record<string, string>> {
    const { cluster, istio } = need();
    const { path, prefix } = istio("istioctl");
    const args = [...prefix, "proxy-status", "--revision", revision, "-v", "1", "--kubeconfig", cluster.kubeconfig];
    const [head = "", ...rows] = execFileSync(path, args, { encoding: "utf8" }).trim().split("\n");
    const columns = head.split(/ {2,}/u);
    const find = (cells: readonly string[], name: string) => cells[columns.indexOf(name)]?.replace(/ *\(.*/u, "") ?? "";
    const cells = rows.map((row) => row.split(/ {2,}/u));
    return Object.fromEntries(cells.map((row) => [row[0] ?? "", `${find(row, "CDS")}, ${find(row, "LDS")}`]));
  }

  beforeAll(async () => {
    const cluster = await startCluster(await findPrograms(kubeModule, finding));
    const istio = await findPrograms(istioModule, finding);
    const mesh = await startMesh(cluster, istio, [before, after]);
    const kubeconfig = { path: logInAsExecutor(cluster) };
    const adapter = openCluster({ name: "one", kubeconfig, clock: openClock(undefined) });
    bed = { cluster, istio, mesh, adapter };
    createWorkloads(cluster, { shop: {} }, [
      { namespace: "shop", name: "old", replicas: 2, labels: { "istio.io/rev": before } },
      { namespace: "shop", name: "new", replicas: 3, labels: { "istio.io/rev": after } },
    ]);
    await adapter.start(() => undefined, AbortSignal.timeout(3_600_000));
  });
  afterAll(async () => bed?.cluster.end());

  beforeEach(() => onTestFailed(() => console.log(need().adapter.problems(), readLogs(need().cluster))));

  it("says the version of each, and no proxy while none is connected: our own question is none, and leaves none", async () => {
    for (const revision of [before, after]) {
      await expect
        .poll(() => read(revision), patience)
        .toMatchObject({ version: "1.31.0", proxies: { connected: 0, synced: 0 } });
      expect(need().adapter.problems()).toEqual([]);
      const { monitoring = 0 } = need().mesh.istiods.get(revision)?.ports ?? {};
      const metrics = await (await fetch(`http://127.0.0.1:${monitoring}/metrics`)).text();
      expect(metrics.match(/^pilot_xds[ {].*$/gmu)).toEqual(['pilot_xds{version="meshroll"} 0']);
    }
  });

  it("counts what istioctl proxy-status shows, of each istiod", async () => {
    const proxies = [...(await connect(before, "old")), ...(await connect(after, "new"))];
    await expect.poll(() => read(before), patience).toMatchObject({ proxies: { connected: 2, synced: 2 } });
    await expect.poll(() => read(after), patience).toMatchObject({ proxies: { connected: 3, synced: 3 } });
    expect((await read(after))?.proxies?.byNamespace).toEqual({ shop: [3, 3] });
    const shown = { ...readByIstioctl(before), ...readByIstioctl(after) };
    expect(shown).toEqual(Object.fromEntries(proxies.map(({ name }) => [name, "SYNCED, SYNCED"])));
  });

  it("a proxy that refuses its configuration is told with istiod's words, until it takes one", async () => {
    const [first] = await connect(after, "new");
    first?.answer(words);
    await expect
      .poll(() => read(after), patience)
      .toMatchObject({
        proxies: {
          connected: 3,
          synced: 2,
          refused: 1,
          refusals: [{ proxy: first?.name, why: words }],
          byNamespace: { shop: [3, 2, 1] },
        },
      });
    expect(readByIstioctl(after)[first?.name ?? ""]).toBe("ERROR, ERROR");
    first?.answer(undefined);
    await expect.poll(() => read(after), patience).toMatchObject({ proxies: { connected: 3, synced: 3 } });
    expect((await read(after))?.proxies).not.toHaveProperty("refused");
  });

  it("counts the proxies of both replicas of an istiod, and of neither while one of them does not answer", async () => {
    const { cluster, mesh } = need();
    const replica = await mesh.addReplica(before);
    createWorkloads(cluster, { shop: {} }, [
      { namespace: "shop", name: "more", replicas: 4, labels: { "istio.io/rev": before } },
    ]);
    const proxies = [...(await connect(before, "old")), ...(await connect(before, "more", replica))];
    proxies.at(-1)?.answer(words);
    const whole = { connected: 6, synced: 5, refused: 1, refusals: [{ proxy: proxies.at(-1)?.name }] };
    await expect.poll(() => read(before), patience).toMatchObject({ version: "1.31.0", proxies: whole });
    expect(Object.keys(readByIstioctl(before)).toSorted()).toEqual(proxies.map(({ name }) => name).toSorted());
    await replica.kill();
    const without = await read(before);
    expect(without).toMatchObject({ version: "1.31.0", istiod: "ready" });
    expect(without).not.toHaveProperty("proxies");
  });
});
