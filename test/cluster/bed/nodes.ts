import { stringify } from "yaml";

/** Nodes that only KWOK simulates, spread over three zones, as YAML. */
export function describeNodes(count: number): string {
  const nodes = Array.from({ length: count }, (_, i) => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: `node-${i}`,
      labels: { "kubernetes.io/hostname": `node-${i}`, "topology.kubernetes.io/zone": `zone-${i % 3}` },
      annotations: { "kwok.x-k8s.io/node": "fake" },
    },
  }));
  return nodes.map((node) => stringify(node)).join("---\n");
}
