import type { TouchedReason } from "#libs/wording";

import type { JudgedWorkload } from "./workload-state.ts";

/** A workload that its namespace's label affects and that no run moved. */
export interface LeftBehind {
  readonly cluster: string;
  readonly namespace: string;
  readonly kind: string;
  /** `…` = several of that kind. */
  readonly name: string;
  readonly reason: TouchedReason;
}

/**
 * For namespaces whose label we changed: workloads that are still on another revision and are not moved. Skipped ones are named
 * by their own reason.
 */
export function listLeftBehind(judged: Iterable<JudgedWorkload>): readonly LeftBehind[] {
  const seen = new Set<string>();
  const left: LeftBehind[] = [];
  for (const { cluster, workload, desired, namespaceBegun, touched = [] } of judged) {
    const { namespace } = workload;
    if (!namespaceBegun || seen.has(`${cluster}/${namespace}`)) continue;
    seen.add(`${cluster}/${namespace}`);
    for (const { kind, name = "…", pods, as } of touched) {
      if (as === "skipped" || pods === 0) continue;
      left.push({ cluster, namespace, kind, name, reason: { code: "NotRestarted", target: desired, pods } });
    }
  }
  return left;
}
