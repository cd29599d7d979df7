import { extname } from "node:path";
import { fileURLToPath } from "node:url";

import type { Token } from "#libs/runtime";

import type { Address } from "../address.ts";

/** What proves to the remote who we are. */
export interface Credentials {
  /** Default `x-access-token`, the name under which GitHub takes every kind of token. */
  readonly username?: string;
  /** One that lasts, or a source of those that end. */
  readonly token: Token;
}

/** A transfer that is slower for so long is given up; ssh is watched by `meter-ssh.ts`. */
const slowest = { bytesPerSecond: 1000, seconds: 10 } as const;

/** What of the operator's own environment git may see: how to reach the network, and nothing that runs in an editor or pager. */
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
 * After a redirect git sends the headers that it was given for the first host to the second one: the token with them. The
 * second form has the address itself, so that no less exact line of the operator's configuration allows it again.
 */
function refuseRedirects({ url, origin }: Address): readonly (readonly [string, string])[] {
  const everywhere = ["http.followRedirects", "false"] as const;
  return origin === undefined ? [everywhere] : [everywhere, [`http.${url}.followRedirects`, "false"]];
}

/** A token as it stands in the environment of one process. */
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
    // A server that takes the connection and says nothing, or a byte now and then, is given up after ten seconds.
    ["http.lowSpeedLimit", String(slowest.bytesPerSecond)],
    ["http.lowSpeedTime", String(slowest.seconds)],
    ...refuseRedirects(address),
  ];
  if (credentials === undefined || address.origin === undefined) return settings;
  const pair = `${credentials.username ?? "x-access-token"}:${credentials.token}`;
  const header = `Authorization: Basic ${Buffer.from(pair).toString("base64")}`;
  // An empty helper list: after a 401 git would otherwise tell the operator's helper to forget a good password.
  const login = [["credential.helper", ""] as const, [`http.${address.origin}.extraHeader`, header] as const];
  // Plain http goes to this machine alone; a proxy would read it.
  return address.origin.startsWith("http:")
    ? [...settings, ...login, [`http.${address.url}.proxy`, ""]]
    : [...settings, ...login];
}

/** One word of a shell's command line. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Git starts ssh by a shell: ours carries the operator's own command, and ends it when it carries too little. */
function meterSsh(command: string | undefined): Readonly<Record<string, string>> {
  // Compiled as this file is: `.ts` in a checkout, `.js` in the package.
  const script = fileURLToPath(new URL(`meter-ssh${extname(import.meta.filename)}`, import.meta.url));
  const words = [process.execPath, "--disable-warning=ExperimentalWarning", script].map(quote);
  const metered = [...words, slowest.bytesPerSecond, slowest.seconds].join(" ");
  // Git tells the kind of a command by its name, and would not know ours.
  const kind = command === undefined ? { GIT_SSH_VARIANT: "ssh" } : { MESHROLL_SSH_COMMAND: command };
  return { GIT_SSH_COMMAND: metered, ...kind };
}

/** The environments of the processes of one clone. */
export interface Environments {
  /** For what stays on this machine: no token, and nothing is waited for. */
  readonly local: Readonly<Record<string, string>>;
  /** For one process that calls the remote, with the token of this moment. `drop` is told of one that was refused. */
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

/** The whole environment of one git process. The token travels here, never in argv, which every user of the machine can read. */
function buildEnvironment(
  folder: string,
  address: Address,
  credentials: Login | undefined,
  outer: NodeJS.ProcessEnv,
): Record<string, string> {
  const env: Record<string, string> = {
    // Named outright: in a damaged clone git would look for a repository in the folders above.
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
