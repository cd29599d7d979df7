import type { Certificates } from "./certificates.ts";

/** Free loopback ports of one cluster, by what listens there. */
export interface Ports {
  readonly etcd: number;
  readonly peer: number;
  readonly api: number;
  readonly controllers: number;
  readonly scheduler: number;
  readonly kwok: number;
}

function flag(values: Readonly<Record<string, string | number | boolean>>): readonly string[] {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`);
}

/** Without fsync, as the data are not needed after the test. */
export function describeEtcd(data: string, { etcd, peer }: Ports): readonly string[] {
  const [client, other] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peer}`];
  return flag({
    name: "one",
    "data-dir": data,
    "unsafe-no-fsync": true,
    "listen-client-urls": client,
    "advertise-client-urls": client,
    "listen-peer-urls": other,
    "initial-advertise-peer-urls": other,
    "initial-cluster": `one=${other}`,
    "quota-backend-bytes": 4 * 1024 ** 3,
    "log-level": "warn",
  });
}

/** API priority and fairness stays on, as by default: a client that sends too much gets 429. */
export function describeApiServer(ports: Ports, { authority, server, tokenKey }: Certificates, auditLog: string) {
  const issuer = "https://kubernetes.default.svc";
  return flag({
    "etcd-servers": `http://127.0.0.1:${ports.etcd}`,
    "bind-address": "127.0.0.1",
    "secure-port": ports.api,
    "advertise-address": "127.0.0.1",
    "endpoint-reconciler-type": "none",
    "tls-cert-file": server.cert,
    "tls-private-key-file": server.key,
    "client-ca-file": authority,
    "requestheader-client-ca-file": authority,
    // Clients and the front proxy share one CA here: without a name, every client could act as a front proxy.
    "requestheader-allowed-names": "front-proxy",
    "requestheader-username-headers": "X-Remote-User",
    "requestheader-group-headers": "X-Remote-Group",
    "requestheader-extra-headers-prefix": "X-Remote-Extra-",
    "service-account-issuer": issuer,
    "service-account-key-file": tokenKey,
    "service-account-signing-key-file": tokenKey,
    "api-audiences": `${issuer},istio-ca`,
    "service-cluster-ip-range": "10.0.0.0/16",
    "authorization-mode": "RBAC",
    "allow-privileged": true,
    "event-ttl": "10m",
    profiling: false,
    "audit-policy-file": `${auditLog}.policy`,
    "audit-log-path": auditLog,
    // One file for all of a test or bench: at 100 MB it would be moved away, and what is in it would count as not written.
    "audit-log-maxsize": 2048,
  });
}

/** The API server's audit log: every change with its body. Tests judge by it, and not by what meshroll reports. */
export const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  omitManagedFields: true,
  rules: [
    { level: "None", users: ["system:apiserver", "system:kube-scheduler"], verbs: ["get", "list", "watch"] },
    {
      level: "Request",
      verbs: ["create", "update", "patch", "delete", "deletecollection"],
      resources: [{ group: "apps" }, { group: "argoproj.io", resources: ["rollouts"] }],
    },
    {
      level: "Request",
      verbs: ["create", "update", "patch", "delete"],
      resources: [{ group: "", resources: ["namespaces", "configmaps"] }],
    },
    {
      level: "Metadata",
      verbs: ["create"],
      resources: [{ group: "", resources: ["pods"] }],
      userGroups: ["system:serviceaccounts:meshroll-system"],
    },
    {
      level: "Metadata",
      verbs: ["create"],
      resources: [{ group: "events.k8s.io", resources: ["events"] }],
      userGroups: ["system:serviceaccounts:meshroll-system"],
    },
    { level: "None" },
  ],
};

/** Not of the usual ones: started where a test needs it. */
export type MoreController = "horizontal-pod-autoscaler-controller";

/** Without storage, kubelets and metrics these controllers would only log errors. */
const leftOut: readonly string[] = [
  "persistentvolume-binder-controller",
  "persistentvolume-attach-detach-controller",
  "persistentvolume-expander-controller",
  "horizontal-pod-autoscaler-controller",
  "certificatesigningrequest-signing-controller",
  "selinux-warning-controller",
];

function describeClient(kubeconfig: string, port: number): Readonly<Record<string, string | number | boolean>> {
  return {
    kubeconfig,
    "authentication-kubeconfig": kubeconfig,
    "authorization-kubeconfig": kubeconfig,
    "bind-address": "127.0.0.1",
    "secure-port": port,
    "leader-elect": false,
    "kube-api-qps": 500,
    "kube-api-burst": 1000,
  };
}

export function describeControllers(
  kubeconfig: string,
  { controllers }: Ports,
  { authority, tokenKey }: Certificates,
  more: readonly MoreController[] = [],
) {
  const without = leftOut.filter((name) => !more.some((each) => each === name));
  return flag({
    ...describeClient(kubeconfig, controllers),
    "use-service-account-credentials": true,
    "service-account-private-key-file": tokenKey,
    "root-ca-file": authority,
    "concurrent-deployment-syncs": 20,
    "concurrent-replicaset-syncs": 20,
    "node-monitor-grace-period": "3600s",
    "horizontal-pod-autoscaler-sync-period": "1s",
    controllers: ["*", ...without.map((name) => `-${name}`)].join(","),
  });
}

export function describeScheduler(kubeconfig: string, { scheduler }: Ports): readonly string[] {
  return flag(describeClient(kubeconfig, scheduler));
}

/** Its server is the kubelet of all nodes. */
export function describeKwok(kubeconfig: string, stages: string, { kwok }: Ports, { server }: Certificates) {
  const { cert, key } = server;
  const served = ["--enable-crds", "PortForward", "--server-address", `127.0.0.1:${kwok}`, "--node-port", String(kwok)];
  const files = ["--kubeconfig", kubeconfig, "--config", stages];
  return [...files, "-v", "ERROR", ...served, "--tls-cert-file", cert, "--tls-private-key-file", key];
}
