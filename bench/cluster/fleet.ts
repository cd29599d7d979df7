import { stringify } from "yaml";

/** A Deployment whose pods are ready so many seconds after they were scheduled. */
export interface Timed {
  readonly namespace: string;
  readonly name: string;
  readonly replicas: 1 | 2;
  readonly podSeconds: number;
}

/** Deployments that one contestant moves, in namespaces of its own. */
export interface Part {
  /** Begins the names of its namespaces. */
  readonly prefix: string;
  /** Where the revision's label is: in the pods' template, or on the namespace. */
  readonly labelOn: "template" | "namespace";
  /** Whether meshroll manages the namespaces. */
  readonly managed: boolean;
  readonly deployments: readonly Timed[];
}

export const [before, after] = ["1-30", "1-31"];
/** The label of the namespaces that meshroll manages here. */
export const managedLabel = "bench";

const perNamespace = 20;
/** Pod times by turns, s: 12 in the mean, in an order that is mixed and always the same. */
const times = [7, 16, 9, 17, 13, 8, 15, 11, 14, 8, 15, 10, 13];

/** Every fourth Deployment has two pods, which its rollout replaces one after the other; each takes half of the time. */
function makeTimed(prefix: string, index: number): Timed {
  const name = `web-${String(index).padStart(3, "0")}`;
  const namespace = `${prefix}-${Math.floor(index / perNamespace)}`;
  const seconds = times[index % times.length] ?? 12;
  return index % 4 === 3
    ? { namespace, name, replicas: 2, podSeconds: seconds / 2 }
    : { namespace, name, replicas: 1, podSeconds: seconds };
}

export function makePart(prefix: string, count: number, more: Partial<Part> = {}): Part {
  const deployments = Array.from({ length: count }, (_, index) => makeTimed(prefix, index));
  return { prefix, labelOn: "template", managed: true, deployments, ...more };
}

/** Seconds that the rollouts of a part take where so many run at once and nothing else takes time. */
export function findLowerBound({ deployments }: Part, bound: number): number {
  const work = deployments.map(({ replicas, podSeconds }) => replicas * podSeconds);
  const all = work.reduce((sum, each) => sum + each, 0);
  return Math.max(all / bound, ...work);
}

function describeDeployment({ namespace, name, replicas, podSeconds }: Timed, labels: object): object {
  const annotations = { "bed.meshroll.dev/ready-after": `${podSeconds * 1000}ms` };
  const container = { name: "app", image: "registry.example/app:1" };
  const template = {
    metadata: { labels: { app: name, ...labels }, annotations },
    spec: { terminationGracePeriodSeconds: 1, containers: [container] },
  };
  const selector = { matchLabels: { app: name } };
  // One pod more, and none fewer: each pod of a rollout follows the one before it.
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: { replicas, selector, strategy, template },
  };
}

/** Namespaces and Deployments of a part, as YAML. */
export function describePart({ deployments, labelOn, managed }: Part): string {
  const revision = { "istio.io/rev": before };
  const labels = { ...(labelOn === "namespace" ? revision : {}), ...(managed ? { [managedLabel]: "managed" } : {}) };
  const namespaces = [...new Set(deployments.map(({ namespace }) => namespace))].map((name) => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels },
  }));
  const own = deployments.map((each) => describeDeployment(each, labelOn === "template" ? revision : {}));
  return [...namespaces, ...own].map((each) => stringify(each)).join("---\n");
}
