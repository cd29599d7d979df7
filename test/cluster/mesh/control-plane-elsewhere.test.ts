import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";

import { printText } from "#libs/wording";

import { type OwnCluster, readAudit, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { type OwnMesh, startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settings = [
  "defaults: { batch: { batchSize: 5, delayBetweenBatches: 1s, readinessTimeout: 5m } }",
  "clusters: { one: { controlPlane: { cluster: mgmt } } }",
].join("\n");
const shop = { replicas: 2, namespace: "shop", labels: { "istio.io/rev": before } };
const workloads: readonly Workload[] = ["web", "api"].map((name) => ({ ...shop, name }));
const overlapping = "zzz-overlaps";

interface Webhooks {
  metadata: { name: string };
  webhooks: { objectSelector: { matchExpressions: { key: string; values?: string[] }[] } }[];
}

/** The old revision's webhooks, also for pods of the new one, under a name that is called last. */
function describeOverlap(cluster: OwnCluster): string {
  const text = cluster.kubectl([
    "get",
    "mutatingwebhookconfigurations",
    `istio-sidecar-injector-${before}`,
    "-o",
    "yaml",
  ]);
  const config = parse(text) as Webhooks;
  for (const { objectSelector } of config.webhooks)
    for (const { key, values } of objectSelector.matchExpressions) if (key === "istio.io/rev") values?.push(after);
  return stringify({ ...config, metadata: { name: overlapping } });
}

describe("a cluster whose control plane is elsewhere, without a Deployment of istiod", () => {
  let [cluster, mesh, fleet]: [OwnCluster?, OwnMesh?, ClusterFleet?] = [];
  const waits = async () => (await fleet?.status())?.waiting ?? [];
  const untilNamed = async (code: string, words: RegExp) =>
    fleet?.until(`status names ${code}`, async () => {
      return (await waits()).some((each) => each.code === code && words.test(printText(each.message)));
    });
  const dryRuns = () =>
    readAudit(cluster ?? { auditLog: "" }).filter(({ verb, user, objectRef }) => {
      return verb === "create" && objectRef?.resource === "pods" && user.username.endsWith(":meshroll-executor");
    });

  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    mesh = await startMesh(cluster, await findPrograms(istioModule, finding), [before, after]);
    cluster.kubectl(["-n", "istio-system", "delete", "deployments", "--all", "--wait"]);
    createWorkloads(cluster, { shop: {} }, workloads);
    fleet = await ClusterFleet.open(cluster, { "rollouts.yml": file(before), "meshroll.yml": settings });
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  it("waits while the target's webhook does not answer, with the API server's message", async () => {
    await mesh?.istiods.get(after)?.kill();
    // A successful dry run counts for some seconds, in which a merge would still move workloads.
    await fleet?.until("a dry run fails", () =>
      dryRuns().some(({ responseStatus }) => (responseStatus?.code ?? 0) >= 500),
    );
    await fleet?.merge({ "rollouts.yml": file(after) });
    await untilNamed("InjectionUnproven", /failed calling webhook/);
    expect((await waits()).map(({ command = "" }) => command).filter((each) => each.includes("istioctl"))).toEqual([]);
  });

  it("waits while another revision's webhook injects last, and says which sidecar came back", async () => {
    cluster?.kubectl(["apply", "-f", "-"], describeOverlap(cluster));
    cluster?.kubectl(["delete", "mutatingwebhookconfigurations", `istio-sidecar-injector-${after}`]);
    await untilNamed("RevisionMissing", /no injector webhook/);
    expect((await waits()).map(({ command = "" }) => command).filter((each) => each.includes("istioctl"))).toEqual([]);
    mesh?.restoreWebhooks(after);
    await mesh?.istiods.get(after)?.start();
    await untilNamed("InjectionRefused", new RegExp(`with the sidecar of ${before}`));
    cluster?.kubectl(["delete", "mutatingwebhookconfigurations", overlapping]);
  });

  it("moves as soon as a dry run returns the target's sidecar", async () => {
    const run = await fleet?.untilRunEnds();
    const revisions = workloads.map((each) => cluster && readInjected(cluster, each));
    expect([run?.state, run?.outcome?.migrated, ...revisions]).toEqual(["done", 2, after, after]);
  });

  it("created no pod: each create was a dry run, and the shipped policy refuses all others", () => {
    expect(dryRuns().length).toBeGreaterThan(0);
    expect(dryRuns().filter(({ requestURI }) => !requestURI.includes("dryRun=All"))).toEqual([]);
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "real" },
      spec: { containers: [{ name: "a", image: "a" }] },
    };
    const asExecutor = ["--as", "system:serviceaccount:meshroll-system:meshroll-executor", "-n", "meshroll-system"];
    expect(() => cluster?.kubectl([...asExecutor, "create", "-f", "-"], stringify(pod))).toThrow(
      /meshroll creates no pod, it only makes dry runs/,
    );
  });
});
