/** What a gate that reads the fleet itself asks, of one run; Prometheus is queried by a query. */
export interface GateQuestion {
  readonly kind: "restartHealth" | "revisionMatch" | "proxySync";
  readonly run: string;
}

/** In place of a query: for a person who wants to ask it themselves. */
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
