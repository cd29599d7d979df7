import { printText } from "./text.ts";
import type { RenderedWorkloadReason } from "./workloads.ts";

interface Named extends Pick<RenderedWorkloadReason, "code" | "message"> {
  readonly cluster: string;
  readonly workload: string;
}

/** Workloads with the same reason: their number, and the first of them as `cluster:namespace/Kind/name`. */
export interface ReasonGroup {
  readonly code: string;
  readonly reason: string;
  readonly count: number;
  readonly workloads: string[];
}

/** The most frequent reason first, with so many workloads named. Times are no part of a reason. */
export function groupReasons(all: readonly Named[], named: number): ReasonGroup[] {
  const groups = new Map<string, Named[]>();
  for (const each of all) {
    const key = `${each.code} ${printText(each.message)}`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(each);
  }
  return [...groups.values()]
    .flatMap((group): readonly ReasonGroup[] => {
      const [first] = group;
      if (first === undefined) return [];
      const workloads = group.slice(0, named).map(({ cluster, workload }) => `${cluster}:${workload}`);
      return [{ code: first.code, reason: printText(first.message), count: group.length, workloads }];
    })
    .toSorted((a, b) => b.count - a.count);
}
