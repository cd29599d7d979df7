import { readFileSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type OwnCluster, readAudit, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const policy = readFileSync(new URL("../../../deploy/chart/rights/admission/pods.yaml", import.meta.url), "utf8");
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settingsOf = (deadline: string) =>
  `defaults:\n  strategy: OnDeploy\n  deadline: ${deadline}\n  batch: { batchSize: 5, readinessTimeout: 60s }\n` +
  "admission: { minDeploymentAge: 1s }\n";

const labels = { "istio.io/rev": before };
/** Its owner deploys it meanwhile, its node is drained meanwhile, and neither. */
const deployed: Workload = { namespace: "shop", name: "deployed", replicas: 2, labels };
const drained: Workload = { namespace: "shop", name: "drained", replicas: 2, labels };
const left: Workload = { namespace: "shop", name: "left", replicas: 2, labels };
const workloads = [deployed, drained, left];

describe("strategy OnDeploy on a real API server and two real istiods", () => {
  let [opened, openedFleet]: [OwnCluster?, ClusterFleet?] = [];
  const bed = (): OwnCluster => {
    if (opened === undefined) throw new Error("no cluster");
    return opened;
  };
  const fleet = (): ClusterFleet => {
    if (openedFleet === undefined) throw new Error("no fleet");
    return openedFleet;
  };
  const injected = (each: Workload) => readInjected(bed(), each);
  /** Deployments that the executor patched, sorted. */
  const listPatched = (): readonly string[] => {
    const own = readAudit(bed()).filter(({ user }) => user.username.endsWith(":meshroll-executor"));
    const patches = own.filter(({ verb, objectRef }) => verb === "patch" && objectRef?.resource === "deployments");
    return [...new Set(patches.map(({ objectRef }) => objectRef?.name ?? ""))].toSorted();
  };
  const findRun = async () => (await fleet().status())?.runs[0];

  beforeAll(async () => {
    opened = await startCluster(await findPrograms(kubeModule, finding));
    await startMesh(bed(), await findPrograms(istioModule, finding), [before, after]);
    bed().kubectl(["create", "namespace", "meshroll-system"]);
    bed().kubectl(["apply", "-f", "-"], policy);
    createWorkloads(bed(), { shop: {} }, workloads);
    openedFleet = await ClusterFleet.open(bed(), { "rollouts.yml": file(before), "meshroll.yml": settingsOf("1d") });
  });
  afterAll(async () => {
    await openedFleet?.close();
    await opened?.end();
  });

  it("4.2 an owner's deploy and a drained node move workloads, and meshroll restarts none", async () => {
    await fleet().merge({ "rollouts.yml": file(after) });
    await fleet().until("all are left to deploys", async () => (await findRun())?.waiting === 3);
    createWorkloads(bed(), { shop: {} }, [{ ...deployed, labels: { "istio.io/rev": after } }]);
    await fleet().until("the drained one is on the new revision", () => {
      bed().kubectl(["-n", "shop", "delete", "pods", "-l", "app=drained", "--wait=true", "--timeout=60s"]);
      return injected(drained) === after;
    });
    await fleet().until("two have migrated", async () => (await findRun())?.migrated === 2);
    const status = await fleet().status();
    expect(status?.waiting.map(({ code }) => code)).toEqual(["AwaitsDeploy"]);
    expect([injected(deployed), injected(drained), injected(left), ...listPatched()]).toEqual([after, after, before]);
  });

  it("4.2 the deadline restarts who is left, and nothing else", async () => {
    await fleet().merge({ "meshroll.yml": settingsOf("1s") });
    const run = await fleet().untilRunEnds();
    expect([run.outcome?.migrated, injected(left), ...listPatched()]).toEqual([3, after, "left"]);
  });
});
