import type { TouchedReason } from "#libs/wording";

import type { JudgedWorkload } from "./workload-state.ts";

/** What the label of its namespace touched and no run moved. */
export interface LeftBehind {
  readonly cluster: string;
  readonly namespace: string;
  readonly kind: string;
  /** `…` = several of that kind. */
  readonly name: string;
  readonly reason: TouchedReason;
}

/**
 * Of namespaces whose label we changed, once each: who is still on another revision and is not moved. A workload that is skipped is
 * named by its own reason.
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
