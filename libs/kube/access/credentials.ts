import { readFile } from "node:fs/promises";
import type https from "node:https";

import { type PluginCredential, runPlugin } from "./exec-plugin.ts";
import type { Context } from "./kubeconfig.ts";
import { createProxyAgent } from "./proxy-agent.ts";

/** What a request to the API server needs besides its method and path. */
export interface RequestCredentials {
  readonly agent: https.Agent | undefined;
  readonly options: https.RequestOptions;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

export type GiveCredentials = () => Promise<RequestCredentials>;

/** A credential is requested again so long before it expires, and a token's file read so often: real ms. */
const marginMs = 60_000;
const rereadMs = 10_000;

async function readPart(data: string | undefined, path: string | undefined): Promise<string | undefined> {
  if (data !== undefined && data !== "") return Buffer.from(data, "base64").toString("utf8");
  return path === undefined || path === "" ? undefined : readFile(path, "utf8");
}

/** Caches an answer until it is due for renewal; concurrent callers share one request. */
function remember<T>(ask: () => Promise<T>, isDue: (answer: T, age: number) => boolean): () => Promise<T> {
  let kept: { readonly answer: Promise<T>; readonly at: number } | undefined;
  return async () => {
    const before = kept;
    if (before !== undefined && !isDue(await before.answer, performance.now() - before.at)) return before.answer;
    if (kept === before) {
      const answer = ask();
      const entry = { answer, at: performance.now() };
      kept = entry;
      // A failure is not kept: the next request tries again.
      answer.catch(() => void (kept === entry && (kept = undefined)));
    }
    return (kept as { readonly answer: Promise<T> }).answer;
  };
}

function listImpersonation({ user }: Context): Readonly<Record<string, string | string[]>> {
  return {
    ...(user.as === undefined ? {} : { "impersonate-user": user.as }),
    ...(user["as-uid"] === undefined ? {} : { "impersonate-uid": user["as-uid"] }),
    ...(user["as-groups"] === undefined ? {} : { "impersonate-group": user["as-groups"] }),
  };
}

/** The user's bearer token. Of `token` and `tokenFile` the file wins, as in client-go, because it is renewed. */
function createTokenReader({ user }: Context): () => Promise<string | undefined> {
  const { tokenFile, token } = user;
  if (tokenFile === undefined || tokenFile === "") return async () => token;
  return remember(
    async () => (await readFile(tokenFile, "utf8")).trim(),
    (_token, age) => age > rereadMs,
  );
}

function createPluginReader({ cluster, user }: Context): () => Promise<PluginCredential> {
  const { exec } = user;
  if (exec === undefined) return async () => ({});
  const ask = async (): Promise<PluginCredential> => {
    const ca = await readPart(cluster["certificate-authority-data"], cluster["certificate-authority"]);
    return runPlugin(exec, cluster, ca === undefined ? undefined : Buffer.from(ca).toString("base64"));
  };
  return remember(ask, ({ expiresAt }) => expiresAt !== undefined && expiresAt - marginMs <= Date.now());
}

function printAuthorization(token: string | undefined, { user }: Context): Readonly<Record<string, string>> {
  if (token !== undefined && token !== "") return { authorization: `Bearer ${token}` };
  if (user.username === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user.username}:${user.password ?? ""}`).toString("base64")}` };
}

/**
 * How requests of one context authenticate: certificate, token, token file, password or credential plugin, as in client-go.
 * What a server or plugin gave is renewed before it expires; what a person replaces is read when the kubeconfig is loaded
 * again.
 */
export function createCredentials(context: Context): GiveCredentials {
  const { cluster, user } = context;
  const readToken = createTokenReader(context);
  const readPlugin = createPluginReader(context);
  const proxy = cluster["proxy-url"];
  const agent = proxy === undefined || proxy === "" ? undefined : createProxyAgent(proxy);
  const readFiles = remember(
    async () => ({
      ca: await readPart(cluster["certificate-authority-data"], cluster["certificate-authority"]),
      cert: await readPart(user["client-certificate-data"], user["client-certificate"]),
      key: await readPart(user["client-key-data"], user["client-key"]),
    }),
    (_files, age) => age > rereadMs,
  );
  return async () => {
    const [files, plugin, token] = await Promise.all([readFiles(), readPlugin(), readToken()]);
    const servername = cluster["tls-server-name"];
    return {
      agent,
      options: {
        ca: files.ca,
        cert: plugin.cert ?? files.cert,
        key: plugin.key ?? files.key,
        ...(servername === undefined ? {} : { servername }),
        rejectUnauthorized: !cluster["insecure-skip-tls-verify"],
      },
      headers: { ...printAuthorization(plugin.token ?? token, context), ...listImpersonation(context) },
    };
  };
}
