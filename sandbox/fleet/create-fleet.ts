import { createModel, createRandom, type KubeModel, type ModelClock } from "#fakes/kube";
import type { WorkloadRef } from "#libs/fleet";

import { nameNamespaces } from "./names.ts";

export interface FleetOptions {
  readonly clock: ModelClock;
  readonly seed: string;
  readonly namespaces: number;
  /** What a namespace runs when the demo begins. */
  readonly revisionOf: (namespace: string) => string;
  /** Revisions whose istiod and webhook are installed. */
  readonly revisions: readonly string[];
  /** One in so many workloads is broken already. */
  readonly brokenOneIn: number;
}

/** A cluster as a company has it: most of it healthy, some of it broken, some of it none of our business. */
export interface SandboxFleet {
  readonly model: KubeModel;
  /** Workloads in the mesh that meshroll may move. */
  readonly managed: readonly WorkloadRef[];
  readonly broken: readonly WorkloadRef[];
  /** kube-system, opted out, host network, gateways. */
  readonly unmanaged: readonly WorkloadRef[];
}

type Random = () => number;

function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Time until a pod is Ready, ms: most are quick, a few are slow. */
function chooseReadiness(random: Random): readonly [number, number] {
  const slow = random() < 0.1;
  return slow ? [60_000, 120_000] : [10_000, 40_000];
}

/** The platform's own workloads and everybody who is not in the mesh: they must come out of any run untouched. */
function addUnmanaged(model: KubeModel): readonly WorkloadRef[] {
  const off = { "sidecar.istio.io/inject": "false" };
  return [
    model.addDeployment({ ns: "kube-system", name: "coredns", replicas: 2 }),
    model.addDaemonSet({ ns: "kube-system", name: "kube-proxy", replicas: 3, hostNetwork: true }),
    model.addDeployment({ ns: "pay-legacy", name: "mainframe", replicas: 2, labels: off }),
    model.addDeployment({ ns: "data-batch", name: "cron", replicas: 1, labels: off }),
    model.addDaemonSet({
      ns: "node-agents",
      name: "exporter",
      replicas: 3,
      hostNetwork: true,
      labels: { "istio.io/rev": "1-24-5" },
    }),
    model.addDeployment({ ns: "outside", name: "plain", replicas: 2 }),
    model.addDeployment({
      ns: "edge",
      name: "ingress",
      replicas: 3,
      labels: { "istio.io/rev": "1-24-5", "sidecar.istio.io/inject": "true" },
      annotations: { "inject.istio.io/templates": "gateway" },
    }),
  ];
}

/** One namespace in twelve is relabelled as a whole: its own label decides, not its templates'. */
function addNamespace(
  model: KubeModel,
  random: Random,
  name: string,
  revision: string,
  index: number,
): readonly WorkloadRef[] {
  const isUnit = index % 12 === 5;
  model.addNamespace(name, isUnit ? { labels: { "istio.io/rev": revision } } : {});
  const count = between(random, 1, 4);
  return Array.from({ length: count }, (_, i) => {
    const options = {
      ns: name,
      name: ["app", "worker", "cache", "jobs"][i] ?? `app-${i}`,
      replicas: between(random, 1, 6),
      labels: isUnit ? {} : { "istio.io/rev": revision },
      readyMs: chooseReadiness(random),
    };
    if (i === 2) return model.addStatefulSet({ ...options, podManagement: "Parallel" });
    return i === 3 ? model.addDaemonSet({ ...options, replicas: 3 }) : model.addDeployment(options);
  });
}

/** Makes a cluster; the same options make the same one. */
export function createFleet(options: FleetOptions): SandboxFleet {
  const { clock, seed, revisions, brokenOneIn, revisionOf } = options;
  const model = createModel({ clock, seed });
  const random = createRandom(`${seed}-fleet`);
  for (const revision of revisions) model.addIstiod(revision);
  const unmanaged = addUnmanaged(model);
  const managed = nameNamespaces(options.namespaces).flatMap((name, index) =>
    addNamespace(model, random, name, revisionOf(name), index),
  );
  const broken = managed.filter((_, index) => index % brokenOneIn === brokenOneIn - 1);
  for (const ref of broken) model.breakWorkload(ref, { how: "crash" });
  return { model, managed, broken, unmanaged };
}
