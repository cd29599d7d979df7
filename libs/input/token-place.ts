/** Whether a host of a `URL` is this machine: by its name alone, so that no resolver is believed. */
export function isLoopback({ hostname }: Pick<URL, "hostname">): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Whether what is sent there is read by that host alone: over TLS, or without leaving this machine. */
export function isPrivate(url: Pick<URL, "protocol" | "hostname">): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
}

/** What says for which host a token of git is, the first that is set. */
export interface TokenOwner {
  /** MESHROLL_GIT_TOKEN_HOST: `host` or `host:port`. */
  readonly host: string | undefined;
  /** MESHROLL_REPO_URL. */
  readonly repository: string | undefined;
}

/** `host` or `host:port` as it would stand in an address of this protocol; undefined: it is neither. */
function readHost(text: string, protocol: string): string | undefined {
  return /^[^\s/?#@\\*]+$/u.test(text) ? URL.parse(`${protocol}//${text}`)?.host : undefined;
}

function findOwner({ host, repository }: TokenOwner, protocol: string): string | undefined {
  if (host !== undefined) return readHost(host, protocol);
  const url = URL.parse(repository ?? "");
  // Another protocol is another port, and so another place.
  return url?.protocol === protocol ? url.host : undefined;
}

/** Why a token of git is not sent to this address of http or https, as what follows the token's name; undefined: it is. */
export function explainKeptToken(url: URL, owner: TokenOwner): string | undefined {
  const { host, protocol } = url;
  if (!isPrivate(url))
    return `is not sent to ${host}: plain http shows it to everyone on the way; give an address with https`;
  const own = findOwner(owner, protocol);
  if (own === host) return undefined;
  if (own === undefined && owner.host !== undefined)
    return `is not sent to ${host}: MESHROLL_GIT_TOKEN_HOST is not a host; set it to one, as git.example.com or git.example.com:8443`;
  const bound = own === undefined ? "no host" : own;
  return `is not sent to ${host}: it is for ${bound}; where it is for this one, set MESHROLL_GIT_TOKEN_HOST=${host}`;
}
