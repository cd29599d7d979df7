import type { KubeModel } from "#fakes/kube";
import type { WorkloadRef } from "#libs/fleet";

/** Percent on `new` of bucket `production`, and of `pay-.*` where the file has it; the rest is on `old`. */
export interface Shares {
  readonly all: number;
  readonly pay?: number;
  readonly note?: number;
}

/** `rollouts.yml` with these shares. */
export function printShares({ all, pay, note }: Shares): string {
  const second = pay === undefined ? "" : `pay-.*:\n  old: ${100 - pay}\n  new: ${pay}\n`;
  const comment = note === undefined ? "" : `# note ${note}\n`;
  return `${comment}production:\n  old: ${100 - all}\n  new: ${all}\n${second}`;
}

export const percents = [0, 20, 40, 60, 80, 100];

const singles = ["shop-a", "shop-b", "shop-c", "pay-d", "pay-e"];

/** Eight workloads on `old`: five Deployments, a StatefulSet, and two in a namespace whose own label decides. */
export function fillCluster(model: KubeModel): readonly WorkloadRef[] {
  model.addIstiod("old");
  model.addIstiod("new");
  const labels = { "istio.io/rev": "old" };
  const refs = singles.map((ns) => model.addDeployment({ ns, name: "web", replicas: 2, labels, readyMs: 5000 }));
  refs.push(
    model.addStatefulSet({ ns: "shop-s", name: "db", replicas: 2, labels, readyMs: 3000, podManagement: "Parallel" }),
  );
  model.addNamespace("unit-u", { labels });
  for (const name of ["x", "y"]) refs.push(model.addDeployment({ ns: "unit-u", name, replicas: 2, readyMs: 4000 }));
  return refs;
}

/** One of the elements, chosen by a number from 0 to 1. */
export function pick<T>(from: readonly T[], at: number): T | undefined {
  return from[Math.min(from.length - 1, Math.floor(at * from.length))];
}
