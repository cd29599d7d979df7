/** What a gate reads from the fleet itself for one run, where it has no query. */
export interface GateQuestion {
  readonly kind: "restartHealth" | "revisionMatch" | "proxySync";
  readonly run: string;
}

/** Shown in place of a query, for people who want to check it themselves. */
export function printQuestion({ kind, run }: GateQuestion): string {
  switch (kind) {
    case "restartHealth":
      return `failed of tried workloads, run ${run}`;
    case "revisionMatch":
      return `pods on the revision that run ${run} brings, of all pods of its workloads`;
    case "proxySync":
      return `synced of connected proxies, as the istiods say that run ${run} moves to`;
  }
}
