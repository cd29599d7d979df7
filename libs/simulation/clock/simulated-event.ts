/** What happens by itself, at its time: no one decides it. */
export type SimulatedEvent =
  /** A person merges the stage's pull request that is open. */
  | { readonly kind: "merge"; readonly at: number }
  /** All of the batch in hand have arrived. */
  | { readonly kind: "settle"; readonly at: number; readonly cluster: string }
  /** One rollout is through: a move's, or an undo's. */
  | {
      readonly kind: "end";
      readonly at: number;
      readonly cluster: string;
      readonly key: string;
      readonly isUndo: boolean;
    }
  /** Rollouts that ended here are published. */
  | { readonly kind: "publish"; readonly at: number; readonly cluster: string }
  /** Something here may have failed by now. */
  | { readonly kind: "remediation"; readonly at: number; readonly cluster: string }
  /** What failed and stays as it is holds up its batch no longer. */
  | { readonly kind: "giveUp"; readonly at: number; readonly cluster: string; readonly key: string };
