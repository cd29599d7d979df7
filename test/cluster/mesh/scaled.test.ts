import { setTimeout as sleep } from "node:timers/promises";
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
/**
 * A short readinessTimeout and a long bake: workloads are scaled in an open run, later after their move than a move may take.
 */
const settings = [
  "defaults:",
  "  batch: { batchSize: 20, delayBetweenBatches: 0s, readinessTimeout: 5s }",
  "  bake: 2h",
].join("\n");
const shop = { namespace: "shop", labels: { "istio.io/rev": before } };
const deployments = ["a", "b", "c", "d", "e"].map((name): Workload => ({ ...shop, name, replicas: 1 }));
const statefulSet: Workload = { ...shop, name: "db", kind: "StatefulSet", replicas: 1 };
const daemonSet: Workload = { ...shop, name: "log", kind: "DaemonSet" };
const workloads = [...deployments, statefulSet, daemonSet];

interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
    readonly status: { readonly availableReplicas?: number };
  }[];
}

describe("migrated workloads of an open run", () => {
  let [cluster, fleet]: [OwnCluster?, ClusterFleet?] = [];
  const list = () =>
    (JSON.parse(cluster?.kubectl(["-n", "shop", "get", "deploy,sts,ds", "-o", "json"]) ?? "") as Listed).items;
  const countMarked = (key: string) =>
    list().filter(({ metadata }) => metadata.annotations?.[key] !== undefined).length;

  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    await startMesh(cluster, await findPrograms(istioModule, finding), [before, after]);
    createWorkloads(cluster, { shop: {} }, workloads);
    fleet = await ClusterFleet.open(cluster, { "rollouts.yml": file(before), "meshroll.yml": settings });
    await fleet.merge({ "rollouts.yml": file(after) });
    await fleet.until("all have arrived", () => countMarked("meshroll.dev/arrived") === workloads.length);
    await sleep(8_000);
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  const kubectl = (...args: readonly string[]): void => void cluster?.kubectl(["-n", "shop", ...args]);
  const scale = (replicas: number): void => {
    for (const kind of ["deployments", "statefulsets"]) kubectl("scale", `--replicas=${replicas}`, kind, "--all");
  };

  const acts: readonly (readonly [string, () => Promise<void> | void])[] = [
    ["they are scaled", () => scale(2)],
    [
      "they are scaled while kube-controller-manager hangs for longer than a move may take",
      async () => {
        const thaw = cluster?.freeze("kube-controller-manager");
        scale(3);
        await sleep(12_000);
        thaw?.();
      },
    ],
    [
      "the same, and the executor is killed meanwhile",
      async () => {
        const thaw = cluster?.freeze("kube-controller-manager");
        scale(4);
        await fleet?.kill("executor");
        fleet?.start("executor");
        await sleep(12_000);
        thaw?.();
      },
    ],
    [
      "their owner deploys",
      () => kubectl("set", "image", "daemonset/log", "statefulset/db", "deployment/a", "app=registry.example/app:2"),
    ],
    ["they are scaled to 0", () => scale(0)],
    ["they are scaled from 0", () => scale(2)],
  ];

  it.each(acts)("stay migrated when %s", async (_, act) => {
    await act();
    await sleep(7_000);
    expect(countMarked("meshroll.dev/failed")).toBe(0);
    const runs = workloads.map((workload) => (cluster === undefined ? "" : readInjected(cluster, workload)));
    expect(runs.filter((each) => each !== after && each !== "")).toEqual([]);
    const { migrated = 0, idle = 0, skipped } = (await fleet?.status())?.runs[0] ?? {};
    expect([migrated + idle, skipped]).toEqual([workloads.length, []]);
  });
});
