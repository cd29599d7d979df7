import { nameManager, renderUnmoved } from "#libs/wording";

import type { ClusterIndex } from "../../index/index.ts";
import type { Snapshot, Spec } from "../../records/index.ts";
import { findUndoing } from "../../runs/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";
import { mostListed } from "../status-runs.ts";

/** Workloads that differ from main, that no run moves, and that no owner's deploy put back. */
export interface UnmovedStatus extends ReturnType<typeof renderUnmoved> {
  readonly workloads: number;
}

function readWhole(each: JudgedWorkload): JudgedWorkload {
  return each;
}

/** Undefined where there are none, and without a ledger: nothing moves then. */
export function describeUnmoved(
  { ledger, now }: Snapshot,
  head: Spec | undefined,
  fleet: ReadonlyMap<string, ClusterIndex>,
): UnmovedStatus | undefined {
  if (ledger === undefined || head === undefined) return undefined;
  const served = [...fleet].filter(([name]) => !head.settings.excludedClusters.includes(name));
  const workloads = served.reduce((sum, [, index]) => sum + index.count("unmoved"), 0);
  if (workloads === 0) return undefined;
  const first = served.flatMap(([, index]) => index.collect("unmoved", mostListed, readWhole)).slice(0, mostListed);
  const undoing = first.flatMap((each) => findUndoing(ledger.runs, each, now) ?? []);
  const managers = [...new Set(undoing.map(({ manager }) => nameManager(manager)))].toSorted();
  return { workloads, ...renderUnmoved({ workloads, undoing: undoing.length, managers }) };
}
