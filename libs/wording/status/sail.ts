/** A workload's failure in the words of Sail's status. */
export type SailFailure =
  /** `after`: in Go's form of a duration. */
  | { readonly code: "ReadinessTimeout"; readonly after: string }
  | {
      readonly code: "ProgressDeadlineExceeded";
      readonly kind: string;
      readonly available: number;
      readonly replicas: number;
    };

export function printSailFailure(failure: SailFailure): string {
  return failure.code === "ReadinessTimeout"
    ? `Readiness timeout exceeded after ${failure.after}`
    : `${failure.kind} failed to reach ready state: ${failure.available}/${failure.replicas} replicas ready`;
}
