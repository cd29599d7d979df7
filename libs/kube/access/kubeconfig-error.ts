import { RedactedError } from "#libs/runtime";

/** A person must change the kubeconfig; waiting does not help. */
export class KubeconfigError extends RedactedError {
  override readonly name = "KubeconfigError";
}
