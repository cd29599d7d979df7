import type { Workload } from "../facts.ts";

/** What the live pods of a workload run, by the injector's annotations. Labels only say what was requested. */
export type Running =
  /** Every pod runs this revision. */
  | { readonly kind: "all"; readonly revision: string }
  | {
      readonly kind: "mixed";
      /** Revision -> pods. */
      readonly revisions: Readonly<Record<string, number>>;
      /** Pods without a sidecar. */
      readonly bare: number;
    }
  /** Pods, none of them with a sidecar. */
  | { readonly kind: "none" }
  /** No pods. */
  | { readonly kind: "empty" };

/** The usual case, answered without counting. */
function findOnly({ pods }: Workload): Running | undefined {
  const first = pods[0];
  if (pods.length !== 1 || first?.revision === undefined || first.count <= 0) return undefined;
  return { kind: "all", revision: first.revision };
}

function countAll({ pods }: Workload): Running {
  const counts = new Map<string, number>();
  let bare = 0;
  for (const group of pods) {
    if (group.count <= 0) continue;
    if (group.revision === undefined) bare += group.count;
    else counts.set(group.revision, (counts.get(group.revision) ?? 0) + group.count);
  }
  const [only] = counts.keys();
  if (only === undefined) return bare === 0 ? { kind: "empty" } : { kind: "none" };
  if (counts.size === 1 && bare === 0) return { kind: "all", revision: only };
  return { kind: "mixed", revisions: Object.fromEntries(counts), bare };
}

/** What the workload's pods run now. */
export function readRunning(workload: Workload): Running {
  return findOnly(workload) ?? countAll(workload);
}

/** Live pods that run this revision. */
export function countRunning(workload: Workload, revision: string): number {
  return workload.pods.reduce((sum, group) => sum + (group.revision === revision ? group.count : 0), 0);
}
