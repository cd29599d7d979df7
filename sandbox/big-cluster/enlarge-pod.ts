import { describeApp, describePodSpec } from "./app-spec.ts";
import { claimFields } from "./field-set.ts";
import { describeInit, describeProxy, SIDECAR_VOLUMES } from "./sidecar-spec.ts";
import type { ServedObject } from "./served-object.ts";

interface Container {
  readonly name: string;
  readonly image: string;
}

interface Pod {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly spec: { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[] };
  readonly status: { readonly conditions: readonly object[]; readonly containerStatuses: readonly object[] };
}

const STARTED = "2026-11-02T09:14:47Z";

/** Makes a pod as large as one that the injector, the scheduler and the kubelet have written to. */
export function enlargePod(object: ServedObject): ServedObject {
  const { metadata, spec, status } = object as unknown as Pod;
  const [app] = spec.containers;
  if (app === undefined) return object;
  const largeSpec = enlargeSpec(spec, app, metadata.namespace);
  const largeStatus = enlargeStatus(status, spec.initContainers ?? [], metadata.uid);
  const claimed = { spec: { containers: largeSpec.containers } };
  const shape = spec.initContainers === undefined ? "plain" : "injected";
  return {
    ...object,
    metadata: {
      ...object.metadata,
      generateName: metadata.name.slice(0, -5),
      managedFields: [
        claimFields({ manager: "kube-controller-manager", apiVersion: "v1", shape: app.name }, claimed),
        claimFields({ manager: "kubelet", apiVersion: "v1", shape, subresource: "status" }, { status: largeStatus }),
      ],
    },
    spec: largeSpec,
    status: largeStatus,
  };
}

function enlargeSpec(spec: Pod["spec"], app: Container, namespace: string) {
  const shared = describePodSpec(app.name) as { readonly volumes: readonly object[] };
  const access = { name: "kube-api-access-x7k2p", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" };
  const container = describeApp(app.name, namespace, app.image) as { readonly volumeMounts: readonly object[] };
  const injected = (spec.initContainers ?? []).flatMap((proxy) => [
    describeInit(proxy.image),
    { ...proxy, ...describeProxy(app.name, namespace) },
  ]);
  return {
    ...spec,
    ...shared,
    containers: [{ ...container, volumeMounts: [...container.volumeMounts, access] }],
    ...(injected.length === 0 ? {} : { initContainers: injected }),
    enableServiceLinks: true,
    preemptionPolicy: "PreemptLowerPriority",
    priority: 0,
    tolerations: ["not-ready", "unreachable"].map((state) => ({
      key: `node.kubernetes.io/${state}`,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: 300,
    })),
    volumes: [
      ...shared.volumes,
      ...(injected.length === 0 ? [] : SIDECAR_VOLUMES),
      { name: access.name, projected: { defaultMode: 420, sources: ACCESS } },
    ],
  };
}

const ACCESS = [
  { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
  { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
];

function enlargeStatus(status: Pod["status"], proxies: readonly Container[], uid: string) {
  const address = `10.${Number.parseInt(uid.slice(0, 4), 16) % 256}.${Number.parseInt(uid.slice(4, 6), 16)}.7`;
  const run = (name: string) => ({
    name,
    containerID: `containerd://${uid.replaceAll("-", "").repeat(2)}`,
    imageID: `registry.example/${name}@sha256:${uid.replaceAll("-", "").repeat(2)}`,
    lastState: {},
    started: true,
    state: { running: { startedAt: STARTED } },
  });
  return {
    ...status,
    conditions: status.conditions.map((condition) => ({
      ...condition,
      lastProbeTime: null,
      lastTransitionTime: STARTED,
    })),
    containerStatuses: status.containerStatuses.map((container) => ({
      ...run((container as Container).name),
      ...container,
    })),
    ...(proxies.length === 0
      ? {}
      : { initContainerStatuses: proxies.map(({ name }) => ({ ...run(name), ready: true, restartCount: 0 })) }),
    hostIP: "10.0.4.17",
    podIP: address,
    podIPs: [{ ip: address }],
    qosClass: "Burstable",
    startTime: STARTED,
  };
}
