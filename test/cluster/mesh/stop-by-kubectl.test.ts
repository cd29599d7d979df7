import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settings = "defaults:\n  batch: { batchSize: 1, delayBetweenBatches: 2s, readinessTimeout: 5m }\n";
const shop = { replicas: 1, namespace: "shop", labels: { "istio.io/rev": before } };
const workloads: readonly Workload[] = Array.from({ length: 6 }, (_, i) => ({ ...shop, name: `web-${i}` }));

describe("the stop by kubectl, on a cluster that was set up by the shipped manifests alone", () => {
  let [cluster, fleet]: [OwnCluster?, ClusterFleet?] = [];
  const countMoved = () =>
    workloads.filter((each) => cluster !== undefined && readInjected(cluster, each) === after).length;

  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    await startMesh(cluster, await findPrograms(istioModule, finding), [before, after]);
    createWorkloads(cluster, { shop: {} }, workloads);
    fleet = await ClusterFleet.open(cluster, { "rollouts.yml": file(before), "meshroll.yml": settings });
    await fleet.merge({ "rollouts.yml": file(after) });
    await fleet.until("the first is there", () => countMoved() > 0);
    cluster.kubectl(["-n", "meshroll-system", "create", "configmap", "meshroll-stop"]);
    await fleet.until("status names it", async () => {
      return (await fleet?.status())?.stops.some(({ id }) => id === "kubectl") === true;
    });
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  it("moves nothing new while the ConfigMap exists, and continues when it is deleted", async () => {
    if (cluster === undefined || fleet === undefined) throw new Error("no cluster");
    const held = countMoved();
    // Longer than three delays between batches, in which workloads would move without the stop.
    const end = Date.now() + 8_000;
    await fleet.until("some batches could have begun", () => Date.now() > end);
    // One batch may have begun before the stop.
    expect(countMoved() - held).toBeLessThanOrEqual(1);
    expect(countMoved()).toBeLessThan(workloads.length);

    cluster.kubectl(["-n", "meshroll-system", "delete", "configmap", "meshroll-stop"]);
    await fleet.untilRunEnds();
    expect(countMoved()).toBe(workloads.length);
  });
});
