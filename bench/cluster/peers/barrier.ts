import { setTimeout as sleep } from "node:timers/promises";

import type { ApiClient } from "../api-client.ts";
import { after, type Part, type Timed } from "../fleet.ts";

/** How often it looks whether the batch is ready, ms. */
const pollMs = 2_000;

interface Deployment {
  readonly metadata: { readonly generation: number };
  readonly spec: { readonly replicas: number };
  readonly status: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

const locate = ({ namespace, name }: Timed): string => `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;

async function isReady(client: ApiClient, each: Timed): Promise<boolean> {
  const found = await client.call<Deployment>("GET", locate(each));
  if (found === "gone") throw new Error(`${each.namespace}/${each.name} is gone`);
  const { metadata, spec, status } = found;
  const isSeen = (status.observedGeneration ?? 0) >= metadata.generation;
  const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
  return isSeen && counts.every((count) => count === spec.replicas);
}

/** Batches as in Sail's proposal, without its delay: restart N, look every two seconds until all N are ready, then the next N. */
export async function runBarrier(client: ApiClient, { deployments }: Part, size: number): Promise<void> {
  const template = { metadata: { labels: { "istio.io/rev": after } } };
  for (let first = 0; first < deployments.length; first += size) {
    const batch = deployments.slice(first, first + size);
    await Promise.all(batch.map(async (each) => client.call("PATCH", locate(each), { spec: { template } })));
    const areReady = async () => (await Promise.all(batch.map(async (each) => isReady(client, each)))).every(Boolean);
    do await sleep(pollMs);
    while (!(await areReady()));
  }
}
