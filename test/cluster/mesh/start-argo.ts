import { readFileSync } from "node:fs";

import { stringify } from "yaml";

import type { OwnCluster } from "../bed/start-cluster.ts";
import type { ClusterPrograms } from "../programs/find-programs.ts";
import { argoDefinitions } from "../programs/modules.ts";

/** Its servers for health and metrics would listen on every address: with a port that does not exist they do not listen. */
const noPort = "65536";

/** Installs Argo's definitions, and starts its controller as an administrator. */
export function startArgo(cluster: OwnCluster, programs: ClusterPrograms): void {
  for (const name of argoDefinitions) {
    const definition = readFileSync(programs(name).path, "utf8");
    // Larger than the annotation of a client-side apply may be.
    cluster.kubectl(["apply", "--server-side", "-f", "-"], definition);
  }
  cluster.kubectl(["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"]);
  const { path, prefix } = programs("rollouts-controller");
  const ports = ["--metricsPort", noPort, "--healthzPort", noPort];
  cluster.start("rollouts-controller", path, [
    ...prefix,
    "--kubeconfig",
    cluster.kubeconfig,
    "--leader-elect=false",
    ...ports,
  ]);
}

/** A Rollout to create. */
export interface ArgoRollout {
  readonly namespace: string;
  readonly name: string;
  readonly replicas?: number;
  /** Labels of the pod template, in addition to `app`. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly strategy: object;
  /** Fields of its spec, merged over the defaults; `template: undefined` leaves the template out. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

function describeRollout({ namespace, name, replicas = 2, labels = {}, strategy, spec = {} }: ArgoRollout): object {
  const container = { name: "app", image: "registry.example/app:1" };
  const template = {
    metadata: { labels: { app: name, ...labels } },
    spec: { terminationGracePeriodSeconds: 1, containers: [container] },
  };
  const selector = { matchLabels: { app: name } };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { namespace, name },
    spec: { replicas, selector, template, strategy, ...spec },
  };
}

/** The Services between which a blue-green update switches. */
export function describeServices(namespace: string, app: string): readonly object[] {
  return ["active", "preview"].map((role) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { namespace, name: `${app}-${role}` },
    spec: { selector: { app }, ports: [{ port: 80 }] },
  }));
}

/** Creates the Rollouts, and waits until Argo calls all of them healthy. */
export function createRollouts(
  cluster: OwnCluster,
  rollouts: readonly ArgoRollout[],
  more: readonly object[] = [],
): void {
  const objects = [...more, ...rollouts.map(describeRollout)];
  cluster.kubectl(["apply", "-f", "-"], objects.map((each) => stringify(each)).join("---\n"));
  for (const { namespace, name } of rollouts)
    cluster.kubectl([
      "-n",
      namespace,
      "wait",
      `rollouts.argoproj.io/${name}`,
      "--for=jsonpath={.status.phase}=Healthy",
      "--timeout=120s",
    ]);
}

/** As `kubectl argo rollouts promote`: the pause in which it is ends. */
export function promote(cluster: OwnCluster, { namespace, name }: Pick<ArgoRollout, "namespace" | "name">): void {
  const patch = JSON.stringify({ status: { pauseConditions: null } });
  const object = ["rollouts.argoproj.io", name, "--subresource=status", "--type=merge", "-p", patch];
  cluster.kubectl(["-n", namespace, "patch", ...object]);
}
