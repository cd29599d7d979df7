import { createHash } from "node:crypto";

/** A client that logs in to Redis. */
export interface QueueLogin {
  readonly name: string;
  readonly password: string;
  readonly rights: QueueRights;
  /** Whose queues. */
  readonly installation: string;
}

/**
 * `operator`: everything, for a person who runs the servers. `look`: what the server says of itself, no key. Else the
 * clusters whose queue it may use; `all` of ours.
 */
export type QueueRights = "operator" | "look" | { readonly clusters: readonly string[] | "all" };

/** What every client of ours says first, and what `doctor` and the services ask of the server. */
const looking = ["ping", "info", "client|setname", "hello"];

/** What BullMQ does with the keys of its queues, most of it in scripts; the server holds scripts to the same rights. */
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
  const commands = (rights === "look" ? looking : [...looking, ...queueCommands]).map((name) => `+${name}`);
  if (rights === "look") return ["resetkeys", "resetchannels", "-@all", ...commands];
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
 * Redis' ACL file: it holds no password, only what proves one. Who does not log in may do nothing, as `default` is off; but
 * Redis reads its own append-only file by that user's rights, and without them it forgets all that a script wrote.
 */
export function printQueueLogins(logins: readonly QueueLogin[]): string {
  const users = logins.map((login) => {
    return `user ${login.name} on #${hash(login.password)} ${listRules(login).join(" ")}`;
  });
  return `${["user default off resetpass ~* &* +@all", ...users].join("\n")}\n`;
}
