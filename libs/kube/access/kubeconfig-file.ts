import { parse } from "yaml";
import { z } from "zod";

import { KubeconfigError } from "./kubeconfig-error.ts";

const cluster = z.object({
  server: z.string().default(""),
  "certificate-authority": z.string().optional(),
  "certificate-authority-data": z.string().optional(),
  "insecure-skip-tls-verify": z.boolean().default(false),
  "tls-server-name": z.string().optional(),
  "proxy-url": z.string().optional(),
});

const exec = z.object({
  apiVersion: z.string().default("client.authentication.k8s.io/v1"),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  provideClusterInfo: z.boolean().default(false),
  installHint: z.string().optional(),
});

const user = z.object({
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  "client-certificate": z.string().optional(),
  "client-certificate-data": z.string().optional(),
  "client-key": z.string().optional(),
  "client-key-data": z.string().optional(),
  as: z.string().optional(),
  "as-uid": z.string().optional(),
  "as-groups": z.array(z.string()).optional(),
  exec: exec.optional(),
  "auth-provider": z.object({ name: z.string() }).nullish(),
});

const context = z.object({ cluster: z.string(), user: z.string().default("") });

function named<T extends string, S extends z.ZodType>(field: T, schema: S) {
  return z
    .array(z.object({ name: z.string(), [field]: schema } as { name: z.ZodString } & Record<T, S>))
    .nullish()
    .transform((list) => list ?? []);
}

const kubeconfig = z.object({
  "current-context": z.string().nullish(),
  clusters: named("cluster", cluster),
  contexts: named("context", context),
  users: named("user", user),
});

export type ClusterEntry = z.infer<typeof cluster>;
export type UserEntry = z.infer<typeof user>;
export type ExecEntry = z.infer<typeof exec>;
export type KubeconfigFile = z.infer<typeof kubeconfig>;

/**
 * The fields of kubectl's reference of `Config (v1)` that are used here; others are ignored. Throws `KubeconfigError`, which
 * holds no value of the file.
 */
export function parseKubeconfig(text: string, place: string): KubeconfigFile {
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    // The parser's message quotes the line, which may contain a token.
    const at = error instanceof Error && "linePos" in error ? describePosition(error.linePos) : "";
    throw new KubeconfigError(`${place} cannot be read: it is no YAML${at}`);
  }
  const read = kubeconfig.safeParse(document);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = (issue?.path ?? []).map(String).join(".") || "the whole of it";
  throw new KubeconfigError(`${place} cannot be read: ${where}: ${issue?.message ?? "is not a kubeconfig"}`);
}

function describePosition(position: unknown): string {
  const [start] = Array.isArray(position)
    ? (position as readonly { readonly line?: number; readonly col?: number }[])
    : [];
  return start?.line === undefined ? "" : ` at line ${start.line}, column ${start.col ?? 1}`;
}
