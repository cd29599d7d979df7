import { printText } from "#libs/wording";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type OwnCluster, readAudit, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { readReasons } from "../fleet/read-events.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
// Three of thirteen fail on purpose, for which the built-in gate would stop the run.
const settings = [
  "defaults:",
  "  batch: { batchSize: 20, delayBetweenBatches: 0s, readinessTimeout: 15s, failurePolicy: ContinueOnError }",
  "  gates: [{ name: restarts, when: during, restartHealth: { maxFailureRatio: 1 } }]",
].join("\n");
const labels = { "istio.io/rev": before };
const breaks = { ...labels, "bed.meshroll.dev/breaks-on": after };
const rolling = (rollingUpdate: object) => ({ updateStrategy: { type: "RollingUpdate", rollingUpdate } });

interface Shape extends Workload {
  /** The revisions of its pods in the end. */
  readonly ends: string;
  /** Writes of the executor to it. */
  readonly writes: number;
  /** The code with which the run skips it; absent when it is migrated. */
  readonly skipped?: string;
}

const namespace = "shop";
const shapes: readonly Shape[] = [
  { namespace, name: "plain", replicas: 2, labels, ends: after, writes: 1 },
  {
    namespace,
    name: "recreate",
    replicas: 2,
    labels,
    spec: { strategy: { type: "Recreate" } },
    ends: after,
    writes: 1,
  },
  { namespace, name: "min-ready", replicas: 2, labels, spec: { minReadySeconds: 10 }, ends: after, writes: 1 },
  { namespace, name: "one-by-one", kind: "StatefulSet", replicas: 3, labels, ends: after, writes: 1 },
  {
    namespace,
    name: "parallel",
    kind: "StatefulSet",
    replicas: 3,
    labels,
    spec: { podManagementPolicy: "Parallel" },
    ends: after,
    writes: 1,
  },
  {
    namespace,
    name: "surges",
    kind: "DaemonSet",
    labels,
    spec: rolling({ maxSurge: 1, maxUnavailable: 0 }),
    ends: after,
    writes: 1,
  },
  {
    namespace,
    name: "partitioned",
    kind: "StatefulSet",
    replicas: 3,
    labels,
    spec: rolling({ partition: 2 }),
    ends: before,
    writes: 0,
    skipped: "Partitioned",
  },
  {
    namespace,
    name: "on-delete",
    kind: "StatefulSet",
    replicas: 2,
    labels,
    spec: { updateStrategy: { type: "OnDelete" } },
    ends: before,
    writes: 0,
    skipped: "OnDelete",
  },
  {
    namespace,
    name: "paused",
    replicas: 2,
    labels,
    spec: { paused: true },
    ends: before,
    writes: 0,
    skipped: "PausedByOwner",
  },
  { namespace, name: "breaks", replicas: 2, labels: breaks, ends: before, writes: 2, skipped: "ReadinessTimeout" },
  {
    namespace,
    name: "breaks-in-order",
    kind: "StatefulSet",
    replicas: 3,
    labels: breaks,
    ends: `${before}+${after}`,
    writes: 2,
    skipped: "ReadinessTimeout",
  },
  {
    namespace,
    name: "breaks-everywhere",
    kind: "DaemonSet",
    labels: breaks,
    ends: before,
    writes: 2,
    skipped: "ReadinessTimeout",
  },
  { namespace, name: "none", replicas: 0, labels, ends: "", writes: 1 },
];

/** Accepted writes of the executor to the workload of this name, without those that only record an arrival. */
function countWrites(cluster: OwnCluster, name: string): number {
  return readAudit(cluster).filter(({ user, verb, objectRef, responseStatus, requestURI }) => {
    const isOurs = user.username.endsWith(":meshroll-executor") && verb === "patch";
    return (
      isOurs &&
      !requestURI.includes("fieldManager=meshroll-record") &&
      responseStatus?.code === 200 &&
      objectRef?.name === name
    );
  }).length;
}

describe("each shape of workload, on a real control plane", () => {
  let [cluster, fleet]: [OwnCluster?, ClusterFleet?] = [];
  const skipped = new Map<string, string>();
  const words = new Map<string, string>();
  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    await startMesh(cluster, await findPrograms(istioModule, finding), [before, after]);
    const unpaused = shapes.filter(({ name }) => name !== "paused");
    createWorkloads(cluster, { [namespace]: {} }, unpaused);
    // A Deployment that is created paused makes no pods, so it is paused later.
    createWorkloads(
      cluster,
      {},
      shapes.filter(({ name }) => name === "paused").map((each) => ({ ...each, spec: {} })),
    );
    cluster.kubectl(["-n", namespace, "rollout", "pause", "deployment/paused"]);
    fleet = await ClusterFleet.open(cluster, { "rollouts.yml": file(before), "meshroll.yml": settings });
    await fleet.merge({ "rollouts.yml": file(after) });
    const run = await fleet.untilRunEnds();
    for (const { workload, code, message } of run.outcome?.skipped ?? []) {
      skipped.set(workload, code);
      words.set(workload, printText(message));
    }
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  it.each(shapes)("$name: $ends after $writes writes, $skipped", (shape) => {
    if (cluster === undefined) throw new Error("no cluster");
    const { name, kind = "Deployment", ends, writes, skipped: why } = shape;
    const code = skipped.get(`${namespace}/${kind}/${name}`);
    expect([readInjected(cluster, shape), countWrites(cluster, name), code]).toEqual([ends, writes, why]);
  });

  // KWOK writes these statuses as a kubelet does, the API server takes and lists them.
  it.each(["Deployment/breaks", "StatefulSet/breaks-in-order", "DaemonSet/breaks-everywhere"])(
    "the ledger has what the pods of %s said when its move failed",
    (name) => {
      expect(words.get(`${namespace}/${name}`)).toMatch(/^ReadinessTimeout: [a-z-]+ exited 1, \d+ restarts?$/u);
    },
  );

  it("one Event tells the owner why a workload is skipped", async () => {
    if (cluster === undefined || fleet === undefined) throw new Error("no cluster");
    const bed = cluster;
    const asked = { namespace, name: "on-delete", kind: "StatefulSet" } as const;
    await fleet.until("it is there", () => readReasons(bed, asked).length > 0);
    expect(readReasons(bed, asked)).toEqual(["RevisionMigrationSkipped"]);
    const described = bed.kubectl(["-n", namespace, "describe", "statefulset", "on-delete"]);
    expect(described).toMatch(/does not move it from 1-30 to 1-31 \(OnDelete\): .*meshroll explain shop/u);
  });

  it("names the pod that blocks the undo of an OrderedReady StatefulSet, which continues after its deletion", async () => {
    if (cluster === undefined || fleet === undefined) throw new Error("no cluster");
    const problems = (await fleet.status())?.clusters[0]?.problems ?? [];
    const [, command] = /(kubectl -n shop delete pod breaks-in-order-2)/.exec(problems.join("\n")) ?? [];
    expect(command).toBeDefined();
    cluster.kubectl(["-n", namespace, "delete", "pod", "breaks-in-order-2"]);
    const status = "jsonpath={.status.readyReplicas} {.status.updatedReplicas}";
    const read = () => cluster?.kubectl(["-n", namespace, "get", "statefulset", "breaks-in-order", "-o", status]);
    await fleet.until("all of it is back", () => read() === "3 3");
    expect(readInjected(cluster, { namespace, name: "breaks-in-order" })).toBe(before);
    await fleet.until("nothing is named any more", async () => {
      return ((await fleet?.status())?.clusters[0]?.problems ?? []).every((each) => !each.includes("breaks-in-order"));
    });
  });
});
