/**
 * When a gate is looked at: `before` the first batch of a run, `during` (at every reconcile while anything moves, and while it
 * bakes), or `after` the bake.
 */
export type GateMoment = "before" | "during" | "after";

interface GateBase {
  /** Unique within its stage. */
  readonly name: string;
  readonly when: GateMoment;
  /** `pause` stops the run, `rollback` stops it and asks for its rollback, `notify` only notifies. */
  readonly onFail: "pause" | "rollback" | "notify";
  /** What an unknown value means: `hold` waits for one, `pass` goes on, `fail` is a failure. */
  readonly onNoData: "hold" | "pass" | "fail";
}

/** A measured condition. Exactly one kind each; ratios are over the run's list (rules 6.3). */
export type Gate = GateBase &
  (
    | {
        readonly kind: "restartHealth";
        /** Failed workloads of those tried, 0..1. */
        readonly maxFailureRatio: number;
        /** Fewer tried workloads than this say nothing yet. */
        readonly minSamples: number;
      }
    | {
        readonly kind: "revisionMatch";
        /** Pods of the run's workloads that run the injected target revision, 0..1. */
        readonly minRatio: number;
      }
    | {
        readonly kind: "proxySync";
        /** Proxies that the target's istiod calls synced, 0..1. */
        readonly minSyncedRatio: number;
        /** A proxy may be unsynced for so long, ms. */
        readonly within: number;
      }
    | {
        readonly kind: "prometheus";
        /** PromQL; `${namespaces}`, `${revision}` and `${window}` are filled in. */
        readonly query: string;
        readonly max?: number;
        readonly min?: number;
        /** The same query on the replaced revision (`${revision}`, or the namespaces that have not moved) is the baseline. */
        readonly maxRatioToBaseline?: number;
        /** Time between two measurements, ms. */
        readonly interval: number;
        /** So many bad measurements in all are a failure; at least 1. */
        readonly failureLimit: number;
      }
  );
