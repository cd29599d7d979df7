import { explainSystemError, lookUp } from "#libs/input";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

import { KubeconfigError } from "./kubeconfig-error.ts";
import { type ClusterEntry, type KubeconfigFile, parseKubeconfig, type UserEntry } from "./kubeconfig-file.ts";

/**
 * Where a cluster's credentials are. With neither `path` nor `text`: $KUBECONFIG, ~/.kube/config, or the pod's service account.
 */
export interface KubeconfigSource {
  readonly path?: string;
  /** The file's text itself. */
  readonly text?: string;
  /** Default: the file's current context. */
  readonly context?: string;
}

/** One or more kubeconfig files, merged: of entries with the same name the first counts, as in kubectl. Paths are absolute. */
export interface FoundKubeconfig {
  /** For messages. */
  readonly place: string;
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, { readonly cluster: string; readonly user: string }>;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
}

const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new KubeconfigError(`${path} cannot be read: ${explainSystemError(error)}`, { cause: error });
  }
}

/** A relative path in a kubeconfig is relative to that file's folder. */
function settle<T extends Readonly<Record<string, unknown>>>(
  entry: T,
  folder: string,
  fields: readonly (keyof T)[],
): T {
  const paths = fields.flatMap((field) => {
    const value = lookUp(entry, String(field));
    return typeof value === "string" && value !== "" ? [[field, resolve(folder, value)] as const] : [];
  });
  return { ...entry, ...Object.fromEntries(paths) };
}

function settlePaths(file: KubeconfigFile, folder: string): KubeconfigFile {
  const clusters = file.clusters.map(({ name, cluster }) => {
    return { name, cluster: settle(cluster, folder, ["certificate-authority"]) };
  });
  const users = file.users.map(({ name, user }) => {
    const settled = settle(user, folder, ["client-certificate", "client-key", "tokenFile"]);
    // A command without a slash is found by PATH; one with a slash is a path like the others.
    if (settled.exec === undefined || !settled.exec.command.includes("/")) return { name, user: settled };
    return { name, user: { ...settled, exec: settle(settled.exec, folder, ["command"]) } };
  });
  return { ...file, clusters, users };
}

function mapFirst<T, V>(list: readonly T[], read: (entry: T) => readonly [string, V]): ReadonlyMap<string, V> {
  return new Map(list.toReversed().map(read));
}

function merge(place: string, files: readonly KubeconfigFile[]): FoundKubeconfig {
  return {
    place,
    currentContext: files.map((file) => file["current-context"] ?? "").find((name) => name !== ""),
    contexts: mapFirst(
      files.flatMap(({ contexts }) => contexts),
      ({ name, context }) => [name, context],
    ),
    clusters: mapFirst(
      files.flatMap(({ clusters }) => clusters),
      ({ name, cluster }) => [name, cluster],
    ),
    users: mapFirst(
      files.flatMap(({ users }) => users),
      ({ name, user }) => [name, user],
    ),
  };
}

async function readFiles(paths: readonly string[]): Promise<FoundKubeconfig> {
  const read = async (path: string) => settlePaths(parseKubeconfig(await readText(path), path), dirname(resolve(path)));
  return merge(paths.join(delimiter), await Promise.all(paths.map(read)));
}

/** The pod's own service account, whose token file the kubelet renews. */
function readPod(host: string, port: string): FoundKubeconfig {
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const cluster = {
    server,
    "certificate-authority": join(serviceAccount, "ca.crt"),
    "insecure-skip-tls-verify": false,
  };
  return {
    place: "the pod's service account",
    currentContext: "pod",
    contexts: new Map([["pod", { cluster: "pod", user: "pod" }]]),
    clusters: new Map([["pod", cluster]]),
    users: new Map([["pod", { tokenFile: join(serviceAccount, "token") }]]),
  };
}

async function readDefault(env: NodeJS.ProcessEnv): Promise<FoundKubeconfig> {
  const named = (env["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  // As in kubectl: a single named file must exist; of several, those that exist are read.
  if (named.length > 0) return readFiles(named.length === 1 ? named : named.filter((path) => existsSync(path)));
  const home = join(env["HOME"] ?? homedir(), ".kube", "config");
  if (existsSync(home)) return readFiles([home]);
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "443" } = env;
  if (host !== "") return readPod(host, port);
  throw new KubeconfigError(`there is no kubeconfig: $KUBECONFIG is not set, ${home} is not there, and this is no pod`);
}

/** Reads what the source names. Throws `KubeconfigError`. */
export async function findKubeconfig(source: KubeconfigSource, env: NodeJS.ProcessEnv): Promise<FoundKubeconfig> {
  if (source.text !== undefined) {
    const place = "the given kubeconfig";
    return merge(place, [settlePaths(parseKubeconfig(source.text, place), process.cwd())]);
  }
  return source.path === undefined ? readDefault(env) : readFiles([source.path]);
}
