import { stringify } from "yaml";

const group = "kwok.x-k8s.io";

/** The definition of KWOK's PortForward, with the fields that are used here. */
export const forwardsDefinition = stringify({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `portforwards.${group}` },
  spec: {
    group,
    names: { kind: "PortForward", listKind: "PortForwardList", plural: "portforwards", singular: "portforward" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
      },
    ],
  },
});

/** Lets a port of a pod that KWOK simulates lead to a port of this machine, as YAML. */
export function describeForward(namespace: string, pod: string, port: number, local: number): string {
  return stringify({
    apiVersion: `${group}/v1alpha1`,
    kind: "PortForward",
    metadata: { name: pod, namespace },
    spec: { forwards: [{ ports: [port], target: { address: "127.0.0.1", port: local } }] },
  });
}
