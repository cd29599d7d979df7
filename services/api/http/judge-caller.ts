import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/** Endings of names that no one registers: those of this machine and of Kubernetes. */
const inner: readonly string[] = [".localhost", ".svc", ".cluster.local"];

/** The name in a `Host` header, without its port and the brackets of an IPv6 address; undefined for what is none. */
function readName(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/\\@]+))(?::\d{1,5})?$/iu.exec(host) ?? [];
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/u, "");
}

/**
 * Whether a browser that asks by this name shows a page of ours. A page of anyone can point its own name at our address, and read what
 * we answer as its own. An address, a name without a dot and the names of a cluster cannot be its own; others have to be configured.
 */
function isKnownName(host: string, names: ReadonlySet<string>): boolean {
  const name = readName(host);
  if (name === undefined) return false;
  return isIP(name) !== 0 || !name.includes(".") || inner.some((end) => name.endsWith(end)) || names.has(name);
}

/**
 * The scheme, name and port of the page that asks are those by which it asks. A page of ours asks without: a browser adds it for
 * others.
 */
function isOwnOrigin(origin: string, host = ""): boolean {
  const page = URL.parse(origin);
  return page !== null && page.host !== "" && page.host === URL.parse(`${page.protocol}//${host}`)?.host;
}

const own: readonly string[] = ["same-origin", "none"];
/** Windows within a page: ours has none, and stands in none. */
const framed: readonly string[] = ["iframe", "frame", "embed", "object", "fencedframe"];

/** A page of another site asks in a person's browser, or of another port or name of the same site: not the person, who follows a link. */
function isOfAnotherSite({ host, origin, ...headers }: IncomingHttpHeaders): boolean {
  if (origin !== undefined && !isOwnOrigin(origin, host)) return true;
  const { "sec-fetch-site": site = "none", "sec-fetch-mode": mode, "sec-fetch-dest": dest = "" } = headers;
  if (framed.includes(String(dest))) return true;
  return !own.includes(String(site)) && mode !== "navigate";
}

/** Why a caller gets no answer; undefined = it gets one. What is no browser may ask without a name. */
export function judgeCaller(
  headers: IncomingHttpHeaders,
  names: ReadonlySet<string>,
): "UnknownName" | "AnotherSite" | undefined {
  const { host } = headers;
  if (host !== undefined && !isKnownName(host, names)) return "UnknownName";
  return isOfAnotherSite(headers) ? "AnotherSite" : undefined;
}
