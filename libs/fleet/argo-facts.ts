/** What an Argo Rollout says of its update besides what every workload says. */
export interface ArgoFacts {
  /** `Kind/name` of the object whose template it takes (`workloadRef`); its own template is empty then. */
  readonly templateOf?: string;
  /** Steps of its canary strategy, and how many of them are done; absent = it has none. */
  readonly steps?: { readonly done: number; readonly of: number };
  /** Its strategy stops for a person in each update: a pause without an end, or a blue-green switch that is not made by itself. */
  readonly needsPromotion?: true;
  /**
   * Why its controller does not go on with the pods: `promotion` until a person promotes or aborts it; `strategy` for a time, because
   * its owner's strategy says so: a pause with an end, an analysis, an experiment, old pods that are kept for a while.
   */
  readonly holds?: "promotion" | "strategy";
  /** Why a person has to act before it updates anything: it was aborted, or its spec is invalid. Argo's own words. */
  readonly degraded?: string;
}
