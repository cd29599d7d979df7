import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runCli } from "#test/run-cli";

import { type AuditEntry, type OwnCluster, readAudit, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { describeOddUsers } from "../fleet/odd-users.ts";
import { readReasons } from "../fleet/read-events.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { type OwnMesh, startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settings =
  "defaults:\n  batch: { batchSize: 5, delayBetweenBatches: 1s, readinessTimeout: 20s, failurePolicy: ContinueOnError }\n";

/** Namespaces named after the place of their revision: in pod templates, in the namespace's label, in a tag on it. */
const namespaces = { pods: {}, labelled: { "istio.io/rev": before }, tagged: { "istio.io/rev": "prod" }, plain: {} };
const labels = { "istio.io/rev": before };
/** Reasons of the Events of a workload that moved, in order. */
const moved = ["RevisionMigrating", "RevisionMigrated"];
const workloads: readonly (Workload & { readonly ends: string; readonly events: readonly string[] })[] = [
  { namespace: "pods", name: "web", replicas: 3, labels, ends: after, events: moved },
  { namespace: "pods", name: "db", kind: "StatefulSet", replicas: 2, labels, ends: after, events: moved },
  { namespace: "pods", name: "log", kind: "DaemonSet", labels, ends: after, events: moved },
  {
    namespace: "pods",
    name: "broken",
    replicas: 2,
    labels: { ...labels, "bed.meshroll.dev/breaks-on": after },
    ends: before,
    events: ["RevisionMigrating", "RevisionMigrationFailed"],
  },
  { namespace: "labelled", name: "web", replicas: 2, ends: after, events: moved },
  { namespace: "labelled", name: "api", replicas: 2, ends: after, events: moved },
  { namespace: "tagged", name: "web", replicas: 2, ends: after, events: moved },
  { namespace: "plain", name: "web", replicas: 2, ends: "none", events: [] },
];

function listOwn(cluster: OwnCluster): readonly AuditEntry[] {
  return readAudit(cluster).filter(({ user }) => user.username.endsWith(":meshroll-executor"));
}

/** Accepted writes of the executor to workloads and namespaces, without those that only record an arrival. */
function listOwnWrites(cluster: OwnCluster): readonly string[] {
  const taken = listOwn(cluster).filter(
    ({ responseStatus, verb, requestURI }) =>
      (responseStatus?.code ?? 0) < 300 && verb === "patch" && !requestURI.includes("fieldManager=meshroll-record"),
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
    const named = async () => (await fleet?.status())?.waiting.some(({ code }) => code === "TagNotMoved") === true;
    await fleet.until("status names the tag that its owner has to move", named);
    mesh.setTag("prod", after);
    await fleet.untilRunEnds();
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  it.each(workloads)("$namespace/$name ends with $ends injected", ({ ends, ...workload }) => {
    if (cluster === undefined) throw new Error("no cluster");
    expect(readInjected(cluster, workload)).toBe(ends);
  });

  it("wrote each workload once, the failed one twice, and the namespace's label, by the API server's audit log", () => {
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

  it.each(workloads)(
    "kubectl describe shows the Events of $namespace/$name: $events",
    async ({ events, ...workload }) => {
      if (cluster === undefined || fleet === undefined) throw new Error("no cluster");
      const bed = cluster;
      await fleet.until("the last Event is there", () => readReasons(bed, workload).length >= events.length);
      expect(readReasons(cluster, workload)).toEqual(events);
      const described = cluster.kubectl([
        "-n",
        workload.namespace,
        "describe",
        workload.kind ?? "Deployment",
        workload.name,
      ]);
      for (const reason of events)
        expect(described).toMatch(new RegExp(`${reason} .*meshroll.dev/executor .*run [0-9a-f]{12}`, "u"));
    },
  );

  it("an executor that is killed and restarted writes no Event twice, as the API server refuses the repeated ones", async () => {
    if (cluster === undefined || fleet === undefined) throw new Error("no cluster");
    const bed = cluster;
    const before = workloads.map((each) => readReasons(bed, each));
    await fleet.kill("executor");
    fleet.start("executor");
    const countRefused = () =>
      listOwn(bed).filter(({ objectRef, responseStatus }) => {
        return objectRef?.resource === "events" && responseStatus?.code === 409;
      }).length;
    await fleet.until("it has told again", () => countRefused() > 0);
    expect(workloads.map((each) => readReasons(bed, each))).toEqual(before);
  });

  it("nothing was refused by the shipped RBAC and admission policies", () => {
    if (cluster === undefined) throw new Error("no cluster");
    const refused = listOwn(cluster).filter(({ responseStatus }) => (responseStatus?.code ?? 0) === 403);
    expect(refused.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource} ${objectRef?.name}`)).toEqual([]);
  });

  it("retire names every user of the old revision, of any kind, and certifies it once all are gone", async () => {
    if (cluster === undefined || fleet === undefined) throw new Error("no cluster");
    const [bed, { env, folder }] = [cluster, fleet];
    bed.kubectl(["create", "namespace", "odd"]);
    bed.kubectl(["apply", "-f", "-"], describeOddUsers(before));
    bed.kubectl(["-n", "odd", "wait", "--for=condition=Ready", "pods", "--all", "--timeout=60s"]);
    mesh?.setTag("old", before);
    const ask = async (...args: readonly string[]) =>
      runCli(["retire", before, "--kubeconfig", bed.kubeconfig, "--clusters", "one=bed", ...args], {
        env,
        cwd: folder,
      });

    const used = await ask();
    expect([used.code, used.stderr]).toEqual([83, ""]);
    const told = used.stdout.replaceAll(/\s+/gu, " ");
    for (const line of [
      "odd/Pod/bare 1 pod runs it",
      "odd/Job/report 1 pod runs it",
      "odd/CronJob/nightly its next pod asks for it",
      "odd/Sidecar/narrow selects it alone",
      "Namespace/odd-later its label makes new pods use it",
      "pods/Deployment/broken 2 pods run it",
      "tag/old points to it",
    ])
      expect(told).toContain(line);

    bed.kubectl(["delete", "namespace", "odd", "odd-later", "--wait"]);
    bed.kubectl(["-n", "pods", "delete", "deployment", "broken", "--wait", "--cascade=foreground"]);
    bed.kubectl(["delete", "mutatingwebhookconfiguration", "istio-revision-tag-old"]);
    await fleet.until("its pods are gone", () => readInjected(bed, { namespace: "pods", name: "broken" }) === "");
    // KWOK's pods do not answer istiod's debug requests, so as long as istiod has a pod, its proxies are unknown.
    const unknown = await ask("-o", "json");
    expect([unknown.code, JSON.parse(unknown.stdout)]).toEqual([
      69,
      expect.objectContaining({
        verdict: "unknown",
        clusters: [
          expect.objectContaining({
            uses: [],
            unread: [expect.stringContaining(`proxies of istio-system/Pod/istiod-${before}-`)],
          }),
        ],
      }),
    ]);
    bed.kubectl(["-n", "istio-system", "delete", "deployment", `istiod-${before}`, "--wait", "--cascade=foreground"]);
    const free = await ask("-o", "json");
    const certificate = JSON.parse(free.stdout) as object;
    expect([free.code, certificate]).toEqual([
      0,
      expect.objectContaining({ kind: "RetirementCertificate", revision: before, verdict: "retired", waysBack: [] }),
    ]);
    // The executor may not read everything that `retire` needs, so nothing is certified.
    const blind = await runCli(
      ["retire", before, "--kubeconfig", `${bed.folder}/executor.kubeconfig`, "--clusters", "one=bed"],
      { env, cwd: folder },
    );
    expect([blind.code, blind.stdout.replaceAll(/\s+/gu, " ")]).toEqual([
      69,
      expect.stringContaining("validatingwebhookconfigurations.admissionregistration.k8s.io is forbidden"),
    ]);
  });
});
