import { renderUnmoved } from "#libs/wording";

import type { ClusterIndex } from "../../index/index.ts";
import type { Snapshot, Spec } from "../../records/index.ts";

/** Workloads that differ from main, that no run moves, and that no owner's deploy put back. */
export interface UnmovedStatus extends ReturnType<typeof renderUnmoved> {
  readonly workloads: number;
}

/** Undefined where there are none, and without a ledger: nothing moves then. */
export function describeUnmoved(
  { ledger }: Snapshot,
  head: Spec | undefined,
  fleet: ReadonlyMap<string, ClusterIndex>,
): UnmovedStatus | undefined {
  if (ledger === undefined || head === undefined) return undefined;
  const served = [...fleet].filter(([name]) => !head.settings.excludedClusters.includes(name));
  const workloads = served.reduce((sum, [, index]) => sum + index.count("unmoved"), 0);
  return workloads === 0 ? undefined : { workloads, ...renderUnmoved(workloads) };
}
