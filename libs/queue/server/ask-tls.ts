import type { TlsMaterial } from "#libs/runtime";
import type { RedisOptions } from "ioredis";

/** What the client is told of TLS; an address with `rediss:` asks for it by itself. */
export function askTls(tls: TlsMaterial | undefined): Pick<RedisOptions, "tls"> {
  return tls === undefined ? {} : { tls: { ...tls } };
}
