/** What went wrong with a workload, as Sail's own status words it. */
export type SailFailure =
  /** `after`: as Go writes a duration. */
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
