const http = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
const router = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router";

function address(port: number): object {
  return { socket_address: { address: "127.0.0.1", port_value: port } };
}

/** The configuration of a VM's Envoy: one listener in front of the application and the admin page, both on loopback. */
export function makeBootstrap(ports: {
  readonly listen: number;
  readonly admin: number;
  readonly upstream: number;
}): string {
  const route = { match: { prefix: "/" }, route: { cluster: "app", timeout: "15s" } };
  const manager = {
    "@type": http,
    stat_prefix: "in",
    drain_timeout: "1s",
    route_config: { virtual_hosts: [{ name: "all", domains: ["*"], routes: [route] }] },
    http_filters: [{ name: "envoy.filters.http.router", typed_config: { "@type": router } }],
  };
  const filter = { name: "envoy.filters.network.http_connection_manager", typed_config: manager };
  const endpoint = { endpoint: { address: address(ports.upstream) } };
  return JSON.stringify({
    admin: { address: address(ports.admin) },
    static_resources: {
      listeners: [{ name: "in", address: address(ports.listen), filter_chains: [{ filters: [filter] }] }],
      clusters: [
        {
          name: "app",
          type: "STATIC",
          connect_timeout: "5s",
          load_assignment: { cluster_name: "app", endpoints: [{ lb_endpoints: [endpoint] }] },
        },
      ],
    },
  });
}
