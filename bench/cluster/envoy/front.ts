import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { findFreePorts } from "../../../scripts/brokers/free-port.ts";
import type { OwnCluster } from "../../../test/cluster/bed/start-cluster.ts";
import { until } from "../../../test/cluster/bed/until.ts";
import type { Envoy } from "../../../test/vm/envoys/find-envoys.ts";
import type { ApiClient, WatchEvent } from "../api-client.ts";

const types = "type.googleapis.com/envoy";
const http = `${types}.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`;
const router = `${types}.extensions.filters.http.router.v3.Router`;
const assignment = `${types}.config.endpoint.v3.ClusterLoadAssignment`;

function address(port: number): object {
  return { socket_address: { address: "127.0.0.1", port_value: port } };
}

/** One listener in front of one cluster whose endpoints are in a file. Nothing is tried again. */
function describeBootstrap(ports: { readonly listen: number; readonly admin: number }, folder: string): object {
  const manager = {
    "@type": http,
    stat_prefix: "in",
    route_config: {
      virtual_hosts: [
        {
          name: "all",
          domains: ["*"],
          routes: [{ match: { prefix: "/" }, route: { cluster: "web", timeout: "15s" } }],
        },
      ],
    },
    http_filters: [{ name: "envoy.filters.http.router", typed_config: { "@type": router } }],
  };
  const filter = { name: "envoy.filters.network.http_connection_manager", typed_config: manager };
  const source = { path: join(folder, "web.json"), watched_directory: { path: folder } };
  return {
    node: { id: "bench", cluster: "bench" },
    admin: { address: address(ports.admin) },
    static_resources: {
      listeners: [{ name: "in", address: address(ports.listen), filter_chains: [{ filters: [filter] }] }],
      clusters: [
        {
          name: "web",
          type: "EDS",
          connect_timeout: "5s",
          eds_cluster_config: { eds_config: { path_config_source: source, resource_api_version: "V3" } },
        },
      ],
    },
  };
}

interface EndpointSlice {
  readonly metadata: { readonly name: string };
  readonly endpoints:
    | readonly { readonly addresses: readonly string[]; readonly conditions: { readonly ready?: boolean } }[]
    | null;
}

/** A real Envoy; its endpoints are those that the Service's EndpointSlices say are ready. */
export interface Front {
  readonly port: number;
  /** How many endpoints Envoy was given last. */
  countEndpoints(): number;
}

/**
 * Starts it. EndpointSlices hold no loopback address, so the addresses of pods, which nothing routes here, are replaced by the
 * ports of their processes, and Envoy reads the result from a file.
 */
export async function startFront(
  cluster: OwnCluster,
  client: ApiClient,
  { path, namespace }: Envoy & { readonly namespace: string },
  findPort: (address: string) => number | undefined,
  signal: AbortSignal,
): Promise<Front> {
  const folder = join(cluster.folder, "front");
  mkdirSync(folder);
  const slices = new Map<string, EndpointSlice>();
  let given = 0;
  const write = (): void => {
    const ready = [...slices.values()]
      .flatMap(({ endpoints }) => endpoints ?? [])
      .filter(({ conditions }) => conditions.ready === true)
      .flatMap(({ addresses }) => addresses.map(findPort).filter((port) => port !== undefined));
    given = ready.length;
    const endpoints = [{ lb_endpoints: ready.map((port) => ({ endpoint: { address: address(port) } })) }];
    const resource = { "@type": assignment, cluster_name: "web", endpoints };
    writeFileSync(join(folder, "next"), JSON.stringify({ version_info: String(Date.now()), resources: [resource] }));
    // Envoy reads a file that was moved to its place, so that it never reads half of one.
    renameSync(join(folder, "next"), join(folder, "web.json"));
  };
  const note = ({ type, object }: WatchEvent<EndpointSlice>): void => {
    if (type === "DELETED") slices.delete(object.metadata.name);
    else slices.set(object.metadata.name, object);
    write();
  };
  write();
  await client.watch<EndpointSlice>(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, note, signal);
  const [listen = 0, admin = 0] = await findFreePorts(2);
  const bootstrap = join(cluster.folder, "front.json");
  writeFileSync(bootstrap, JSON.stringify(describeBootstrap({ listen, admin }, folder)));
  const args = ["-c", bootstrap, "--log-level", "warning", "--concurrency", "1", "--disable-hot-restart"];
  cluster.start("envoy", path, args);
  signal.addEventListener("abort", () => rmSync(folder, { recursive: true, force: true }), { once: true });
  await until("Envoy answers", async () => {
    const answer = await fetch(`http://127.0.0.1:${listen}/`).catch(() => undefined);
    return answer?.status === 200;
  });
  return { port: listen, countEndpoints: () => given };
}
