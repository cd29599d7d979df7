import type { ClusterFacts, Workload } from "#libs/fleet";
import { printUnservedPods, type UnservedGroup } from "#libs/wording";

import { findUnserved, type Unserved } from "../../conditions/index.ts";
import { type ClusterIndex, countPods, isOfMesh } from "../../index/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";

/** Live pods of a workload that no control plane of their cluster serves. */
export interface UnservedPods {
  /** How many have no sidecar. */
  readonly bare: number;
  /** Those with the sidecar of a revision that is not served there. */
  readonly left: readonly { readonly count: number; readonly revision: string; readonly obstacle: Unserved }[];
}

/** Undefined where each of its pods has the sidecar of a served revision. */
export function findUnservedPods({ pods }: Pick<Workload, "pods">, facts: ClusterFacts): UnservedPods | undefined {
  let bare = 0;
  const left = pods.flatMap(({ revision, count }) => {
    if (count <= 0) return [];
    if (revision === undefined) {
      bare += count;
      return [];
    }
    const obstacle = findUnserved(facts, revision);
    return obstacle === undefined ? [] : [{ count, revision, obstacle }];
  });
  return bare === 0 && left.length === 0 ? undefined : { bare, left };
}

/** A managed workload with such pods. */
interface Found {
  readonly each: JudgedWorkload;
  readonly pods: UnservedPods;
}

function listFound(index: ClusterIndex, facts: ClusterFacts): readonly Found[] {
  const namespaces = new Set<string>();
  for (const { revision, namespaces: places } of countPods(index, facts)) {
    if (revision !== undefined && findUnserved(facts, revision) === undefined) continue;
    for (const place of places) namespaces.add(place);
  }
  return [...namespaces].toSorted().flatMap((namespace) =>
    index.judge(namespace).flatMap((each) => {
      const pods = isOfMesh(each, facts) ? findUnservedPods(each.workload, facts) : undefined;
      return pods === undefined ? [] : [{ each, pods }];
    }),
  );
}

function nameCount({ each }: Found, count: number): string {
  return `${each.key} ${count}/${each.workload.pods.reduce((sum, group) => sum + group.count, 0)}`;
}

/** Its owner took away the label that a move of ours wrote: a restart does not bring the sidecar back. */
function isTakenAway({ state }: JudgedWorkload): boolean {
  return state.kind === "skipped" && state.reason.code === "Overwritten";
}

/** One sentence for pods without a sidecar, and one for each revision that runs without being served. */
export function describeUnserved(index: ClusterIndex, facts: ClusterFacts): readonly string[] {
  const found = listFound(index, facts);
  const [taken, bare] = [true, false].map((isTaken) =>
    found
      .filter(({ each, pods }) => pods.bare > 0 && isTakenAway(each) === isTaken)
      .map((one) => nameCount(one, one.pods.bare)),
  );
  const groups = new Map<string, { readonly obstacle: Unserved; readonly workloads: string[] }>();
  for (const one of found) {
    for (const { revision, obstacle, count } of one.pods.left) {
      const group = groups.get(revision) ?? { obstacle, workloads: [] };
      groups.set(revision, group);
      group.workloads.push(nameCount(one, count));
    }
  }
  const all: readonly UnservedGroup[] = [
    ...(bare === undefined || bare.length === 0 ? [] : [{ workloads: bare }]),
    ...(taken === undefined || taken.length === 0 ? [] : [{ workloads: taken, isTaken: true as const }]),
    ...groups.values(),
  ];
  return all.map((group) => printUnservedPods(facts.cluster, group));
}
