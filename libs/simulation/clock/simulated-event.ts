/** An event that comes by itself at its time. */
export type SimulatedEvent =
  /** A person merges the open pull request of the stage. */
  | { readonly kind: "merge"; readonly at: number }
  /** All workloads of the batch in hand have migrated. */
  | { readonly kind: "settle"; readonly at: number; readonly cluster: string }
  /** One rollout has ended: that of a move or of an undo. */
  | {
      readonly kind: "end";
      readonly at: number;
      readonly cluster: string;
      readonly key: string;
      readonly isUndo: boolean;
    }
  /** The rollouts that ended in this cluster are published. */
  | { readonly kind: "publish"; readonly at: number; readonly cluster: string }
  /** A workload of this cluster may have failed by now. */
  | { readonly kind: "remediation"; readonly at: number; readonly cluster: string }
  /** A failed workload that is not put back no longer holds up its batch. */
  | { readonly kind: "giveUp"; readonly at: number; readonly cluster: string; readonly key: string };
