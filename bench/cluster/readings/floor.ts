import type { ApiClient, WatchEvent } from "../api-client.ts";

interface Deployment {
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly strategy?: { readonly rollingUpdate?: { readonly maxUnavailable?: number | string } };
  };
  readonly status?: { readonly availableReplicas?: number };
}

/** How long pods were missing below what the Deployment's own strategy guarantees. */
export interface FloorWatch {
  /** Replica-seconds below the floor so far, in namespaces of this prefix. */
  read(prefix: string): number;
}

interface Kept {
  missing: number;
  /** When that was last counted, ms. */
  at: number;
  replicaMs: number;
}

/** Replicas less `maxUnavailable`, a percentage rounded down as the Deployment controller does. */
function findFloor({ replicas, strategy }: Deployment["spec"]): number {
  const { maxUnavailable = "25%" } = strategy?.rollingUpdate ?? {};
  const allowed =
    typeof maxUnavailable === "number"
      ? maxUnavailable
      : Math.floor((replicas * Number.parseInt(maxUnavailable, 10)) / 100);
  return replicas - allowed;
}

/** Follows every Deployment by the API server's watch. All must be available when it begins. */
export async function watchFloor(client: ApiClient, signal: AbortSignal): Promise<FloorWatch> {
  const kept = new Map<string, Kept>();
  const count = (each: Kept, now: number): void => {
    each.replicaMs += each.missing * (now - each.at);
    each.at = now;
  };
  const note = ({ type, object }: WatchEvent<Deployment>): void => {
    if (type === "BOOKMARK" || type === "ERROR") return;
    const { metadata, spec, status } = object;
    const key = `${metadata.namespace}/${metadata.name}`;
    const now = performance.now();
    const each = kept.get(key) ?? { missing: 0, at: now, replicaMs: 0 };
    count(each, now);
    each.missing = type === "DELETED" ? 0 : Math.max(0, findFloor(spec) - (status?.availableReplicas ?? 0));
    kept.set(key, each);
  };
  await client.watch<Deployment>("/apis/apps/v1/deployments", note, signal);
  return {
    read(prefix) {
      const now = performance.now();
      let sum = 0;
      for (const [key, each] of kept) {
        if (!key.startsWith(`${prefix}-`)) continue;
        count(each, now);
        sum += each.replicaMs;
      }
      return sum / 1000;
    },
  };
}
