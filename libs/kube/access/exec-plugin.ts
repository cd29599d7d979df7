import { execFile, type ExecFileException } from "node:child_process";

import { z } from "zod";

import { chooseVariables } from "./plugin-variables.ts";
import type { ClusterEntry, ExecEntry } from "./kubeconfig-file.ts";

/** What a credential plugin answered; see Kubernetes' `ExecCredential`. */
export interface PluginCredential {
  readonly token?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Epoch ms from which it must be asked again; absent: never by itself. */
  readonly expiresAt?: number | undefined;
}

/** A plugin that asks for a login and gets no answer is ended after this time, real ms. */
const patienceMs = 60_000;

const credential = z.object({
  kind: z.literal("ExecCredential"),
  status: z.object({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.string().optional(),
  }),
});

/** The input of the plugin, in the variable that client-go uses. */
function printInfo(
  { apiVersion, provideClusterInfo }: ExecEntry,
  cluster: ClusterEntry,
  ca: string | undefined,
): string {
  const info = {
    server: cluster.server,
    ...(ca === undefined ? {} : { "certificate-authority-data": ca }),
    ...(cluster["tls-server-name"] === undefined ? {} : { "tls-server-name": cluster["tls-server-name"] }),
    ...(cluster["proxy-url"] === undefined ? {} : { "proxy-url": cluster["proxy-url"] }),
    "insecure-skip-tls-verify": cluster["insecure-skip-tls-verify"],
  };
  const spec = { interactive: false, ...(provideClusterInfo ? { cluster: info } : {}) };
  return JSON.stringify({ apiVersion, kind: "ExecCredential", spec });
}

function describeFailure(command: string, error: ExecFileException, stderr: string, hint: string): string {
  if (error.code === "ENOENT") return `there is no command ${command}${hint}`;
  if (error.code === "EACCES") return `${command} cannot be executed: this user has no right to it${hint}`;
  if (error.killed === true) return `${command} failed: no answer within ${patienceMs / 1000} s`;
  return `${command} failed: ${stderr.trim().split("\n").at(-1) || `exit code ${error.code}`}`;
}

async function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv, hint: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env, timeout: patienceMs, maxBuffer: 1 << 20, encoding: "utf8" } as const;
    const child = execFile(command, [...args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(describeFailure(command, error, stderr, hint)));
    });
    // The plugin gets no input: one that asks a question must not read this process's standard input.
    child.stdin?.end();
  });
}

/** Runs the plugin once. Throws an error that holds no credential. `ca` is the cluster's authority in base64. */
export async function runPlugin(
  exec: ExecEntry,
  cluster: ClusterEntry,
  ca: string | undefined,
): Promise<PluginCredential> {
  const own = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]));
  const env = { ...chooseVariables(process.env), ...own, KUBERNETES_EXEC_INFO: printInfo(exec, cluster, ca) };
  const hint = exec.installHint === undefined ? "" : `; ${exec.installHint}`;
  const answer = parse(await start(exec.command, exec.args ?? [], env, hint), exec.command);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = answer.status;
  const expiresAt = expirationTimestamp === undefined ? Number.NaN : Date.parse(expirationTimestamp);
  return { token, cert, key, expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt };
}

function parse(text: string, command: string): z.infer<typeof credential> {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    // The text may contain a token, so the error does not quote it.
    answer = undefined;
  }
  const read = credential.safeParse(answer);
  if (!read.success) throw new Error(`${command} answered no ExecCredential`);
  return read.data;
}
