import { extname } from "node:path";
import { fileURLToPath } from "node:url";

import type { Token } from "#libs/runtime";

import type { Address } from "../address.ts";

/** How this process logs in at the remote. */
export interface Credentials {
  /** Default `x-access-token`, the name under which GitHub takes every kind of token. */
  readonly username?: string;
  /** A permanent token, or a source of tokens that expire. */
  readonly token: Token;
}

/** A slower transfer is ended; for ssh `meter-ssh.ts` does that. */
const slowest = { bytesPerSecond: 1000, seconds: 10 } as const;

/** Variables of the operator's environment that git gets: how to reach the network, but no editor or pager. */
const passed = [
  "PATH",
  "HOME",
  "USER",
  "TMPDIR",
  "XDG_CONFIG_HOME",
  "LD_LIBRARY_PATH",
  "SSH_AUTH_SOCK",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
  "GIT_SSH_COMMAND",
  "GIT_SSL_CAINFO",
  "GIT_EXEC_PATH",
  "GNUPGHOME",
] as const;

/**
 * git would send its headers, with the token, to the host that a redirect names. The second setting names the address itself,
 * so that no less specific setting of the operator can allow redirects again.
 */
function refuseRedirects({ url, origin }: Address): readonly (readonly [string, string])[] {
  const everywhere = ["http.followRedirects", "false"] as const;
  return origin === undefined ? [everywhere] : [everywhere, [`http.${url}.followRedirects`, "false"]];
}

/** A token as one process gets it. */
interface Login {
  readonly username?: string | undefined;
  readonly token: string;
}

function listSettings(address: Address, credentials: Login | undefined): readonly (readonly [string, string])[] {
  const settings: (readonly [string, string])[] = [
    // A hook in the operator's template or global config must not run on our commits.
    ["core.hooksPath", "/dev/null"],
    ["fetch.recurseSubmodules", "false"],
    ["push.recurseSubmodules", "no"],
    ["push.followTags", "false"],
    ["push.gpgSign", "false"],
    ["core.logAllRefUpdates", "false"],
    // A server that accepts the connection and sends nothing, or a byte now and then, is given up after ten seconds.
    ["http.lowSpeedLimit", String(slowest.bytesPerSecond)],
    ["http.lowSpeedTime", String(slowest.seconds)],
    ...refuseRedirects(address),
  ];
  if (credentials === undefined || address.origin === undefined) return settings;
  const pair = `${credentials.username ?? "x-access-token"}:${credentials.token}`;
  const header = `Authorization: Basic ${Buffer.from(pair).toString("base64")}`;
  // An empty helper list: after a 401 git would otherwise tell the operator's helper to forget a good password.
  const login = [["credential.helper", ""] as const, [`http.${address.origin}.extraHeader`, header] as const];
  // Plain http is only allowed to this machine; a proxy would read the token.
  return address.origin.startsWith("http:")
    ? [...settings, ...login, [`http.${address.url}.proxy`, ""]]
    : [...settings, ...login];
}

/** Quotes one word for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** git starts ssh by a shell: this command runs the operator's own one and ends it when it transfers too little. */
function meterSsh(command: string | undefined): Readonly<Record<string, string>> {
  // The same extension as this file: `.ts` in a checkout, `.js` in the package.
  const script = fileURLToPath(new URL(`meter-ssh${extname(import.meta.filename)}`, import.meta.url));
  const words = [process.execPath, "--disable-warning=ExperimentalWarning", script].map(quote);
  const metered = [...words, slowest.bytesPerSecond, slowest.seconds].join(" ");
  // git recognises the kind of an ssh command by its name, and would not know ours.
  const kind = command === undefined ? { GIT_SSH_VARIANT: "ssh" } : { MESHROLL_SSH_COMMAND: command };
  return { GIT_SSH_COMMAND: metered, ...kind };
}

/** The environments of the processes of one clone. */
export interface Environments {
  /** For local commands: no token, and no wait. */
  readonly local: Readonly<Record<string, string>>;
  /** For one process that calls the remote, with a current token. Call `drop` when the remote refused it. */
  forRemote(): Promise<{ readonly env: Readonly<Record<string, string>>; readonly drop?: () => void }>;
}

/** Binds folder, address and login. */
export function createEnvironments(
  folder: string,
  address: Address,
  credentials: Credentials | undefined,
  outer: NodeJS.ProcessEnv,
): Environments {
  const build = (login: Login | undefined) => buildEnvironment(folder, address, login, outer);
  const local = build(undefined);
  return {
    local,
    async forRemote() {
      if (credentials === undefined || !address.takesToken) return { env: local };
      const { username, token: source } = credentials;
      if (typeof source === "string") return { env: build({ username, token: source }) };
      const token = await source.give();
      return { env: build({ username, token }), drop: () => source.drop(token) };
    },
  };
}

/** The environment of one git process. The token is passed here, because every user of the machine can read command lines. */
function buildEnvironment(
  folder: string,
  address: Address,
  credentials: Login | undefined,
  outer: NodeJS.ProcessEnv,
): Record<string, string> {
  const env: Record<string, string> = {
    // Set explicitly: with a damaged clone git would look for a repository in parent folders.
    GIT_DIR: folder,
    GIT_ALLOW_PROTOCOL: "file:http:https:ssh",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LITERAL_PATHSPECS: "1",
    // Messages are distinguished by their text, so it must not be translated.
    LC_ALL: "C",
  };
  for (const name of passed) {
    const value = outer[name];
    if (value !== undefined) env[name] = value;
  }
  if (address.origin === undefined) Object.assign(env, meterSsh(outer["GIT_SSH_COMMAND"]));
  const settings = listSettings(address, credentials);
  env["GIT_CONFIG_COUNT"] = String(settings.length);
  for (const [index, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}
