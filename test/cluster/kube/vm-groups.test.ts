import { afterAll, beforeAll, describe } from "vitest";
import { stringify } from "yaml";

import { openCluster } from "#libs/kube";
import { openClock } from "#libs/runtime";

import { describeVmGroups, type VmGround } from "../../../libs/kube/conformance/vms/vm-groups.ts";
import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { logInAsExecutor } from "../fleet/executor-login.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { kubeModule } from "../programs/modules.ts";

const finding = { env: process.env, log: () => undefined };
const ref = { namespace: "shop", kind: "WorkloadGroup", name: "tills" } as const;
const apiVersion = "networking.istio.io/v1";
const ours = ["revision", "run", "previous", "failed", "arrived", "restarted-for"].map((key) => `meshroll.dev/${key}`);

/** A definition as Istio's chart has it, without the schema of its fields. */
function renderDefinition(kind: string, singular: string, plural: string): string {
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
  };
  const versions = ["v1", "v1beta1", "v1alpha3"].map((name) => ({
    name,
    served: true,
    storage: name === "v1",
    subresources: { status: {} },
    schema,
  }));
  const names = { kind, listKind: `${kind}List`, plural, singular };
  return stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.networking.istio.io` },
    spec: { group: "networking.istio.io", names, scope: "Namespaced", versions },
  });
}

const group = stringify({
  apiVersion,
  kind: ref.kind,
  metadata: { name: ref.name, namespace: ref.namespace },
  spec: { metadata: { labels: { app: "tills" } }, template: { serviceAccount: "tills" } },
});

function openGround(bed: OwnCluster, kubeconfig: string): VmGround & { start(): Promise<void> } {
  const stop = new AbortController();
  const waiting = new Set<() => void>();
  const cluster = openCluster({ name: "one", kubeconfig: { path: kubeconfig }, clock: openClock(undefined) });
  const inShop = (...words: readonly string[]) => bed.kubectl(["-n", ref.namespace, ...words]);
  return {
    cluster,
    ref,
    start: () =>
      cluster.start(() => {
        for (const look of waiting) look();
      }, stop.signal),
    annotate: (annotations) => {
      const words = Object.entries(annotations).map(([key, value]) => (value === null ? `${key}-` : `${key}=${value}`));
      inShop("annotate", "workloadgroup", ref.name, "--overwrite", ...words);
    },
    register: (name, address, healthy) => {
      const entry = {
        apiVersion,
        kind: "WorkloadEntry",
        metadata: { name, namespace: ref.namespace },
        spec: { address },
      };
      bed.kubectl(["apply", "-f", "-"], stringify(entry));
      const conditions = healthy === undefined ? [] : [{ type: "Healthy", status: healthy ? "True" : "False" }];
      const patch = JSON.stringify({ status: { conditions } });
      inShop("patch", "workloadentry", name, "--subresource=status", "--type=merge", "-p", patch);
    },
    unregister: (name) => void inShop("delete", "workloadentry", name),
    until: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: async () => stop.abort(),
  };
}

describe("groups of VMs on a real API server, by the RBAC and the admission policies that ship", () => {
  let [bed, kubeconfig]: [OwnCluster?, string?] = [];
  beforeAll(async () => {
    bed = await startCluster(await findPrograms(kubeModule, finding));
    for (const name of ["istio-system", ref.namespace]) bed.kubectl(["create", "namespace", name]);
    kubeconfig = logInAsExecutor(bed);
    const definitions = [
      renderDefinition("WorkloadGroup", "workloadgroup", "workloadgroups"),
      renderDefinition("WorkloadEntry", "workloadentry", "workloadentries"),
    ];
    bed.kubectl(["apply", "-f", "-"], definitions.join("---\n"));
    bed.kubectl(["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"]);
    bed.kubectl(["apply", "-f", "-"], group);
  });
  afterAll(async () => bed?.end());

  describeVmGroups(async () => {
    if (bed === undefined || kubeconfig === undefined) throw new Error("no cluster");
    const ground = openGround(bed, kubeconfig);
    ground.annotate(Object.fromEntries([...ours, "example.com/team"].map((key) => [key, null])));
    await ground.start();
    return ground;
  });
});
