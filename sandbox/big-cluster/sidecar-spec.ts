/** What Istio's injector adds to a pod in addition to the name and image of the proxy. */
export function describeProxy(name: string, namespace: string): object {
  return {
    args: ["proxy", "sidecar", "--domain", "$(POD_NAMESPACE).svc.cluster.local", "--proxyLogLevel=warning"],
    env: [
      { name: "PILOT_CERT_PROVIDER", value: "istiod" },
      { name: "CA_ADDR", value: "istiod.istio-system.svc:15012" },
      refer("POD_NAME", "metadata.name"),
      refer("POD_NAMESPACE", "metadata.namespace"),
      refer("INSTANCE_IP", "status.podIP"),
      refer("SERVICE_ACCOUNT", "spec.serviceAccountName"),
      refer("HOST_IP", "status.hostIP"),
      { name: "PROXY_CONFIG", value: "{}\n" },
      { name: "ISTIO_META_POD_PORTS", value: '[{"name":"http","containerPort":8080,"protocol":"TCP"}]' },
      { name: "ISTIO_META_APP_CONTAINERS", value: name },
      { name: "ISTIO_META_CLUSTER_ID", value: "Kubernetes" },
      { name: "ISTIO_META_INTERCEPTION_MODE", value: "REDIRECT" },
      { name: "ISTIO_META_WORKLOAD_NAME", value: name },
      { name: "ISTIO_META_OWNER", value: `kubernetes://apis/apps/v1/namespaces/${namespace}/deployments/${name}` },
      { name: "ISTIO_META_MESH_ID", value: "cluster.local" },
      { name: "TRUST_DOMAIN", value: "cluster.local" },
    ],
    imagePullPolicy: "IfNotPresent",
    ports: [{ name: "http-envoy-prom", containerPort: 15_090, protocol: "TCP" }],
    readinessProbe: { httpGet: { path: "/healthz/ready", port: 15_021, scheme: "HTTP" }, periodSeconds: 15 },
    resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "10m", memory: "40Mi" } },
    securityContext: { readOnlyRootFilesystem: true, runAsGroup: 1337, runAsNonRoot: true, runAsUser: 1337 },
    volumeMounts: MOUNTS.map(([mounted, mountPath]) => ({ name: mounted, mountPath })),
  };
}

/** The init container that redirects the pod's traffic. */
export function describeInit(image: string): object {
  return {
    name: "istio-init",
    image,
    args: ["istio-iptables", "-p", "15001", "-z", "15006", "-u", "1337", "-m", "REDIRECT", "-i", "*", "-b", "*"],
    imagePullPolicy: "IfNotPresent",
    resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "10m", memory: "40Mi" } },
    securityContext: { capabilities: { add: ["NET_ADMIN", "NET_RAW"], drop: ["ALL"] }, runAsUser: 0 },
  };
}

const MOUNTS = [
  ["workload-socket", "/var/run/secrets/workload-spiffe-uds"],
  ["istiod-ca-cert", "/var/run/secrets/istio"],
  ["istio-data", "/var/lib/istio/data"],
  ["istio-envoy", "/etc/istio/proxy"],
  ["istio-token", "/var/run/secrets/tokens"],
  ["istio-podinfo", "/etc/istio/pod"],
] as const;

export const SIDECAR_VOLUMES: readonly object[] = [
  { name: "workload-socket", emptyDir: {} },
  { name: "istio-envoy", emptyDir: { medium: "Memory" } },
  { name: "istio-data", emptyDir: {} },
  { name: "istio-podinfo", downwardAPI: { defaultMode: 420, items: [{ path: "labels" }, { path: "annotations" }] } },
  { name: "istio-token", projected: { sources: [{ serviceAccountToken: { audience: "istio-ca", path: "token" } }] } },
  { name: "istiod-ca-cert", configMap: { name: "istio-ca-root-cert", defaultMode: 420 } },
];

function refer(name: string, fieldPath: string): object {
  return { name, valueFrom: { fieldRef: { apiVersion: "v1", fieldPath } } };
}
