import { stringify } from "yaml";

/** A group of VMs to create: a WorkloadGroup. */
export interface VmGroup {
  readonly namespace: string;
  readonly name: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Where a VM's Envoy serves. All VMs share this machine, so each has a loopback address of its own. */
export interface VmPlace {
  readonly group: VmGroup;
  readonly name: string;
  readonly address: string;
}

/** The port that each VM's Envoy serves on its address. */
export const servedPort = 9080;

const network = "networking.istio.io/v1";

function describeGroup({ namespace, name, annotations = {} }: VmGroup, application: number): readonly object[] {
  const labels = { app: name };
  return [
    {
      apiVersion: network,
      kind: "WorkloadGroup",
      metadata: { namespace, name, annotations },
      spec: {
        metadata: { labels },
        template: { serviceAccount: "default", ports: { http: servedPort } },
        probe: { httpGet: { path: "/", port: application }, periodSeconds: 2 },
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { namespace, name },
      spec: { selector: labels, ports: [{ name: "http", port: servedPort, targetPort: servedPort }] },
    },
  ];
}

/** Without iptables: the Envoy listens on the VM's address, and its requests go to the application. */
function describeSidecar({ group, name, address }: VmPlace, application: number): object {
  const port = { number: servedPort, protocol: "HTTP", name: "http" };
  const captureMode = "NONE";
  return {
    apiVersion: network,
    kind: "Sidecar",
    metadata: { namespace: group.namespace, name },
    spec: {
      workloadSelector: { labels: { vm: name } },
      ingress: [{ port, bind: address, defaultEndpoint: `127.0.0.1:${application}`, captureMode }],
      egress: [{ hosts: ["./*"], port: { ...port, number: servedPort + 1 }, bind: address, captureMode }],
    },
  };
}

/** The groups' namespaces and objects, as YAML. Clients of these VMs have no certificates. */
export function describeVmObjects(groups: readonly VmGroup[], places: readonly VmPlace[], application: number): string {
  const namespaces = [...new Set(groups.map(({ namespace }) => namespace))];
  const objects = [
    ...namespaces.map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
    ...namespaces.map((namespace) => ({
      apiVersion: "security.istio.io/v1",
      kind: "PeerAuthentication",
      metadata: { namespace, name: "default" },
      spec: { mtls: { mode: "DISABLE" } },
    })),
    ...groups.flatMap((group) => describeGroup(group, application)),
    ...places.map((place) => describeSidecar(place, application)),
  ];
  return objects.map((each) => stringify(each)).join("---\n");
}
