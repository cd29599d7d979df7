import { type FailureCause, printCause } from "./causes/failure-causes.ts";

/** Why an executor writes again to an object that it moved. */
export type RemediationReason =
  /** `workload`: the failed one, where its whole namespace is undone; `cause`: what its pods said. */
  | { readonly code: "MoveFailed"; readonly failure: string; readonly workload?: string; readonly cause?: FailureCause }
  | { readonly code: "UnhealthyBefore"; readonly failure: string }
  | { readonly code: "NamespaceFailed"; readonly failure: string }
  /** The move is complete, which is recorded on the object. */
  | { readonly code: "Arrived"; readonly target: string; readonly isVms?: true }
  /** A failed move can be undone now. */
  | { readonly code: "ServedAgain"; readonly failure: string }
  | { readonly code: "NotDemanded"; readonly desired: string; readonly target: string | undefined };

/** As in logs and messages; the `code` of a failed move is the failure's own (`ReadinessTimeout`). */
export function renderRemediation(reason: RemediationReason): { readonly code: string; readonly message: string } {
  switch (reason.code) {
    case "MoveFailed": {
      const { failure, workload, cause } = reason;
      const of = workload === undefined ? "" : ` of ${workload}`;
      return { code: failure, message: `${failure}${of}${printCause(cause)}` };
    }
    case "UnhealthyBefore":
      return { code: reason.code, message: `UnhealthyBefore: ${reason.failure}` };
    case "NamespaceFailed":
      return { code: reason.code, message: `its namespace failed: ${reason.failure}` };
    case "Arrived":
      return {
        code: reason.code,
        message: `${reason.isVms === true ? "its VMs" : "all its pods"} are ready on ${reason.target}`,
      };
    case "ServedAgain":
      return {
        code: reason.code,
        message: `it failed (${reason.failure}), and its revision of before is served again`,
      };
    case "NotDemanded":
      return { code: reason.code, message: `main asks for ${reason.desired}, not for ${reason.target}` };
  }
}
