import type { RedisOptions } from "ioredis";

/** Options instead of a connection: BullMQ closes what it opened itself, and an instance that it was given hangs the process. */
export function readConnection(url: string): RedisOptions {
  const { hostname, port, username, password, pathname, protocol } = new URL(url);
  const database = pathname.length > 1 ? Number(pathname.slice(1)) : 0;
  return {
    host: hostname,
    port: port === "" ? 6379 : Number(port),
    db: database,
    ...(username === "" ? {} : { username: decodeURIComponent(username) }),
    ...(password === "" ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === "rediss:" ? { tls: {} } : {}),
  };
}

/** One queue per cluster; a name may not contain ":". */
export function nameQueue(cluster: string): string {
  return `meshroll-${cluster}`;
}

/** The one job a queue may hold (rules 4.1). */
export const batchJobId = "batch";
