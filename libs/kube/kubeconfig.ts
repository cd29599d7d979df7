import type { KubeConfig } from "@kubernetes/client-node";

/** Where the credentials of a cluster are. Neither path nor text: $KUBECONFIG, ~/.kube/config, or the pod's own. */
export interface KubeconfigSource {
  readonly path?: string;
  /** The file's text itself. */
  readonly text?: string;
  /** Default: the file's current context. */
  readonly context?: string;
}

/** A person must mend the kubeconfig; waiting does not help. */
export class KubeconfigError extends Error {
  override readonly name = "KubeconfigError";
}

/** Reads the kubeconfig and chooses its context. The library is loaded only here: it takes 0.7 s. */
export async function loadKubeconfig({ path, text, context }: KubeconfigSource): Promise<KubeConfig> {
  const { KubeConfig: Loader } = await import("@kubernetes/client-node");
  const config = new Loader();
  const place = path ?? (text === undefined ? "the default kubeconfig" : "the given kubeconfig");
  try {
    if (text !== undefined) config.loadFromString(text);
    else if (path !== undefined) config.loadFromFile(path);
    else config.loadFromDefault();
  } catch (error) {
    throw new KubeconfigError(`${place} cannot be read: ${String(error)}`, { cause: error });
  }
  if (context !== undefined) config.setCurrentContext(context);
  if (config.getCurrentCluster() === null) {
    const known = config.getContexts().map(({ name }) => name);
    throw new KubeconfigError(
      `${place} has no context ${context ?? config.getCurrentContext()} with a cluster; it has: ${known.join(", ") || "none"}. ` +
        "See kubectl config get-contexts",
    );
  }
  return config;
}

/** URL of the API server that the kubeconfig names, so that a sandbox can refuse one that is not local. */
export async function readServer(source: KubeconfigSource): Promise<string> {
  return (await loadKubeconfig(source)).getCurrentCluster()?.server ?? "";
}
