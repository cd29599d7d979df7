import { readFileSync } from "node:fs";
import type { z } from "zod";
import { ConfigProblems } from "./config-problems.ts";
import { readableFile } from "./read-config.ts";

/** TLS settings of a client beyond the system's: PEM texts. Any of them turns TLS on. */
export interface TlsMaterial {
  /** Certificate authorities that it trusts. */
  readonly ca?: string;
  /** The client's certificate, where the server requires one. */
  readonly cert?: string;
  readonly key?: string;
}

/** Variables of the TLS of NATS. */
export const natsTlsVariables = {
  MESHROLL_NATS_CA_FILE: readableFile().optional(),
  MESHROLL_NATS_CERT_FILE: readableFile().optional(),
  MESHROLL_NATS_KEY_FILE: readableFile().optional(),
};

/** Variables of the TLS of Redis. */
export const redisTlsVariables = {
  MESHROLL_REDIS_CA_FILE: readableFile().optional(),
  MESHROLL_REDIS_CERT_FILE: readableFile().optional(),
  MESHROLL_REDIS_KEY_FILE: readableFile().optional(),
};

type TlsConfig = Partial<
  z.infer<z.ZodObject<typeof natsTlsVariables>> & z.infer<z.ZodObject<typeof redisTlsVariables>>
>;

/** Reads the files; undefined when none is named. Throws `ConfigProblems` for a certificate without its key. */
export function readTls(config: TlsConfig, server: "NATS" | "REDIS"): TlsMaterial | undefined {
  const name = (part: "CA" | "CERT" | "KEY") => `MESHROLL_${server}_${part}_FILE` as const;
  const [ca, cert, key] = [config[name("CA")], config[name("CERT")], config[name("KEY")]];
  if ((cert === undefined) !== (key === undefined)) {
    const [set, missing] = cert === undefined ? [name("KEY"), name("CERT")] : [name("CERT"), name("KEY")];
    throw new ConfigProblems([{ name: missing, message: `is not set, though ${set} is` }]);
  }
  if (ca === undefined && cert === undefined) return undefined;
  const read = (path: string) => readFileSync(path, "utf8");
  return {
    ...(ca === undefined ? {} : { ca: read(ca) }),
    ...(cert === undefined ? {} : { cert: read(cert) }),
    ...(key === undefined ? {} : { key: read(key) }),
  };
}
