import { findAge, parseAnnotations, type Workload } from "#libs/fleet";

import type { ClusterIndex, Evaluation } from "../../index/index.ts";
import { isInPlace, type JudgedWorkload } from "../../workloads/index.ts";
import type { ClusterSnapshot } from "../../records/index.ts";

/** By run, when it last wrote to a workload that is there now; epoch ms by the clock of that cluster's API server. */
type LastWrites = ReadonlyMap<string, number>;

function findWrite(workload: Workload): { readonly run: string; readonly at: number } | undefined {
  const at = workload.times?.written;
  if (at === undefined) return undefined;
  const marks = parseAnnotations(workload);
  if (marks.kind === "unreadable" || marks.run === undefined || marks.runByHand === true) return undefined;
  return { run: marks.run.run, at };
}

function enter(writes: Map<string, number>, run: string, at: number): void {
  writes.set(run, Math.max(at, writes.get(run) ?? 0));
}

const byNamespace = new WeakMap<readonly JudgedWorkload[], LastWrites>();

function readNamespace(states: readonly JudgedWorkload[]): LastWrites {
  const known = byNamespace.get(states);
  if (known !== undefined) return known;
  const writes = new Map<string, number>();
  for (const { state, workload } of states) {
    const write = isInPlace(state) ? findWrite(workload) : undefined;
    if (write !== undefined) enter(writes, write.run, write.at);
  }
  byNamespace.set(states, writes);
  return writes;
}

const byBasis = new WeakMap<object, { readonly root: unknown; readonly writes: LastWrites }>();

/** What did not change since it was asked last is not read again. */
function readCluster(index: ClusterIndex): LastWrites {
  const before = byBasis.get(index.basis);
  if (before !== undefined && before.root === index.tree.root) return before.writes;
  const writes = new Map<string, number>();
  for (const name of index.tree.keys())
    for (const [run, at] of readNamespace(index.judge(name))) enter(writes, run, at);
  byBasis.set(index.basis, { root: index.tree.root, writes });
  return writes;
}

/**
 * How long ago a run wrote for the last time to a workload that is there now, ms, each by the clock of its own API server; no longer
 * than it is. Undefined where no object reports a write.
 */
export function findLastWriteAge(
  { judged }: Evaluation,
  clusters: ReadonlyMap<string, Pick<ClusterSnapshot, "serverNow">>,
  run: string,
): number | undefined {
  let least: number | undefined;
  for (const [name, index] of judged) {
    const serverNow = clusters.get(name)?.serverNow;
    const at = serverNow === undefined ? undefined : readCluster(index).get(run);
    if (at === undefined || serverNow === undefined) continue;
    least = Math.min(least ?? Number.POSITIVE_INFINITY, findAge(at, serverNow));
  }
  return least;
}
