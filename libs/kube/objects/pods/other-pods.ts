import type { OtherPods } from "#libs/fleet";

import { nameApiVersion } from "../../requests/workload-path.ts";
import type { PodOwner } from "./pod-owner.ts";
import type { ProxyPod } from "../project-pod.ts";
import { listOrphans, type WorkloadCell } from "../workload-cell.ts";

/** At most so many owners of a namespace are listed by name; the others are summed by kind. */
const mostNamed = 100;

type Counts = { -readonly [K in "live" | "completed" | "failed"]: number };

/** Pods of one owner and revision, as they are counted. */
export interface OtherCell extends Counts {
  readonly owner: PodOwner;
  readonly revision: string;
}

/** Adds (+1) or takes away (-1) one pod. */
export function countOther(cells: Map<string, OtherCell>, { owner, revision, state }: ProxyPod, by: 1 | -1): void {
  const key = [owner.apiVersion, owner.kind, owner.name, revision].join("\n");
  const cell = cells.get(key) ?? { owner, revision, live: 0, completed: 0, failed: 0 };
  cell[state] += by;
  if (cell.live + cell.completed + cell.failed === 0) cells.delete(key);
  else cells.set(key, cell);
}

/** Pods whose workload is gone, or, of a Rollout, not seen. A Deployment's pods belong to its ReplicaSet, which may outlive it. */
function describeOrphans(cell: WorkloadCell): readonly OtherPods[] {
  const [kind = "", name = ""] = cell.key.split("/");
  return listOrphans(cell).map(({ revision, count }) => {
    const apiVersion = kind === "Rollout" ? nameApiVersion(kind) : "apps/v1";
    const owner = { apiVersion, kind: kind === "Deployment" ? "ReplicaSet" : kind, name };
    return { ...owner, revision, live: count, completed: 0, failed: 0 };
  });
}

function describeCell({ owner, revision, live, completed, failed }: OtherCell): OtherPods {
  const { apiVersion, kind, name } = owner;
  return { apiVersion, kind, name, revision, live, completed, failed };
}

function sum(rest: readonly OtherPods[]): readonly OtherPods[] {
  const sums = new Map<string, OtherPods>();
  for (const { apiVersion, kind, revision, ...more } of rest) {
    const key = [apiVersion, kind, revision].join("\n");
    const { live = 0, completed = 0, failed = 0 } = sums.get(key) ?? {};
    const counts = { live: live + more.live, completed: completed + more.completed, failed: failed + more.failed };
    sums.set(key, { apiVersion, kind, revision, ...counts });
  }
  return [...sums.values()];
}

function nameForOrder({ apiVersion, kind, name = "", revision }: OtherPods): string {
  return [apiVersion, kind, name, revision].join("\n");
}

/** Owners with live pods first, so that the sums at the end contain mostly ended ones; then by name. */
function compare(a: OtherPods, b: OtherPods): number {
  if (a.live > 0 !== b.live > 0) return a.live > 0 ? -1 : 1;
  return nameForOrder(a) < nameForOrder(b) ? -1 : 1;
}

/** Injected pods of a namespace that count for none of its workloads. */
export function describeOthers(others: Iterable<OtherCell>, workloads: Iterable<WorkloadCell>): readonly OtherPods[] {
  const all = [...[...others].map(describeCell), ...[...workloads].flatMap(describeOrphans)].toSorted(compare);
  return [...all.slice(0, mostNamed), ...sum(all.slice(mostNamed))];
}
