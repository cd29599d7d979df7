import { findKubeconfig, type FoundKubeconfig, type KubeconfigSource } from "./find-kubeconfig.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";
import type { ClusterEntry, UserEntry } from "./kubeconfig-file.ts";

/** One context of a kubeconfig: the API server's address and the credentials. */
export interface Context {
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
}

function requireContext(found: FoundKubeconfig, name: string | undefined): Context {
  const wanted = name ?? found.currentContext ?? "";
  const context = found.contexts.get(wanted);
  const cluster = found.clusters.get(context?.cluster ?? "");
  if (context === undefined || cluster === undefined) {
    const known = [...found.contexts.keys()].join(", ") || "none";
    throw new KubeconfigError(
      `${found.place} has no context ${wanted || "(none is current)"} with a cluster; it has: ${known}. ` +
        "See kubectl config get-contexts",
    );
  }
  return { cluster, user: found.users.get(context.user) ?? {} };
}

/** The first problem that would make every request fail, or would send credentials to a server that they are not meant for. */
function findProblem({ cluster, user }: Context): string | undefined {
  const server = URL.parse(cluster.server);
  const isServer = server !== null && ["http:", "https:"].includes(server.protocol);
  if (!isServer || `${server.username}${server.password}` !== "") {
    return "names no API server: give https://HOST:PORT, without a login";
  }
  if (server.protocol === "http:" && !cluster["insecure-skip-tls-verify"]) {
    return "names an API server without TLS: use https, or say insecure-skip-tls-verify: true";
  }
  if (server.protocol === "http:" && cluster["proxy-url"] !== undefined) {
    return "names a proxy for an API server without TLS: use https";
  }
  const provider = user["auth-provider"]?.name;
  if (provider === undefined) return undefined;
  return `logs in by auth-provider ${provider}, which Kubernetes has replaced: use its exec plugin, such as kubectl oidc-login`;
}

/** Reads the kubeconfig and chooses its context. Throws `KubeconfigError`. */
export async function loadKubeconfig(source: KubeconfigSource): Promise<Context> {
  const found = await findKubeconfig(source, process.env);
  const context = requireContext(found, source.context);
  const problem = findProblem(context);
  if (problem !== undefined) throw new KubeconfigError(`${found.place} ${problem}`);
  return context;
}

/** URL of the API server that the kubeconfig names, so that a sandbox can refuse one that is not local. */
export async function readServer(source: KubeconfigSource): Promise<string> {
  return (await loadKubeconfig(source)).cluster.server;
}
