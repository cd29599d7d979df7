import { createHash } from "node:crypto";

/** A Redis user. */
export interface QueueLogin {
  readonly name: string;
  readonly password: string;
  readonly rights: QueueRights;
  /** Installation whose queues it may use. */
  readonly installation: string;
}

/**
 * `operator`: everything. `info`: PING and INFO, no key. Else the clusters whose queues it may use; `all` of the installation.
 */
export type QueueRights = "operator" | "info" | { readonly clusters: readonly string[] | "all" };

/** What each client sends on connect, and what `doctor` and the services read of the server. */
const infoCommands = ["ping", "info", "client|setname", "hello"];

/** The commands that BullMQ uses, most of them in scripts; Redis holds scripts to the rights of their user. */
const queueCommands = `
  eval evalsha script|load multi exec del exists expire pexpire pttl set get type incr hget hgetall
  hmget hset hmset hdel hexists hincrby llen lpos lrange lrem lpush rpush lpop rpop rpoplpush lmove
  lindex ltrim sadd srem scard smembers sismember xadd xtrim xlen zadd zrem zcard zcount zrange zrevrange
  zrangebyscore zremrangebyscore zremrangebyrank zscore zpopmin bzpopmin time
`
  .trim()
  .split(/\s+/);

function listRules({ rights, installation }: QueueLogin): readonly string[] {
  if (rights === "operator") return ["~*", "&*", "+@all"];
  const commands = (rights === "info" ? infoCommands : [...infoCommands, ...queueCommands]).map((name) => `+${name}`);
  if (rights === "info") return ["resetkeys", "resetchannels", "-@all", ...commands];
  const { clusters } = rights;
  const keys =
    clusters === "all"
      ? [`~bull:meshroll-${installation}-*`]
      : clusters.map((name) => `~bull:meshroll-${installation}-${name}:*`);
  return ["resetkeys", ...keys, "resetchannels", "-@all", ...commands];
}

function hash(password: string): string {
  return createHash("sha256").update(password).digest("hex");
}

/**
 * The text of a Redis ACL file; it holds SHA-256 hashes of passwords. The user `default` is off, so a client without a login
 * may do nothing. It keeps all rights because Redis replays its append-only file as that user, and would otherwise lose the
 * writes of scripts.
 */
export function printQueueLogins(logins: readonly QueueLogin[]): string {
  const users = logins.map((login) => {
    return `user ${login.name} on #${hash(login.password)} ${listRules(login).join(" ")}`;
  });
  return `${["user default off resetpass ~* &* +@all", ...users].join("\n")}\n`;
}
