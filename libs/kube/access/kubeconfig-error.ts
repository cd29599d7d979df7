/** A person must change the kubeconfig; waiting does not help. */
export class KubeconfigError extends Error {
  override readonly name = "KubeconfigError";
}
