import type { ConnectionOptions } from "@nats-io/transport-node";

/** A bus URL as options of the client: `nats://[user:password@|token@]host[:port]`, `tls://…`; several separated by commas. */
export function parseAddress(text: string): ConnectionOptions {
  const urls = text
    .split(",")
    .map((part) => new URL(part.trim().includes("://") ? part.trim() : `nats://${part.trim()}`));
  const user = urls.find(({ username }) => username !== "");
  const name = decodeURIComponent(user?.username ?? "");
  const pass = decodeURIComponent(user?.password ?? "");
  const login = pass === "" ? { token: name } : { user: name, pass, ...chooseInbox(name) };
  return {
    servers: urls.map(({ host }) => host),
    ...(user === undefined ? {} : login),
    ...(urls.some(({ protocol }) => protocol === "tls:") ? { tls: {} } : {}),
  };
}

/** Replies go to an inbox of the login's own, so that the server can keep other logins from reading it. */
function chooseInbox(user: string): { readonly inboxPrefix?: string } {
  return /^[\w-]+$/.test(user) ? { inboxPrefix: `_INBOX_${user}` } : {};
}

/** The servers of a bus URL for people, without their logins. */
export function describeAddress(text: string): string {
  const { servers } = parseAddress(text);
  return Array.isArray(servers) ? servers.join(", ") : String(servers);
}
