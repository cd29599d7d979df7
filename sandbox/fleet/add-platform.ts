import type { KubeModel } from "#fakes/kube";
import type { WorkloadRef } from "#libs/fleet";

/** Adds workloads of the platform and others outside of the mesh; no run may change them. */
export function addPlatform(model: KubeModel): readonly WorkloadRef[] {
  const off = { "sidecar.istio.io/inject": "false" };
  return [
    model.addDeployment({ ns: "kube-system", name: "coredns", replicas: 2 }),
    model.addDaemonSet({ ns: "kube-system", name: "kube-proxy", replicas: 6, hostNetwork: true }),
    model.addDeployment({ ns: "pay-legacy", name: "mainframe", replicas: 2, labels: off }),
    model.addDeployment({ ns: "data-legacy-staging", name: "cron", replicas: 1, labels: off }),
    model.addDaemonSet({
      ns: "node-agents-staging",
      name: "exporter",
      replicas: 6,
      hostNetwork: true,
      labels: { "istio.io/rev": "1-24-5" },
    }),
    model.addDeployment({ ns: "outside-staging", name: "plain", replicas: 2 }),
    model.addDeployment({
      ns: "edge",
      name: "ingress",
      replicas: 3,
      labels: { "istio.io/rev": "1-24-5", "sidecar.istio.io/inject": "true" },
      annotations: { "inject.istio.io/templates": "gateway" },
    }),
  ];
}
