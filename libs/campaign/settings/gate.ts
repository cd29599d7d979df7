/**
 * When a gate is evaluated: `before` the first batch of a run, `during` (at every reconcile while anything moves, and while it
 * bakes), or `after` the bake.
 */
export type GateMoment = "before" | "during" | "after";

interface GateBase {
  /** Unique within its stage. */
  readonly name: string;
  readonly when: GateMoment;
  /** `pause` stops the run, `rollback` stops it and asks for its rollback, `notify` only notifies. */
  readonly onFail: "pause" | "rollback" | "notify";
  /** For an unknown value: `hold` waits for one, `pass` goes on, `fail` fails. */
  readonly onNoData: "hold" | "pass" | "fail";
}

/** A measured condition of exactly one kind; ratios are over the run's list (rules 6.3). */
export type Gate = GateBase &
  (
    | {
        readonly kind: "restartHealth";
        /** Failed workloads of those tried, 0..1. */
        readonly maxFailureRatio: number;
        /** With fewer tried workloads there is no verdict. */
        readonly minSamples: number;
      }
    | {
        readonly kind: "revisionMatch";
        /** Pods of the run's workloads on the injected target revision, 0..1. */
        readonly minRatio: number;
      }
    | {
        readonly kind: "proxySync";
        /** Proxies in sync with the target's istiod, 0..1. */
        readonly minSyncedRatio: number;
        /** For how long a proxy may be out of sync, ms. */
        readonly within: number;
      }
    | {
        readonly kind: "prometheus";
        /** PromQL; `${namespaces}`, `${revision}` and `${window}` are filled in. */
        readonly query: string;
        readonly max?: number;
        readonly min?: number;
        /** The baseline is the same query for the replaced revision (`${revision}`, or the namespaces that have not moved). */
        readonly maxRatioToBaseline?: number;
        /** Time between two measurements, ms. */
        readonly interval: number;
        /** So many bad measurements in all fail the gate; at least 1. */
        readonly failureLimit: number;
      }
  );
