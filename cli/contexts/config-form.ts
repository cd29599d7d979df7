import { isClusterName } from "#libs/events";
import { isInstallationId } from "#libs/input";
import { z } from "zod";

const text = z.string().min(1).max(1000);
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/u, "a name has letters, digits, `.`, `_` and `-`");

/** The source of a secret; the file itself never contains one. */
const secret = z.union(
  [
    z.strictObject({ env: z.string().regex(/^[A-Za-z_]\w*$/u, "not the name of a variable") }),
    z.strictObject({ command: z.array(text).min(1).max(50) }),
  ],
  "must be { env: NAME } or { command: [PROGRAM, ARGUMENT, …] }",
);

export type SecretSource = z.infer<typeof secret>;

const portForward = z.strictObject({
  /** Of the kubeconfig; absent = its current one. */
  context: text.optional(),
  namespace: text.default("meshroll-system"),
  /** As kubectl names it: `service/nats`, `pod/nats-0`. */
  target: text.default("service/nats"),
  port: z.int().min(1).max(65_535).default(4222),
});

export type PortForwardPlan = z.infer<typeof portForward>;

const nats = z.strictObject({
  url: text
    .refine((url) => !/\/\/[^/]*@/u.test(url), "holds a login: give it as login: { env } or { command }")
    .optional(),
  portForward: portForward.optional(),
  /** `user:password`, or a token. */
  login: secret.optional(),
});

const context = z.strictObject({
  repository: text.refine((url) => !/^https?:\/\/[^/]*@/u.test(url), "holds a login: give it as tokens.git").optional(),
  branch: text.optional(),
  nats: nats
    .refine(
      (each) => each.url === undefined || each.portForward === undefined,
      "url and portForward exclude each other",
    )
    .optional(),
  installation: z.string().refine(isInstallationId, "not an id of meshroll init").optional(),
  kubeconfig: text.optional(),
  /** Our name of a cluster -> its context in the kubeconfig. */
  clusters: z.record(z.string().refine(isClusterName, "not a cluster's name"), text).optional(),
  github: z
    .strictObject({
      repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/u, "must be owner/name"),
      api: z.url().optional(),
    })
    .optional(),
  tokens: z.strictObject({ git: secret.optional(), github: secret.optional() }).optional(),
});

export type Context = z.infer<typeof context>;

/** `~/.config/meshroll/config.yml`. */
export const configForm = z.strictObject({
  apiVersion: z.literal("meshroll.dev/v1"),
  kind: z.literal("Config"),
  current: name.optional(),
  contexts: z.record(name, context),
});

export type Config = z.infer<typeof configForm>;
