import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type AuditEntry, type OwnCluster, readAudit, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { type OwnMesh, startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settings =
  "defaults:\n  batch: { batchSize: 5, delayBetweenBatches: 1s, readinessTimeout: 20s, failurePolicy: ContinueOnError }\n";

/** Namespaces by where their revision is decided: in the pod template, by the namespace's label, by a tag on it. */
const namespaces = { pods: {}, labelled: { "istio.io/rev": before }, tagged: { "istio.io/rev": "prod" }, plain: {} };
const labels = { "istio.io/rev": before };
const workloads: readonly (Workload & { readonly ends: string })[] = [
  { namespace: "pods", name: "web", replicas: 3, labels, ends: after },
  { namespace: "pods", name: "db", kind: "StatefulSet", replicas: 2, labels, ends: after },
  { namespace: "pods", name: "log", kind: "DaemonSet", labels, ends: after },
  {
    namespace: "pods",
    name: "broken",
    replicas: 2,
    labels: { ...labels, "bed.meshroll.dev/breaks-on": after },
    ends: before,
  },
  { namespace: "labelled", name: "web", replicas: 2, ends: after },
  { namespace: "labelled", name: "api", replicas: 2, ends: after },
  { namespace: "tagged", name: "web", replicas: 2, ends: after },
  { namespace: "plain", name: "web", replicas: 2, ends: "none" },
];

function listOwn(cluster: OwnCluster): readonly AuditEntry[] {
  return readAudit(cluster).filter(({ user }) => user.username.endsWith(":meshroll-executor"));
}

/** What the executor changed in workloads and namespaces, and the API server took. */
function listOwnWrites(cluster: OwnCluster): readonly string[] {
  const taken = listOwn(cluster).filter(
    ({ responseStatus, verb }) => (responseStatus?.code ?? 0) < 300 && verb === "patch",
  );
  return taken
    .map(({ objectRef: { resource = "", namespace = "", name = "" } = {} }) => `${resource} ${namespace}/${name}`)
    .filter((each) => !each.startsWith("configmaps "))
    .toSorted((a, b) => a.localeCompare(b));
}

describe("one merge on a real control plane with two real istiods", () => {
  let [cluster, mesh, fleet]: [OwnCluster?, OwnMesh?, ClusterFleet?] = [];
  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    mesh = await startMesh(cluster, await findPrograms(istioModule, finding), [before, after]);
    mesh.setTag("prod", before);
    createWorkloads(cluster, namespaces, workloads);
    fleet = await ClusterFleet.open(cluster, { "rollouts.yml": file(before), "meshroll.yml": settings });
    await fleet.merge({ "rollouts.yml": file(after) });
    const named = async () => (await fleet?.status())?.waitingFor.some(({ code }) => code === "TagNotMoved") === true;
    await fleet.until("status names the tag that its owner has to move", named);
    mesh.setTag("prod", after);
    await fleet.untilRunEnds();
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  it.each(workloads)("$namespace/$name ends on $ends, by what istiod injected", ({ ends, ...workload }) => {
    if (cluster === undefined) throw new Error("no cluster");
    expect(readInjected(cluster, workload)).toBe(ends);
  });

  it("wrote each workload once, the one that broke twice, and the label of the namespace, by the API server's audit log", () => {
    if (cluster === undefined) throw new Error("no cluster");
    expect(listOwnWrites(cluster)).toEqual([
      "daemonsets pods/log",
      "deployments labelled/api",
      "deployments labelled/web",
      "deployments pods/broken",
      "deployments pods/broken",
      "deployments pods/web",
      "deployments tagged/web",
      "namespaces labelled/labelled",
      "statefulsets pods/db",
    ]);
  });

  it("refused the executor nothing, by the RBAC and the admission policies that ship", () => {
    if (cluster === undefined) throw new Error("no cluster");
    const refused = listOwn(cluster).filter(({ responseStatus }) => (responseStatus?.code ?? 0) === 403);
    expect(refused.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource} ${objectRef?.name}`)).toEqual([]);
  });
});
