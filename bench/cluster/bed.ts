import { setTimeout as sleep } from "node:timers/promises";

import { type OwnCluster, startCluster } from "../../test/cluster/bed/start-cluster.ts";
import { ClusterFleet } from "../../test/cluster/fleet/cluster-fleet.ts";
import { startMesh } from "../../test/cluster/mesh/start-mesh.ts";
import { type ClusterPrograms, findPrograms } from "../../test/cluster/programs/find-programs.ts";
import { istioModule, kubeModule } from "../../test/cluster/programs/modules.ts";
import { type Envoy, findEnvoys } from "../../test/vm/envoys/find-envoys.ts";
import { ApiClient } from "./api-client.ts";
import { after, before, describePart, managedLabel, type Part } from "./fleet.ts";
import { type FloorWatch, watchFloor } from "./readings/floor.ts";

/** The programs that the bench runs. */
export interface BenchPrograms {
  readonly kube: ClusterPrograms;
  readonly istio: ClusterPrograms;
  readonly envoy: Envoy;
}

/** Compiles or fetches what is missing. Throws `ProgramsMissing` or `EnvoysMissing`. */
export async function findBenchPrograms(log: (line: string) => void): Promise<BenchPrograms> {
  const finding = { env: process.env, log };
  const [kube, istio] = [await findPrograms(kubeModule, finding), await findPrograms(istioModule, finding)];
  const envoy = findEnvoys(process.env, log).at(-1);
  if (envoy === undefined) throw new Error("there is no Envoy");
  return { kube, istio, envoy };
}

/** A real control plane with two istiods and a fleet, and meshroll's processes on it. */
export interface Bed {
  readonly cluster: OwnCluster;
  readonly client: ApiClient;
  readonly fleet: ClusterFleet;
  readonly floor: FloorWatch;
  end(): Promise<void>;
}

interface DeploymentList {
  readonly items: readonly {
    readonly spec: { readonly replicas: number };
    readonly status: { readonly availableReplicas?: number };
  }[];
}

function isUp({ items }: DeploymentList, count: number): boolean {
  return items.length >= count && items.every(({ spec, status }) => status.availableReplicas === spec.replicas);
}

async function createFleet(cluster: OwnCluster, client: ApiClient, parts: readonly Part[]): Promise<void> {
  for (const part of parts) cluster.kubectl(["create", "-f", "-"], describePart(part));
  const count = parts.reduce((sum, { deployments }) => sum + deployments.length, 0);
  while (!isUp(await client.list("/apis/apps/v1/deployments"), count)) await sleep(1_000);
}

export const file = (...moved: readonly string[]) =>
  [...moved.map((prefix) => `${prefix}-.*:\n  ${after}: 100\n`), `production:\n  ${before}: 100\n`].join("");

export const settings = (strategy: "Window" | "Batched", batchSize: number) =>
  [
    `namespaces: { selector: ${managedLabel}=managed }`,
    "defaults:",
    `  strategy: ${strategy}`,
    `  batch: { batchSize: ${batchSize}, delayBetweenBatches: 0s }`,
    "",
  ].join("\n");

/** Opens the bed with these Deployments, all available. */
export async function openBed(
  { kube, istio }: BenchPrograms,
  parts: readonly Part[],
  log: (line: string) => void,
): Promise<Bed> {
  const stop = new AbortController();
  const cluster = await startCluster(kube);
  const client = new ApiClient(cluster);
  let fleet: ClusterFleet | undefined;
  const end = async () => {
    stop.abort();
    await fleet?.close();
    client.end();
    await cluster.end();
  };
  try {
    await startMesh(cluster, istio, [before, after]);
    log("creating the fleet ...");
    await createFleet(cluster, client, parts);
    log("starting meshroll ...");
    fleet = await ClusterFleet.open(cluster, { "rollouts.yml": file(), "meshroll.yml": settings("Window", 1) });
    const floor = await watchFloor(client, stop.signal);
    return { cluster, client, fleet, floor, end };
  } catch (error) {
    await end();
    throw error;
  }
}
