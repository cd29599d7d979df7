import type { OwnCluster } from "../bed/start-cluster.ts";
import type { OwnIstiod } from "../mesh/start-mesh.ts";

interface SyncedResource {
  readonly acked?: unknown;
  readonly lastError?: string;
}

/** One proxy, as istiod shows it in /debug/syncz. */
interface Synced {
  readonly proxy: string;
  readonly istio_version: string;
  readonly resources?: Readonly<Record<string, SyncedResource>>;
}

/** The proxies that are connected to this istiod, with what they refused. */
export async function readSynced({ ports }: OwnIstiod): Promise<readonly { proxy: string; refused: string[] }[]> {
  const response = await fetch(`http://127.0.0.1:${ports.http}/debug/syncz`);
  const all = ((await response.json()) as readonly Synced[] | null) ?? [];
  return all.map(({ proxy, resources = {} }) => ({
    proxy,
    refused: Object.values(resources).flatMap(({ lastError }) =>
      lastError === undefined || lastError === "" ? [] : [lastError],
    ),
  }));
}

/** A WorkloadEntry that istiod made for a VM. */
export interface Entry {
  readonly name: string;
  readonly address: string;
  readonly uid: string;
  /** The pod name of the istiod that the VM is connected to. */
  readonly controller: string;
  readonly healthy: boolean;
}

interface EntryList {
  readonly items: readonly {
    readonly metadata: {
      readonly name: string;
      readonly uid: string;
      readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly spec: { readonly address: string };
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
  }[];
}

export function readEntries(cluster: Pick<OwnCluster, "kubectl">, namespace: string): readonly Entry[] {
  const { items } = JSON.parse(cluster.kubectl(["-n", namespace, "get", "workloadentries", "-o", "json"])) as EntryList;
  return items.map(({ metadata, spec, status }) => ({
    name: metadata.name,
    address: spec.address,
    uid: metadata.uid,
    controller: metadata.annotations?.["istio.io/workloadController"] ?? "",
    healthy: status?.conditions?.some(({ type, status: is }) => type === "Healthy" && is === "True") === true,
  }));
}
