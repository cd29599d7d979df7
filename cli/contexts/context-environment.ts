import { homedir } from "node:os";
import { join } from "node:path";

import { lookUp } from "#libs/input";

import type { Terminal } from "../terminal/terminal.ts";
import type { Context, SecretSource } from "./config-form.ts";
import { readSecret } from "./read-secret.ts";

/** `~/…` is expanded here, because no shell reads the file. */
function expandHome(path: string, env: Terminal["env"]): string {
  return path.startsWith("~/") ? join(env["HOME"] ?? homedir(), path.slice(2)) : path;
}

/** A context as the environment variables with the same meaning, without secrets. */
export function listVariables(context: Context, env: Terminal["env"]): Readonly<Record<string, string>> {
  const { repository, branch, nats, installation, kubeconfig, clusters, github } = context;
  const listed = Object.entries(clusters ?? {}).map(([name, context]) => `${name}=${context}`);
  const said: Readonly<Record<string, string | undefined>> = {
    MESHROLL_REPO_URL: repository === undefined ? undefined : expandHome(repository, env),
    MESHROLL_BRANCH: branch,
    MESHROLL_NATS_URL: nats?.url,
    MESHROLL_INSTALLATION: installation,
    MESHROLL_KUBECONFIG: kubeconfig === undefined ? undefined : expandHome(kubeconfig, env),
    MESHROLL_CLUSTERS: listed.length === 0 ? undefined : listed.join(","),
    MESHROLL_GITHUB_REPOSITORY: github?.repository,
    MESHROLL_GITHUB_API_URL: github?.api,
  };
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The URL with a login in it, as the NATS client takes it. */
export function addLogin(url: string, login: string): string {
  const [scheme = "nats", rest = url] = url.includes("://") ? url.split("://", 2) : ["nats", url];
  const colon = login.indexOf(":");
  const parts = colon < 0 ? [login] : [login.slice(0, colon), login.slice(colon + 1)];
  return `${scheme}://${parts.map((part) => encodeURIComponent(part)).join(":")}@${rest}`;
}

/** A context's token is for its own repository's host, also where a variable names another repository. */
function bindToken({ tokens, repository }: Context, env: Terminal["env"]): Readonly<Record<string, string>> {
  if (tokens?.git === undefined || lookUp(env, "MESHROLL_GIT_TOKEN") !== undefined) return {};
  const host = URL.parse(repository ?? "")?.host ?? "";
  return host === "" ? {} : { MESHROLL_GIT_TOKEN_HOST: host };
}

/**
 * The environment with a context's values added; variables that are set override them. A secret is read once, when it is
 * needed: `meshroll validate` needs no token.
 */
export function mergeEnvironment(context: Context, terminal: Terminal): Terminal["env"] {
  const { env } = terminal;
  const merged: Record<string, string | undefined> = {
    ...listVariables(context, env),
    ...bindToken(context, env),
    ...env,
  };
  const { tokens, nats } = context;
  const ask = (variable: string, what: string, source: SecretSource | undefined, use = (secret: string) => secret) => {
    if (source === undefined || lookUp(env, variable) !== undefined) return;
    let known: { readonly value: string | undefined } | undefined;
    const get = (): string | undefined => {
      const secret = known === undefined ? readSecret(what, source, terminal) : undefined;
      known ??= { value: secret === undefined ? undefined : use(secret) };
      return known.value;
    };
    Object.defineProperty(merged, variable, { get, enumerable: false, configurable: true });
  };
  ask("MESHROLL_GIT_TOKEN", "tokens.git", tokens?.git);
  ask("MESHROLL_GITHUB_TOKEN", "tokens.github", tokens?.github);
  const url = nats?.url;
  if (url !== undefined) ask("MESHROLL_NATS_URL", "nats.login", nats?.login, (login) => addLogin(url, login));
  return merged;
}
