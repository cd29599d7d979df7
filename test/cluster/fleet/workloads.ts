import { stringify } from "yaml";

import type { OwnCluster } from "../bed/start-cluster.ts";

type Kind = "Deployment" | "StatefulSet" | "DaemonSet";

/** A workload to create, with minimal defaults. */
export interface Workload {
  readonly namespace: string;
  readonly name: string;
  readonly kind?: Kind;
  readonly replicas?: number;
  /** Labels of the pod template, in addition to `app`. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Fields of the workload's spec, merged over the defaults. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

function describeWorkload(workload: Workload): object {
  const { namespace, name, kind = "Deployment", replicas = 1, labels = {}, annotations = {}, spec = {} } = workload;
  const container = { name: "app", image: "registry.example/app:1" };
  const template = {
    metadata: { labels: { app: name, ...labels }, annotations },
    spec: { terminationGracePeriodSeconds: 1, containers: [container] },
  };
  const counted = kind === "DaemonSet" ? {} : { replicas };
  const served = kind === "StatefulSet" ? { serviceName: name } : {};
  const selector = { matchLabels: { app: name } };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { namespace, name },
    spec: { ...counted, ...served, selector, template, ...spec },
  };
}

/** Waits for the number of ready replicas, as `kubectl rollout status` refuses OnDelete. */
function waitUntilReady(cluster: OwnCluster, { namespace, name, kind = "Deployment", replicas = 1 }: Workload): void {
  const field = kind === "DaemonSet" ? "numberReady" : "readyReplicas";
  const wanted =
    kind === "DaemonSet" ? cluster.kubectl(["get", "nodes", "-o", "name"]).trim().split("\n").length : replicas;
  if (wanted === 0) return;
  const wait = ["wait", `${kind}/${name}`, `--for=jsonpath={.status.${field}}=${wanted}`, "--timeout=120s"];
  cluster.kubectl(["-n", namespace, ...wait]);
}

/** Namespaces by name, with their labels. */
type Namespaces = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Creates namespaces with these labels and the workloads. */
export function applyWorkloads(cluster: OwnCluster, namespaces: Namespaces, workloads: readonly Workload[]): void {
  const made = Object.entries(namespaces).map(([name, labels]) => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels },
  }));
  const objects = [...made, ...workloads.map(describeWorkload)];
  cluster.kubectl(["apply", "-f", "-"], objects.map((each) => stringify(each)).join("---\n"));
}

/** Creates them, and waits until all workloads are ready. */
export function createWorkloads(cluster: OwnCluster, namespaces: Namespaces, workloads: readonly Workload[]): void {
  applyWorkloads(cluster, namespaces, workloads);
  for (const workload of workloads) waitUntilReady(cluster, workload);
}

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>>; readonly deletionTimestamp?: string };
  }[];
}

/** The revisions that istiod injected into the live pods of a workload, joined by `+`; labels are not considered. */
export function readInjected(cluster: OwnCluster, { namespace, name }: Pick<Workload, "namespace" | "name">): string {
  const list = JSON.parse(
    cluster.kubectl(["-n", namespace, "get", "pods", "-l", `app=${name}`, "-o", "json"]),
  ) as PodList;
  const live = list.items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const revisions = live.map(({ metadata }) => metadata.annotations?.["istio.io/rev"] ?? "none");
  return [...new Set(revisions)].toSorted((a, b) => a.localeCompare(b)).join("+");
}
