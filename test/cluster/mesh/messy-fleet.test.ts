import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";

import { runCli } from "#test/run-cli";
import type { RunRecord } from "#libs/plan";

import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { describeOddUsers } from "../fleet/odd-users.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { type OwnMesh, startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const file = (production: string, late: string) => `late:\n  ${late}: 100\nproduction:\n  ${production}: 100\n`;
const settings = [
  "defaults:",
  "  batch: { batchSize: 20, delayBetweenBatches: 0s, readinessTimeout: 20s, failurePolicy: ContinueOnError }",
  "  gates: [{ name: restarts, when: during, restartHealth: { maxFailureRatio: 1 } }]",
].join("\n");
const shop = { namespace: "shop", labels: { "istio.io/rev": before } };
const pinned = { "sidecar.istio.io/proxyImage": "registry.example/proxyv2:1.30.9" };

const web: Workload = { ...shop, name: "web", replicas: 2 };
const workloads: readonly Workload[] = [
  web,
  { ...shop, name: "asleep", replicas: 0 },
  { ...shop, name: "rolled", replicas: 0 },
  { ...shop, name: "pinned", replicas: 2, annotations: pinned },
];

/** Its pods crash on the new revision. */
const breaks = { ...shop.labels, "bed.meshroll.dev/breaks-on": after };
const db: Workload = { namespace: "late", name: "db", kind: "StatefulSet", replicas: 3, labels: breaks };

const rolloutCrd = stringify({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "rollouts.argoproj.io" },
  spec: {
    group: "argoproj.io",
    scope: "Namespaced",
    names: { kind: "Rollout", plural: "rollouts" },
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});

/**
 * Objects as Argo Rollouts leaves them for a Rollout that uses the template of Deployment `rolled`: a ReplicaSet owned by the
 * Rollout.
 */
function addRollout(cluster: OwnCluster): void {
  const apiVersion = "argoproj.io/v1alpha1";
  const spec = { workloadRef: { apiVersion: "apps/v1", kind: "Deployment", name: "rolled" } };
  const rollout = { apiVersion, kind: "Rollout", metadata: { namespace: "shop", name: "rolled" }, spec };
  cluster.kubectl(["apply", "-f", "-"], rolloutCrd);
  cluster.kubectl(["wait", "--for=condition=Established", "crd/rollouts.argoproj.io", "--timeout=60s"]);
  cluster.kubectl(["apply", "-f", "-"], stringify(rollout));
  const uid = cluster.kubectl([
    "-n",
    "shop",
    "get",
    "rollouts.argoproj.io",
    "rolled",
    "-o",
    "jsonpath={.metadata.uid}",
  ]);
  const owner = { apiVersion, kind: "Rollout", name: "rolled", uid, controller: true, blockOwnerDeletion: true };
  const matchLabels = { app: "rolled", "rollouts-pod-template-hash": "5d6f" };
  const labels = { ...matchLabels, "istio.io/rev": before };
  const replicaSet = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { namespace: "shop", name: "rolled-5d6f", labels: matchLabels, ownerReferences: [owner] },
    spec: {
      replicas: 2,
      selector: { matchLabels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "registry.example/app:1" }] } },
    },
  };
  cluster.kubectl(["apply", "-f", "-"], stringify(replicaSet));
  const ready = ["wait", "rs/rolled-5d6f", "--for=jsonpath={.status.readyReplicas}=2", "--timeout=60s"];
  cluster.kubectl(["-n", "shop", ...ready]);
}

describe("a fleet with unusual workloads, on a real control plane with two real istiods", () => {
  let [cluster, mesh, fleet, run]: [OwnCluster?, OwnMesh?, ClusterFleet?, RunRecord?] = [];
  const ask = async (...args: readonly string[]) => {
    const { env = {}, folder = "" } = fleet ?? {};
    const look = ["--kubeconfig", cluster?.kubeconfig ?? "", "--clusters", "one=bed"];
    const { stdout, stderr } = await runCli([...args, ...look], { env, cwd: folder });
    return { stdout, text: (stdout + stderr).replaceAll(/\s+/gu, " ") };
  };

  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    mesh = await startMesh(cluster, await findPrograms(istioModule, finding), [before, after]);
    createWorkloads(cluster, { shop: {}, odd: {}, late: {} }, [...workloads, db]);
    addRollout(cluster);
    cluster.kubectl(["apply", "-f", "-"], describeOddUsers(before));
    cluster.kubectl(["-n", "odd", "wait", "--for=condition=Ready", "pods", "--all", "--timeout=60s"]);
    fleet = await ClusterFleet.open(cluster, { "rollouts.yml": file(before, before), "meshroll.yml": settings });
    await fleet.merge({ "rollouts.yml": file(after, before) });
    run = await fleet.untilRunEnds();
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  it("3 counts only workloads with the target's sidecar as migrated, and names all others", () => {
    const skipped = (run?.outcome?.skipped ?? []).map(({ workload, code }) => `${workload} ${code}`);
    expect([run?.state, run?.outcome?.migrated, run?.outcome?.idle, skipped.toSorted()]).toEqual([
      "done",
      1,
      1,
      [
        "shop/Deployment/pinned ProxyPinned",
        "shop/Deployment/rolled ManagedByRollout",
        "shop/Rollout/rolled TemplateElsewhere",
      ],
    ]);
  });

  it("3 changes the label of a workload with a pinned image, and writes nothing to one of a Rollout", () => {
    if (cluster === undefined) throw new Error("no cluster");
    const ends = ["web", "pinned", "rolled"].map(
      (name) => cluster && readInjected(cluster, { namespace: "shop", name }),
    );
    expect(ends).toEqual([after, after, before]);
    const path = "jsonpath={.spec.template.metadata.labels.istio\\.io/rev}";
    expect(cluster.kubectl(["-n", "shop", "get", "deployment", "rolled", "-o", path])).toBe(before);
  });

  it("2 counts everything that runs or requests the old revision, of any kind", async () => {
    const { stdout } = await ask("get", "revisions", "-o", "json");
    const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly revision: string }[] };
    // Pods of the StatefulSet that has not moved yet, two of the Rollout, a bare pod, and a Job's pod.
    expect(items.find(({ revision }) => revision === before)).toMatchObject({ workloads: 2, others: 2, pods: 7 });
    const explained = await ask("explain", "odd");
    for (const each of ["Pod/bare", "Job/report"]) expect(explained.text).toContain(each);
    expect((await ask("explain", "shop")).text).toContain("Rollout/rolled");
  });

  it("1 does not undo to a revision that nothing serves any more", async () => {
    if (cluster === undefined || fleet === undefined) throw new Error("no cluster");
    const [bed, here] = [cluster, fleet];
    bed.kubectl(["delete", "mutatingwebhookconfigurations", `istio-sidecar-injector-${before}`]);
    await here.merge({ "rollouts.yml": file(after, after) });
    const failed = () =>
      bed.kubectl(["-n", "late", "get", "sts", "db", "-o", "jsonpath={.metadata.annotations.meshroll\\.dev/failed}"]);
    await here.until("it has failed", () => failed() !== "");
    expect(failed()).toMatch(/RevisionMissing 1-30 \{"code":"Crash"/u);
    expect(readInjected(bed, db)).toBe(`${before}+${after}`);
    mesh?.restoreWebhooks(before);
    await mesh?.istiods.get(before)?.start();
    await here.until("its template is put back", () => !failed().includes("RevisionMissing"));
  });
});
