import type { TlsMaterial } from "#libs/runtime";
import type { RedisOptions } from "ioredis";

/** TLS options of the client; an address with `rediss:` needs none to use TLS. */
export function askTls(tls: TlsMaterial | undefined): Pick<RedisOptions, "tls"> {
  return tls === undefined ? {} : { tls: { ...tls } };
}
