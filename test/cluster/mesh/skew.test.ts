import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runCli } from "#test/run-cli";
import type { RunRecord } from "#libs/plan";

import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { type OwnMesh, startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-29", "1-31"];
/** The tag decides which proxy an injector gives, as in a release. Both istiods are one build, so they are not asked for their version. */
const tagOf = (version: string) => [`values.global.tag=${version}`];
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settings = "defaults:\n  batch: { batchSize: 20, delayBetweenBatches: 0s, readinessTimeout: 30s }\n";

const labels = { "istio.io/rev": before };
const pin = (tag: string) => ({ "sidecar.istio.io/proxyImage": `registry.example/proxyv2:${tag}` });
interface Pinned extends Workload {
  readonly ends: string;
  readonly image: string;
  readonly code?: string;
}
const workloads: readonly Pinned[] = [
  { namespace: "shop", name: "plain", replicas: 2, labels, ends: after, image: "docker.io/istio/proxyv2:1.31.0" },
  {
    namespace: "shop",
    name: "behind-by-one",
    labels,
    annotations: pin("1.30.4"),
    ends: after,
    image: "registry.example/proxyv2:1.30.4",
    code: "ProxyPinned",
  },
  {
    namespace: "shop",
    name: "behind-by-two",
    labels,
    annotations: pin("1.29.4"),
    ends: before,
    image: "registry.example/proxyv2:1.29.4",
    code: "ProxySkew",
  },
  {
    namespace: "shop",
    name: "unknown",
    labels,
    annotations: pin("latest"),
    ends: before,
    image: "registry.example/proxyv2:latest",
    code: "ProxySkew",
  },
];

describe("a move by two minors, on a real API server with two real istiods", () => {
  let [cluster, mesh, fleet, run]: [OwnCluster?, OwnMesh?, ClusterFleet?, RunRecord?] = [];
  const bed = (): OwnCluster => {
    if (cluster === undefined) throw new Error("no cluster");
    return cluster;
  };
  /** Images of the sidecars of a workload's pods. */
  const readImages = ({ namespace, name }: Workload): string => {
    const path = 'jsonpath={.items[*].spec.initContainers[?(@.name=="istio-proxy")].image}';
    const all = bed()
      .kubectl(["-n", namespace, "get", "pods", "-l", `app=${name}`, "-o", path])
      .split(" ");
    return [...new Set(all)].join(" ");
  };
  const listSkewed = async () => {
    const problems = (await fleet?.status())?.clusters[0]?.problems ?? [];
    return problems.filter((each) => each.startsWith("ProxySkew"));
  };

  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    const istio = await findPrograms(istioModule, finding);
    const chartOf = { [before]: tagOf("1.29.2"), [after]: tagOf("1.31.0") };
    mesh = await startMesh(cluster, istio, [before, after], { chartOf, isReached: false });
    createWorkloads(cluster, { shop: {} }, workloads);
    fleet = await ClusterFleet.open(cluster, { "rollouts.yml": file(before), "meshroll.yml": settings });
    await fleet.merge({ "rollouts.yml": file(after) });
    run = await fleet.untilRunEnds();
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  it.each(workloads)("$name ends on $ends with $image: $code", ({ ends, image, code, ...each }) => {
    const skipped = run?.outcome?.skipped.find(({ workload }) => workload === `shop/Deployment/${each.name}`);
    expect([readInjected(bed(), each), readImages(each), skipped?.code]).toEqual([ends, image, code]);
  });

  it("a revision that is upgraded in place by two minors: status and doctor name its pods until they are restarted", async () => {
    expect(await listSkewed()).toEqual([]);
    mesh?.upgrade(after, tagOf("1.33.0"));
    await fleet?.until("status names them", async () => (await listSkewed()).length === 2);
    const [pinned, plain] = await listSkewed();
    const { env = {}, folder: cwd = "" } = fleet ?? {};
    const examined = await runCli(["doctor", "--only", "k8s"], { env, cwd });
    expect(pinned).toContain(
      "proxy 1.30.4, more than one minor from istiod 1.33.0 of 1-31: shop/Deployment/behind-by-one 1/1;",
    );
    expect(plain).toContain("proxy 1.31.0, more than one minor from istiod 1.33.0 of 1-31: shop/Deployment/plain 2/2;");
    expect(examined.stdout.replaceAll(/\s+/gu, " ")).toContain("ProxySkew: 1 workload has pods with a proxy 1.30.4");

    bed().kubectl(["-n", "shop", "rollout", "restart", "deployment/plain"]);
    await fleet?.until("a restart ends it", async () => (await listSkewed()).length === 1);
    expect(readImages({ namespace: "shop", name: "plain" })).toBe("docker.io/istio/proxyv2:1.33.0");
  });
});
