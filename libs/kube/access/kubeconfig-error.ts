import { RedactedError } from "#libs/runtime";

/** The kubeconfig must be changed; a retry does not help. */
export class KubeconfigError extends RedactedError {
  override readonly name = "KubeconfigError";
}
