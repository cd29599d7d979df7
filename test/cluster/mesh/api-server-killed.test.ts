import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type OwnCluster, readAudit, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settings = "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 1s, readinessTimeout: 5m }\n";
const labels = { "istio.io/rev": before };
// Each pod takes a moment to become ready, so that the API server ends in the middle of a rollout.
const annotations = { "bed.meshroll.dev/ready-after": "2s" };
const shop = { replicas: 2, namespace: "shop", labels, annotations };
const workloads: readonly Workload[] = Array.from({ length: 8 }, (_, i) => ({ ...shop, name: `web-${i}` }));

describe("an API server that is killed in the middle of a run", () => {
  let [cluster, fleet]: [OwnCluster?, ClusterFleet?] = [];
  const writes = () =>
    cluster === undefined
      ? []
      : readAudit(cluster)
          .filter(({ user, verb, responseStatus, requestURI }) => {
            const isOurs = user.username.endsWith(":meshroll-executor") && requestURI.endsWith("fieldManager=meshroll");
            return isOurs && verb === "patch" && responseStatus?.code === 200;
          })
          .map(({ objectRef }) => objectRef?.name)
          .filter((name) => name?.startsWith("web-"));

  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    await startMesh(cluster, await findPrograms(istioModule, finding), [before, after]);
    createWorkloads(cluster, { shop: {} }, workloads);
    fleet = await ClusterFleet.open(cluster, { "rollouts.yml": file(before), "meshroll.yml": settings });
    await fleet.merge({ "rollouts.yml": file(after) });
    await fleet.until("a batch begins", () => writes().length >= 3);
    await cluster.killAndStart("kube-apiserver");
    await fleet.untilRunEnds();
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  it.each(workloads)("$name ends on the target", (workload) => {
    if (cluster === undefined) throw new Error("no cluster");
    expect(readInjected(cluster, workload)).toBe(after);
  });

  it("wrote each workload once, by the API server's audit log", () => {
    const sorted = writes().toSorted((a = "", b = "") => a.localeCompare(b));
    expect(sorted).toEqual(workloads.map(({ name }) => name));
  });
});
