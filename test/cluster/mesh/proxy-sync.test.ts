import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { createWorkloads, readInjected } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { type OwnIstiod, startMesh } from "./start-mesh.ts";
import { connectProxies } from "./xds-proxy.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settings = [
  "defaults:",
  "  batch: { batchSize: 5, delayBetweenBatches: 0s, readinessTimeout: 1m }",
  "  bake: 2h",
  "  gates:",
  "    - { name: proxies, when: during, proxySync: { minSyncedRatio: 0.9, within: 1h } }",
].join("\n");
const web = { namespace: "shop", name: "web", replicas: 2, labels: { "istio.io/rev": before } };
const words = "Didn't find a registered implementation for 'istio.metadata_exchange'";

describe("a proxySync gate on a real istiod", () => {
  let [cluster, istiod, fleet]: [OwnCluster?, OwnIstiod?, ClusterFleet?] = [];
  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    const mesh = await startMesh(cluster, await findPrograms(istioModule, finding), [before, after]);
    istiod = mesh.istiods.get(after);
    createWorkloads(cluster, { shop: {} }, [web]);
    fleet = await ClusterFleet.open(cluster, { "rollouts.yml": file(before), "meshroll.yml": settings });
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  it("waits for the run's proxies, counts them, and stops the run with the words of one that refuses", async () => {
    if (cluster === undefined || istiod === undefined || fleet === undefined) throw new Error("no cluster");
    const bed = { cluster, istiod, fleet };
    const tells = (what: string) =>
      bed.fleet.until(what, async () => JSON.stringify(await bed.fleet.status()).includes(what));
    await bed.fleet.merge({ "rollouts.yml": file(after) });
    await bed.fleet.until("it has moved", () => readInjected(bed.cluster, web) === after);
    await tells("report no connected proxy yet");
    const proxies = await connectProxies(bed.cluster, bed.istiod, web.namespace, `app=${web.name}`);
    onTestFinished(() => proxies.forEach((each) => each.end()));
    expect(proxies).toHaveLength(2);
    await bed.fleet.until("the gate has its data", async () => {
      const said = JSON.stringify(await bed.fleet.status());
      return !said.includes("no connected proxy");
    });
    proxies[0]?.answer(words);
    await tells(
      `1 of 2 proxies refuses its configuration: minimum 90 % synced; ${proxies[0]?.name} in one refuses its`,
    );
    await tells(words);
  });
});
