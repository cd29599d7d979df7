import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/** Suffixes that cannot be registered: those of this machine and of Kubernetes. */
const inner: readonly string[] = [".localhost", ".svc", ".cluster.local"];

/** The name in a `Host` header, without port and IPv6 brackets; undefined when there is none. */
function readName(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/\\@]+))(?::\d{1,5})?$/iu.exec(host) ?? [];
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/u, "");
}

/**
 * Whether pages may be served under this host name. Any site can point a name of its own at our address and then read our
 * answers (DNS rebinding). Addresses, names without a dot and names in a cluster are safe; others have to be configured.
 */
function isKnownName(host: string, names: ReadonlySet<string>): boolean {
  const name = readName(host);
  if (name === undefined) return false;
  return isIP(name) !== 0 || !name.includes(".") || inner.some((end) => name.endsWith(end)) || names.has(name);
}

/**
 * Whether the page that asks has the same scheme, name and port. Our own page sends no `Origin`; browsers add it for others.
 */
function isOwnOrigin(origin: string, host = ""): boolean {
  const page = URL.parse(origin);
  return page !== null && page.host !== "" && page.host === URL.parse(`${page.protocol}//${host}`)?.host;
}

const own: readonly string[] = ["same-origin", "none"];
/** Frames within a page: ours has none, and is shown in none. */
const framed: readonly string[] = ["iframe", "frame", "embed", "object", "fencedframe"];

/** Whether a page of another site, port or name asks in a person's browser, and not the person by a link. */
function isOfAnotherSite({ host, origin, ...headers }: IncomingHttpHeaders): boolean {
  if (origin !== undefined && !isOwnOrigin(origin, host)) return true;
  const { "sec-fetch-site": site = "none", "sec-fetch-mode": mode, "sec-fetch-dest": dest = "" } = headers;
  if (framed.includes(String(dest))) return true;
  return !own.includes(String(site)) && mode !== "navigate";
}

/** Why a caller gets no answer; undefined = it gets one. Callers that are no browsers may ask without a name. */
export function judgeCaller(
  headers: IncomingHttpHeaders,
  names: ReadonlySet<string>,
): "UnknownName" | "AnotherSite" | undefined {
  const { host } = headers;
  if (host !== undefined && !isKnownName(host, names)) return "UnknownName";
  return isOfAnotherSite(headers) ? "AnotherSite" : undefined;
}
